import { parseArgs } from 'node:util';
import { commands, dashed, nearest, type Command } from './commands.ts';

/** A mistake on the command line, with what to type instead. */
export class Misuse extends Error {}

/** Options that every command has. */
export interface Common {
  json: boolean;
  yes: boolean;
  limit: number | undefined;
  timeZone: string | undefined;
}

export interface Typed {
  command: Command;
  input: Record<string, unknown>;
  common: Common;
}

/** Options whose values would stay in the shell's history and the process list. */
const secrets = ['client-secret', 'client-id', 'token', 'access-token', 'refresh-token', 'secret', 'signing-secret', 'password'];

const commonOptions = {
  json: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  limit: { type: 'string' },
  'time-zone': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** @throws Misuse if there is no such command */
export function commandFor(group: string, verb: string | undefined): Command {
  const inGroup = commands.filter((command) => command.group === group);
  if (inGroup.length === 0)
    throw misspelt('command', group, [...new Set(commands.map((command) => command.group)), 'login', 'logout', 'listen']);
  const verbs = inGroup.map((command) => command.verb);
  if (verb === undefined) throw new Misuse(`Add what to do with ${group}: ${verbs.join(', ')}.`);
  return inGroup.find((command) => command.verb === verb) ?? fail(misspelt(`command of ${group}`, verb, verbs));
}

/**
 * Reads the options of a command: each field under its documented name, with dashes.
 *
 * @throws Misuse that names the option but never its value, which may be a secret
 */
export function readCommand(command: Command, args: readonly string[]): Typed {
  const names = new Map(command.fields.map((field) => [dashed(field.key), field]));
  const { values, positionals, tokens } = parseArgs({
    args: args.map((arg) => arg.replace(/^--[^=]+/, (name) => name.replaceAll('_', '-'))),
    options: {
      ...commonOptions,
      ...Object.fromEntries([...names.keys()].map((name) => [name, { type: 'string', multiple: true } as const])),
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const known = [...Object.keys(commonOptions), ...names.keys()];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!known.includes(token.name)) throw unknownOption(token.name, known, command);
    const takesValue = !(token.name === 'json' || token.name === 'yes' || token.name === 'help');
    if (takesValue && lacksValue(token))
      throw new Misuse(`--${token.name} needs a value, such as --${token.name} ${exampleOf(names.get(token.name)?.example)}.`);
  }
  if (positionals.length > 0) throw new Misuse(`Pass each value with its option: ${known.map((name) => `--${name}`).join(', ')}.`);
  const input: Record<string, unknown> = {};
  for (const [name, field] of names) {
    const given = values[name] as string[] | undefined;
    if (given !== undefined) input[field.key] = valueOf(name, field.control, given);
  }
  return { command, input, common: commonOf(values) };
}

/** Whether an option has no value, or the next option in its place. */
export const lacksValue = ({ value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined }): boolean =>
  value === undefined || (inlineValue === false && value.startsWith('--'));

const exampleOf = (example: string | undefined): string =>
  example === undefined ? '<value>' : example.includes(' ') ? `"${example}"` : example;

function valueOf(name: string, control: string, given: readonly string[]): unknown {
  const [first = '', ...more] = given;
  if (control === 'events' || control === 'choices') return given.flatMap((each) => each.split(',')).map((each) => each.trim());
  if (more.length > 0) throw new Misuse(`--${name} was given ${given.length} times; it takes one value.`);
  if (control !== 'answers') return first;
  try {
    return JSON.parse(first) as unknown;
  } catch {
    throw new Misuse(`--${name} takes JSON, such as --${name} '{"company": "Analytical Engines"}'.`);
  }
}

function commonOf(values: Readonly<Record<string, unknown>>): Common {
  const { limit, json, yes, 'time-zone': timeZone } = values;
  if (limit !== undefined && !(typeof limit === 'string' && /^[1-9]\d{0,8}$/.test(limit)))
    throw new Misuse('--limit takes a whole number from 1.');
  return {
    json: json === true,
    yes: yes === true,
    limit: limit === undefined ? undefined : Number(limit),
    timeZone: typeof timeZone === 'string' ? timeZone : undefined,
  };
}

function unknownOption(name: string, known: readonly string[], { group, verb }: Command): Misuse {
  if (secrets.includes(name))
    return new Misuse(
      `--${name} does not exist, because others can read secrets on the command line. Set it in the environment, or let \`login\` ask for it; see --help.`,
    );
  const near = nearest(name, known);
  return new Misuse(
    `${group} ${verb} has no option --${name}. ${near === undefined ? `It has ${known.map((each) => `--${each}`).join(', ')}.` : `Did you mean --${near}?`}`,
  );
}

function misspelt(what: string, word: string, names: readonly string[]): Misuse {
  const near = nearest(word, names);
  return new Misuse(
    `"${word.slice(0, 40)}" is no ${what}. ${near === undefined ? `There is ${names.join(', ')}.` : `Did you mean "${near}"?`}`,
  );
}

function fail(error: Error): never {
  throw error;
}
