import { allAtOnce, exponentially, oneByOne, ours, simulate } from '../../bench/rows/bulk.ts';

it('only our way loses nothing and is never refused; the others behave as people know them', async () => {
  expect(await simulate(ours, 'fixed', 1_200)).toMatchObject({ failed: 0, refused: 0 });
  expect((await simulate(allAtOnce, 'fixed', 1_200)).failed).toBe(200);
  expect((await simulate(exponentially, 'fixed', 1_200)).failed).toBe(200);
  expect(await simulate(oneByOne, 'fixed', 100)).toMatchObject({ failed: 0, refused: 0 });
});

it('two of our processes that know nothing of each other lose nothing either', async () => {
  expect(await simulate(ours, 'sliding', 1_400, 2)).toMatchObject({ failed: 0 });
});
