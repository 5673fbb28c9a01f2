import { Misuse, nearest, readOptions, type OptionSpec, type TypedOptions } from '../node/options.ts';
import { formFields, type FormField } from '../../shared/operations/form.ts';
import type { Operation } from '../../shared/operations/define.ts';
import { operations, searches } from '../../shared/operations/all.ts';
import { placeOf } from '../client/methods.ts';

export type Typed = ReturnType<typeof readCommand>;

/** Options whose values would stay in the shell's history and the process list. */
const secrets = ['client-secret', 'client-id', 'token', 'access-token', 'refresh-token', 'secret', 'signing-secret', 'password'];

const commonOptions: Readonly<Record<string, OptionSpec>> = {
  json: {},
  yes: {},
  limit: { value: '10' },
  'time-zone': { value: 'Europe/Berlin' },
  help: { short: 'h' },
};

/** @throws Misuse if there is no such command */
export function commandFor(group: string, verb: string | undefined): Command {
  const inGroup = commands.filter((command) => command.group === group);
  if (inGroup.length === 0)
    throw misspelt('command', group, [...new Set(commands.map((command) => command.group)), 'login', 'status', 'logout', 'listen']);
  const verbs = inGroup.map((command) => command.verb);
  if (verb === undefined) throw new Misuse(`Add what to do with ${group}: ${verbs.join(', ')}.`);
  const found = inGroup.find((command) => command.verb === verb);
  if (found === undefined) throw misspelt(`command of ${group}`, verb, verbs);
  return found;
}

/**
 * Reads the options of a command: each field under its documented name, with dashes.
 *
 * @throws Misuse that names the option but never its value, which may be a secret
 */
export function readCommand(command: Command, args: readonly string[]) {
  const names = new Map(command.fields.map((field) => [dashed(field.key), field]));
  const specs: Record<string, OptionSpec> = { ...commonOptions };
  for (const [name, { example, control }] of names)
    specs[name] = control === 'boolean' ? {} : { value: exampleOf(example), multiple: isList(control) };
  const known = [...new Set([...names.keys(), ...Object.keys(commonOptions)])].map((name) => `--${name}`).join(', ');
  const { values, words } = readOptions(
    args.map((arg) => arg.replace(/^--[^=]+/, (name) => name.replaceAll('_', '-'))),
    specs,
    (name, near) => unknownOption(name, near, known, command),
  );
  if (words.length > 0) throw new Misuse(bareValue(command, values, known));
  const input: Record<string, unknown> = {};
  for (const [name, field] of names) {
    const typed = values.get(name);
    if (typed !== undefined) input[field.key] = valueOf(name, field.control, typed);
  }
  return { command, input, common: commonOf(values) };
}

const isList = (control: string): boolean => control === 'events' || control === 'choices';

const exampleOf = (example: string | undefined): string =>
  example === undefined ? '<value>' : example.includes(' ') ? `"${example}"` : example;

function valueOf(name: string, control: string, values: readonly string[]): unknown {
  const [first = ''] = values;
  if (control === 'boolean') return true;
  if (isList(control)) return values.flatMap((each) => each.split(',')).map((each) => each.trim());
  if (control !== 'answers') return first;
  try {
    return JSON.parse(first) as unknown;
  } catch {
    throw new Misuse(`--${name} takes JSON, such as --${name} '{"company": "Analytical Engines"}'.`);
  }
}

/** The options that every command has. */
function commonOf(values: TypedOptions['values']) {
  const [limit, timeZone] = [values.get('limit')?.[0], values.get('time-zone')?.[0]];
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) throw new Misuse('--limit takes a whole number from 1.');
  return { json: values.has('json'), yes: values.has('yes'), limit: limit === undefined ? undefined : Number(limit), timeZone };
}

function unknownOption(name: string, near: string | undefined, known: string, { group, verb }: Command): string {
  if (secrets.includes(name))
    return `--${name} does not exist, because others can read secrets on the command line. Set it in the environment, or let \`login\` ask for it; see --help.`;
  return `${group} ${verb} has no option --${name}. ${near === undefined ? `It has ${known}.` : `Did you mean --${near}?`}`;
}

/** A value without an option probably belongs to the one that is missing. */
function bareValue({ group, verb, fields }: Command, typed: TypedOptions['values'], known: string): string {
  const [missing, ...more] = fields.filter(({ key, required }) => required && !typed.has(dashed(key)));
  return missing === undefined || more.length > 0
    ? `Pass each value with its option: ${known}.`
    : `${group} ${verb} takes each value with its option. Put --${dashed(missing.key)} before it.`;
}

function misspelt(what: string, word: string, names: readonly string[]): Misuse {
  const near = nearest(word, names);
  return new Misuse(
    `"${word.slice(0, 40)}" is no ${what}. ${near === undefined ? `There is ${names.join(', ')}.` : `Did you mean "${near}"?`}`,
  );
}

/** A word as commands write it: `eventTypes` and `event_type_id` become `event-types` and `event-type-id`. */
export const dashed = (word: string): string => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

/** A declared operation as a command. */
export interface Command {
  /** What is typed first, such as `event-types`. */
  group: string;
  /** What is typed next, such as `list`. */
  verb: string;
  operation: Operation;
  fields: readonly FormField[];
}

/** Every declared operation as a command: a new operation of the core becomes one. */
export const commands = [...operations, ...searches].map((operation): Command => {
  const { group, method } = placeOf(operation);
  return { group: dashed(group), verb: dashed(method), operation, fields: formFields(operation.input) };
});
