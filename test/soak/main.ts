import { flag, namesIn, type DeclaredOptions, runProgram, text, whole } from '../../tools/commandLine/command.ts';
import { faultNames } from './faults.ts';
import { runMatrix } from './run.ts';
import { operationNames } from './operations.ts';

const several = { type: 'string', multiple: true, value: '<name>' } as const;
const options = {
  runs: { ...text('<number>', 'How many runs.'), default: '5000' },
  seed: { ...text('<number>', 'Where its random numbers begin.'), default: '1' },
  fault: { ...several, says: 'Only these faults.' },
  operation: { ...several, says: 'Only these operations.' },
  keys: flag('The service heeds idempotency keys, and they are sent.'),
} as const satisfies DeclaredOptions;

const soak = {
  name: 'npm run soak',
  does: 'books, cancels and subscribes while everything goes wrong, and counts what is lost, duplicated or invented. The exit code is 0 if nothing is.',
  options,
  examples: [
    ['npm run soak', 'Every fault and operation.'],
    ['npm run soak -- --fault reset-before --operation create --runs 1 --seed 7', 'One run again, alone.'],
  ],
} as const;

/** How many findings are printed. */
const SHOWN = 40;

/** Prints what a person reads, and ends with one line of JSON that says whether everything passed. */
await runProgram(soak, async ({ values }) => {
  const faults = namesIn(values.fault, faultNames, 'fault');
  const operations = namesIn(values.operation, operationNames, 'operation');
  const firstSeed = whole(values.seed, '--seed');
  const seeds = Math.max(1, Math.ceil(whole(values.runs, '--runs') / (faults.length * operations.length)));
  const started = performance.now();
  const matrix = await runMatrix({ faults, operations, seeds, firstSeed, keys: values.keys });
  for (const finding of matrix.findings.slice(0, SHOWN)) console.log(finding);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(JSON.stringify({ firstSeed, faults: faults.length, operations: operations.length, seeds, ...matrix.summary, seconds }));
  return matrix.findings.length === 0 ? 0 : 1;
});
