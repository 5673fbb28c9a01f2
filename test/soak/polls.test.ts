import { polledHistories } from './suites/polls.ts';

it('over random histories, with lists that move, lost pages and kills, each change that the lists show is given once and nothing else', async () => {
  const { polls, given, failed, killed, twice, lacking, ...found } = await polledHistories(3, 1);
  expect(found).toEqual({ missing: 0, wrong: 0 });
  for (const count of [polls, given, failed, killed, twice, lacking]) expect(count).toBeGreaterThan(2);
}, 120_000);
