import { platforms } from './operations.ts';
import { polledHistories } from './polls/histories.ts';
import { playAll, situationNames } from './situations/index.ts';

it.each(situationNames)(
  '%s: nothing is invented, stolen, lost, doubled, undelivered or crossed, and it ends in a sentence',
  async (situation) => {
    const seeds = { 'odd-values': 150, killed: 28 }[situation as string] ?? 5;
    const { found, runs } = await playAll({ situations: [situation], platforms, seeds, firstSeed: 1 });
    expect(found).toEqual([]);
    expect(runs).toBeGreaterThanOrEqual(5);
  },
);

it('over random histories, with lists that move, lost pages and kills, each change that the lists show is given once and nothing else', async () => {
  const { polls, given, failed, killed, twice, lacking, ...found } = await polledHistories(3, 1);
  expect(found).toEqual({ missing: 0, wrong: 0 });
  for (const count of [polls, given, failed, killed, twice, lacking]) expect(count).toBeGreaterThan(2);
});
