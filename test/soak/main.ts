import { namesIn, type Options, runProgram, text, whole } from '../../tools/commandLine/command.ts';
import { faultNames } from './faults.ts';
import { polledHistories } from './histories.ts';
import { runMatrix } from './run.ts';
import { operationNames } from './operations.ts';

const suites = ['faults', 'polls'] as const;

const several = { type: 'string', multiple: true, value: '<name>' } as const;
const options = {
  suite: { ...text('<name>', `One of ${suites.join(', ')}.`), default: 'faults' },
  runs: text('<number>', 'How many runs. By default as many as the suite has for its figures.'),
  seed: { ...text('<number>', 'Where its random numbers begin.'), default: '1' },
  fault: { ...several, says: 'Only these faults.' },
  operation: { ...several, says: 'Only these operations.' },
} as const satisfies Options;

const soak = {
  name: 'npm run soak',
  does: 'books, subscribes and polls while everything goes wrong, and counts what is lost, duplicated or invented. The exit code is 0 if nothing is.',
  options,
  examples: [
    ['npm run soak', 'Every fault and operation.'],
    ['npm run soak -- --suite polls --runs 10', 'Fewer runs of another suite.'],
    ['npm run soak -- --fault reset-before --operation create --runs 1 --seed 7', 'One run again, alone.'],
  ],
} as const;

/** How many findings are printed. */
const SHOWN = 40;

/** A suite prints what a person reads, and ends with one line of JSON that says whether everything passed. */
await runProgram(soak, async ({ values }) => {
  const [suite] = namesIn([values.suite], suites, 'suite');
  const faults = namesIn(values.fault, faultNames, 'fault');
  const operations = namesIn(values.operation, operationNames, 'operation');
  const firstSeed = whole(values.seed, '--seed');
  const runs = values.runs === undefined ? undefined : whole(values.runs, '--runs');
  const started = performance.now();
  const summarise = (result: object): void =>
    console.log(JSON.stringify({ suite, firstSeed, ...result, seconds: Math.round((performance.now() - started) / 1000) }));

  if (suite === 'polls') {
    const result = await polledHistories(runs ?? 100, firstSeed);
    summarise(result);
    return result.missing + result.wrong === 0 ? 0 : 1;
  }
  const seeds = Math.max(1, Math.ceil((runs ?? 5_000) / (faults.length * operations.length)));
  const matrix = await runMatrix({ faults, operations, seeds, firstSeed });
  for (const finding of matrix.findings.slice(0, SHOWN)) console.log(finding);
  summarise({ faults: faults.length, operations: operations.length, seeds, ...matrix.summary });
  return matrix.findings.length === 0 ? 0 : 1;
});
