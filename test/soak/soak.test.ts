import { faultNames } from './faults.ts';
import { polledHistories } from './histories.ts';
import { runMatrix } from './run.ts';
import { operationNames } from './operations.ts';

it.each(operationNames)(
  '%s under every fault: done once, failed with a sentence and no effect, or reported as perhaps there',
  async (operation) => {
    const seeds = operation === 'list' ? 3 : 8;
    const { summary, findings } = await runMatrix({ operations: [operation], seeds, firstSeed: 1 });
    expect(findings).toEqual([]);
    expect(summary.runs).toBe(faultNames.length * seeds);
    expect(summary.befallen).toBeGreaterThan(summary.runs / 3);
  },
);

it('with habits of the service and no fault, each write is one request, without a wait, and succeeds', async () => {
  const operations = ['create', 'cancel', 'subscribe', 'unsubscribe'] as const;
  const { summary, findings } = await runMatrix({ operations, faults: ['none'], seeds: 40, firstSeed: 1 });
  expect(findings).toEqual([]);
  expect(summary).toMatchObject({ runs: 160, unknown: 0, triedAgain: 0 });
});

it('over random histories, with lists that move, lost pages and kills, each change that the lists show is given once and nothing else', async () => {
  const { polls, given, failed, killed, twice, lacking, ...found } = await polledHistories(4, 1);
  expect(found).toEqual({ missing: 0, wrong: 0 });
  for (const count of [polls, given, failed, killed, twice, lacking]) expect(count).toBeGreaterThan(2);
});
