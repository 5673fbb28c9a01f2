import { oneOf, whole } from '../../tools/commandLine/options.ts';
import type { Command, Values } from '../../tools/commandLine/command.ts';
import { faultNames, type FaultName } from './faults/index.ts';
import { situationNames, type SituationName } from './situations/index.ts';
import { operationNames, platforms, type OperationName, type PlatformName } from './operations.ts';

export const suites = ['faults', 'kill', 'situations', 'polls'] as const;
export type Suite = (typeof suites)[number];

export interface Options {
  suite: Suite;
  runs: number;
  seed: number;
  faults: readonly FaultName[];
  operations: readonly OperationName[];
  platforms: readonly PlatformName[];
  situations: readonly SituationName[];
  /** The seed of one run that is repeated alone. */
  replay?: number;
}

const options = {
  suite: oneOf('<name>', `One of ${suites.join(', ')}. Default: faults.`, suites, 'suite'),
  runs: whole('<number>', 'How many runs. By default as many as the suite has for its figures.'),
  seed: whole('<number>', 'Where its random numbers begin.', { usual: 1 }),
  replay: whole('<seed>', 'Carries out one run again, alone, with --fault, --operation and --platform as it was printed.'),
  fault: oneOf('<name>', 'Only these faults.', faultNames, 'fault'),
  operation: oneOf('<name>', 'Only these operations.', operationNames, 'operation'),
  platform: oneOf('<name>', 'Only these platforms.', platforms, 'platform'),
  situation: oneOf('<name>', 'Only these situations.', situationNames, 'situation'),
};

export const soak: Command<typeof options> = {
  name: 'npm run soak',
  does: 'books, subscribes and polls while everything goes wrong, and counts what is lost, duplicated or invented. The exit code is 0 if nothing is.',
  options,
  examples: [
    ['npm run soak', 'Every fault, operation and platform.'],
    ['npm run soak -- --suite polls --runs 10', 'Fewer runs of another suite.'],
    ['npm run soak -- --replay 7 --fault reset --operation create --platform n8n', 'One run again, alone.'],
  ],
};

/** The options that were typed, with the suite's usual number of runs if none was given, and everything if nothing was selected. */
export function chosen(values: Values<typeof options>, defaults: Record<Suite, number>): Options {
  const suite = values.suite.at(-1) ?? 'faults';
  const orAll = <Name>(names: Name[], all: readonly Name[]): readonly Name[] => (names.length === 0 ? all : names);
  return {
    suite,
    runs: values.runs ?? defaults[suite],
    seed: values.seed ?? 1,
    faults: orAll(values.fault, faultNames),
    operations: orAll(values.operation, operationNames),
    platforms: orAll(values.platform, platforms),
    situations: orAll(values.situation, situationNames),
    ...(values.replay === undefined ? {} : { replay: values.replay }),
  };
}
