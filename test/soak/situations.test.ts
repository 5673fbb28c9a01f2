import { polledHistories } from './polls/histories.ts';
import { playAll, situationNames } from './situations.ts';

it.each(situationNames)('%s: nothing is invented, stolen, lost, doubled or undelivered, and it ends in a sentence', async (situation) => {
  const seeds = { killed: 28, siblings: 20 }[situation];
  const { found, runs } = await playAll([situation], seeds, 1);
  expect(found).toEqual([]);
  expect(runs).toBe(seeds);
});

it('over random histories, with lists that move, lost pages and kills, each change that the lists show is given once and nothing else', async () => {
  const { polls, given, failed, killed, twice, lacking, ...found } = await polledHistories(3, 1);
  expect(found).toEqual({ missing: 0, wrong: 0 });
  for (const count of [polls, given, failed, killed, twice, lacking]) expect(count).toBeGreaterThan(2);
});
