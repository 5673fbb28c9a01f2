import { lineOf, runMatrix } from './matrix.ts';
import { operationNames } from './operations.ts';

it.each(operationNames)(
  '%s under every fault: done once, failed with a sentence and no effect, or reported as perhaps there',
  async (operation) => {
    const { summary, findings } = await runMatrix({ operations: [operation], seeds: 6, firstSeed: 1 });
    expect(findings.map(lineOf)).toEqual([]);
    expect(summary.runs).toBe(59 * 6);
    expect(summary.befallen).toBeGreaterThan(summary.runs / 3);
  },
);

it('with habits of the service and no fault, each write is one request, without a wait, and succeeds', async () => {
  const operations = ['create', 'cancel', 'subscribe', 'unsubscribe'] as const;
  const { summary, findings } = await runMatrix({ operations, faults: ['none'], seeds: 40, firstSeed: 1 });
  expect(findings.map(lineOf)).toEqual([]);
  expect(summary).toMatchObject({ runs: 160, unknown: 0, triedAgain: 0 });
});
