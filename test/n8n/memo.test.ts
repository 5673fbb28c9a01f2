import { RunMemo } from '../../n8n/adapter/memo.ts';

/** How many items of an execution are carried out, when it is run once more. */
async function carriedOut(memo: RunMemo<number>, execution: string, items: number): Promise<number> {
  let count = 0;
  for (let item = 0; item < items; item += 1) await memo.once(execution, String(item), () => Promise.resolve((count += 1)));
  return count;
}

it('an execution of more items than are remembered is carried out once all the same', async () => {
  const memo = new RunMemo<number>(100);
  expect(await carriedOut(memo, 'long', 1_000)).toBe(1_000);
  expect(await carriedOut(memo, 'long', 1_000)).toBe(0);
});

it('what is forgotten is the oldest execution, as a whole', async () => {
  const memo = new RunMemo<number>(100);
  for (const execution of ['first', 'second', 'third']) await carriedOut(memo, execution, 40);
  expect(await carriedOut(memo, 'second', 40)).toBe(0);
  expect(await carriedOut(memo, 'third', 40)).toBe(0);
  expect(await carriedOut(memo, 'first', 40)).toBe(40);
});

it('what failed is carried out again', async () => {
  const memo = new RunMemo<string>(100);
  await expect(memo.once('one', 'key', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await memo.once('one', 'key', () => Promise.resolve('made'))).toBe('made');
});
