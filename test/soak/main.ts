import { type Command, oneOf, runProgram, whole } from '../../tools/commandLine/command.ts';
import { faultNames } from './faults.ts';
import { polledHistories } from './histories.ts';
import { runMatrix } from './run.ts';
import { operationNames } from './operations.ts';

const suites = ['faults', 'polls'] as const;

const options = {
  suite: oneOf('<name>', `One of ${suites.join(', ')}. Default: faults.`, suites, 'suite'),
  runs: whole('<number>', 'How many runs. By default as many as the suite has for its figures.'),
  seed: whole('<number>', 'Where its random numbers begin.', { usual: 1 }),
  fault: oneOf('<name>', 'Only these faults.', faultNames, 'fault'),
  operation: oneOf('<name>', 'Only these operations.', operationNames, 'operation'),
};

const soak: Command<typeof options> = {
  name: 'npm run soak',
  does: 'books, subscribes and polls while everything goes wrong, and counts what is lost, duplicated or invented. The exit code is 0 if nothing is.',
  options,
  examples: [
    ['npm run soak', 'Every fault and operation.'],
    ['npm run soak -- --suite polls --runs 10', 'Fewer runs of another suite.'],
    ['npm run soak -- --fault reset-before --operation create --runs 1 --seed 7', 'One run again, alone.'],
  ],
};

/** How many findings are printed. */
const SHOWN = 40;

const orAll = <Name>(names: readonly Name[], all: readonly Name[]): readonly Name[] => (names.length === 0 ? all : names);

/** A suite prints what a person reads, and ends with one line of JSON that says whether everything passed. */
await runProgram(soak, async ({ values }) => {
  const [suite = 'faults'] = values.suite.slice(-1);
  const faults = orAll(values.fault, faultNames);
  const operations = orAll(values.operation, operationNames);
  const started = performance.now();
  const summarise = (result: object): void =>
    console.log(JSON.stringify({ suite, firstSeed: values.seed, ...result, seconds: Math.round((performance.now() - started) / 1000) }));

  if (suite === 'polls') {
    const result = await polledHistories(values.runs ?? 100, values.seed);
    summarise(result);
    return result.missing + result.wrong === 0 ? 0 : 1;
  }
  const seeds = Math.max(1, Math.ceil((values.runs ?? 5_000) / (faults.length * operations.length)));
  const matrix = await runMatrix({ faults, operations, seeds, firstSeed: values.seed });
  for (const finding of matrix.findings.slice(0, SHOWN)) console.log(finding);
  summarise({ faults: faults.length, operations: operations.length, seeds, ...matrix.summary });
  return matrix.findings.length === 0 ? 0 : 1;
});
