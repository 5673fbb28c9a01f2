import { isFindingEnd } from '../judge.ts';
import { replay, runMatrix } from '../matrix.ts';
import type { Options } from '../options.ts';
import { lineOf, tableOf } from '../table.ts';

/** How many findings are printed with their cases. */
const SHOWN = 40;

/** Every fault against every operation of every platform. */
export async function faultsSuite({ runs, seed, faults, operations, platforms }: Options): Promise<boolean> {
  const seeds = Math.max(1, Math.ceil(runs / (faults.length * operations.length)));
  const started = performance.now();
  const matrix = await runMatrix({ faults, operations, platforms, seeds, firstSeed: seed, most: SHOWN });
  const { summary, findings } = matrix;
  for (const finding of findings) console.log(lineOf(finding));
  console.log(tableOf(matrix, faults, operations));
  console.log(
    JSON.stringify({
      suite: 'faults',
      faults: faults.length,
      operations: operations.length,
      seeds,
      firstSeed: seed,
      ...summary,
      seconds: Math.round((performance.now() - started) / 1000),
    }),
  );
  return findings.length === 0;
}

/** One run of the suite alone, reported in full. */
export async function replayOne({ faults, operations, platforms }: Options, seed: number): Promise<boolean> {
  const [fault] = faults;
  const [operation] = operations;
  if (fault === undefined || operation === undefined || faults.length !== 1 || operations.length !== 1)
    throw new Error('A replay needs one --fault and one --operation.');
  let held = true;
  for (const platform of platforms) {
    const given = { fault, operation, platform, seed };
    const outcome = await replay(given);
    if (isFindingEnd(outcome.end)) held = false;
    console.log(JSON.stringify({ ...given, ...outcome }, null, 2));
  }
  return held;
}
