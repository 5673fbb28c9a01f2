import { faultNames } from './faults.ts';
import { runMatrix } from './run.ts';
import { operationNames } from './operations.ts';

it.each(operationNames)(
  '%s under every fault: done once, failed with a sentence and no effect, or reported as perhaps there',
  async (operation) => {
    const { summary, findings } = await runMatrix({ operations: [operation], seeds: 4, firstSeed: 1 });
    expect(findings).toEqual([]);
    expect(summary.runs).toBe(faultNames.length * 4);
    expect(summary.befallen).toBeGreaterThan(summary.runs / 3);
  },
);

it('with habits of the service and no fault, each write is one request, without a wait, and succeeds', async () => {
  const { summary, findings } = await runMatrix({ faults: ['none'], seeds: 20, firstSeed: 1 });
  expect(findings).toEqual([]);
  expect(summary).toMatchObject({ runs: 80, unknown: 0, triedAgain: 0 });
});

it.each(operationNames)(
  '%s where idempotency keys are heeded: no answer stays lost, and nobody waits for longer than one repeat',
  async (operation) => {
    const { summary, findings } = await runMatrix({ operations: [operation], seeds: 2, firstSeed: 1, keys: true });
    expect(findings).toEqual([]);
    expect(summary).toMatchObject({ runs: faultNames.length * 2, longestWaitMs: 1000 });
  },
);
