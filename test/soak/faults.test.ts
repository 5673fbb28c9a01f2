import { faultNames, faults } from './faults/index.ts';
import { replay, runMatrix } from './matrix.ts';
import { operationNames, platforms } from './operations.ts';
import { lineOf } from './table.ts';

it('knows at least 60 faults, each described for the table', () => {
  expect(faultNames.length).toBeGreaterThanOrEqual(60);
  expect(new Set(Object.values(faults).map(({ says }) => says)).size).toBe(faultNames.length);
});

it.each(operationNames)(
  '%s under every fault: done once, failed with a sentence and no effect, or reported as perhaps there',
  async (operation) => {
    const { summary, findings } = await runMatrix({ operations: [operation], seeds: 6, firstSeed: 1 });
    expect(findings.map(lineOf)).toEqual([]);
    expect(summary).toMatchObject({
      runs: faultNames.length * 6,
      lost: 0,
      invented: 0,
      stolen: 0,
      duplicated: 0,
      hung: 0,
      untyped: 0,
      leaked: 0,
    });
    expect(summary.unknownAvoidable.n8n).toBe(0);
    expect(summary.befallen).toBeGreaterThan(summary.runs / 3);
  },
  120_000,
);

it.each(platforms)('a run of %s ends the same when it is repeated alone', async (platform) => {
  const given = { fault: 'drop-after', operation: 'create', platform, seed: 7 } as const;
  const [one, other] = [await replay(given), await replay(given)];
  expect({ ...other, harmed: other.harmed.length }).toEqual({ ...one, harmed: one.harmed.length });
  expect(one.end).toBe('done');
});
