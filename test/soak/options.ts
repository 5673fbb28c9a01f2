import { parseArgs } from 'node:util';
import { faultNames, isFaultName, type FaultName } from './faults/index.ts';
import { situationNames, type SituationName } from './situations/index.ts';
import { operationNames, platforms, type OperationName, type PlatformName } from './operations.ts';

export const suites = [
  'faults',
  'creates',
  'deliveries',
  'kill',
  'limits',
  'mutations',
  'sockets',
  'situations',
  'polls',
  'polls-killed',
  'polls-n8n',
] as const;
export type Suite = (typeof suites)[number];

export interface Options {
  suite: Suite;
  runs: number;
  seed: number;
  faults: readonly FaultName[];
  operations: readonly OperationName[];
  platforms: readonly PlatformName[];
  situations: readonly SituationName[];
  /** The seed of one run to carry out alone. */
  replay?: number;
}

export const usage = `npm run soak -- [--suite <${suites.join('|')}>] [--runs <number>] [--seed <number>] [--fault <name>] [--operation <name>] [--platform <name>] [--situation <name>]
npm run soak -- --replay <seed> --fault <name> --operation <name> --platform <name>`;

/** @throws a sentence for a word that is not known */
export function readOptions(args: readonly string[], defaults: Record<Suite, number>): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      runs: { type: 'string' },
      seed: { type: 'string' },
      replay: { type: 'string' },
      fault: { type: 'string' },
      operation: { type: 'string' },
      platform: { type: 'string' },
      situation: { type: 'string' },
    },
  });
  const suite = oneOf('suite', suites, values.suite) ?? 'faults';
  return {
    suite,
    runs: number('runs', values.runs) ?? defaults[suite],
    seed: number('seed', values.seed) ?? 1,
    faults: values.fault === undefined ? faultNames : values.fault.split(',').map(fault),
    operations:
      values.operation === undefined
        ? operationNames
        : values.operation.split(',').flatMap((name) => oneOf('operation', operationNames, name) ?? []),
    platforms:
      values.platform === undefined ? platforms : values.platform.split(',').flatMap((name) => oneOf('platform', platforms, name) ?? []),
    situations:
      values.situation === undefined
        ? situationNames
        : values.situation.split(',').flatMap((name) => oneOf('situation', situationNames, name) ?? []),
    ...(values.replay !== undefined && { replay: number('replay', values.replay) ?? 1 }),
  };
}

function fault(text: string): FaultName {
  if (isFaultName(text)) return text;
  throw new Error(`There is no fault "${text}". There are: ${faultNames.join(', ')}.`);
}

function oneOf<Name extends string>(what: string, names: readonly Name[], text: string | undefined): Name | undefined {
  if (text === undefined) return undefined;
  const known = names.find((name) => name === text);
  if (known === undefined) throw new Error(`There is no ${what} "${text}". There are: ${names.join(', ')}.`);
  return known;
}

function number(what: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw new Error(`--${what} takes a whole number, not "${text}".`);
  return Number(text);
}
