import { situationNames, situations } from './situations/index.ts';
import { platforms } from './operations.ts';
import { playAll } from './suites/situations.ts';

it('knows at least 9 situations, each described in its own words', () => {
  expect(situationNames.length).toBeGreaterThanOrEqual(9);
  expect(new Set(Object.values(situations).map(({ says }) => says)).size).toBe(situationNames.length);
});

it.each(situationNames)(
  '%s: nothing is invented, stolen, lost, doubled, undelivered or crossed, and it ends in a sentence',
  async (situation) => {
    const { found, runs } = await playAll({
      situations: [situation],
      platforms,
      seeds: situation === 'odd-expressions' ? 150 : 5,
      firstSeed: 1,
    });
    expect(found).toEqual([]);
    expect(runs).toBeGreaterThanOrEqual(5);
  },
  120_000,
);
