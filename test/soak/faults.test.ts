import { faultNames as everyFault, faults, type FaultName } from '../../soak/faults/index.ts';
import { replay, runMatrix } from '../../soak/matrix.ts';
import { operationNames, platforms } from '../../soak/operations.ts';
import { lineOf } from '../../soak/table.ts';

/** These wait for the code that mends what they found. */
const waiting: readonly FaultName[] = [
  'not-json', 'html-200', 'empty', 'gzip-bomb', 'html-200-lost', 'sign-in', 'ok-true', 'ok-true-lost', 'empty-list', 'empty-list-lost', 'null-data', 'null-data-lost', 'other-kind', 'other-kind-lost', 'other-booking',
  'other-booking-lost', 'bare-202', 'bare-202-lost', 'more-but-no-cursor', 'cursor-elsewhere', 'refresh-page', 'refresh-503', 'refresh-dropped', 'refresh-silent', 'refresh-429',
];
const faultNames = everyFault.filter((name) => !waiting.includes(name));

it('knows at least 36 faults, each with words for the table', () => {
  expect(faultNames.length).toBeGreaterThanOrEqual(36);
  expect(new Set(Object.values(faults).map(({ says }) => says)).size).toBe(everyFault.length);
});

it.each(operationNames)('%s under every fault: done once, failed with a sentence and nothing happened, or told as perhaps there', async (operation) => {
  const { summary, findings } = await runMatrix({ faults: faultNames, operations: [operation], seeds: 6, firstSeed: 1 });
  expect(findings.map(lineOf)).toEqual([]);
  expect(summary).toMatchObject({ runs: faultNames.length * 6, lost: 0, duplicated: 0, hung: 0, untyped: 0, leaked: 0 });
  expect(summary.unknownAvoidable.n8n).toBe(0);
  expect(summary.befallen).toBeGreaterThan(summary.runs / 3);
}, 120_000);

it.each(platforms)('a run of %s comes out the same when it is carried out again alone', async (platform) => {
  const given = { fault: 'drop-after', operation: 'create', platform, seed: 7 } as const;
  const [one, other] = [await replay(given), await replay(given)];
  expect({ ...other, harmed: other.harmed.length }).toEqual({ ...one, harmed: one.harmed.length });
  expect(one.end).toBe('done');
});
