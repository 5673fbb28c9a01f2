import { Misuse, readOptions } from '../node/options.ts';
import { formFields, type FormField } from '../../shared/operations/form.ts';
import type { Operation } from '../../shared/operations/define.ts';
import { operations, searches } from '../../shared/operations/displayOrder.ts';
import { zoneFault } from '../../shared/time/index.ts';
import { parsed, quoteValue } from '../../shared/values.ts';
import { placeOf } from '../client/methods.ts';

export type Typed = ReturnType<typeof readCommand>;

const commonOptions = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  limit: { type: 'string' },
  'time-zone': { type: 'string' },
} as const;

/** @throws Misuse if there is no such command */
export function commandFor(group: string, verb = ''): Command {
  const inGroup = commands.filter((command) => command.group === group);
  if (inGroup.length === 0)
    throw new Misuse(
      `"${group.slice(0, 40)}" is not a command. There is ${[...new Set(commands.map((each) => each.group)), 'login', 'status', 'logout', 'listen', 'trigger'].join(', ')}.`,
    );
  const found = inGroup.find((command) => command.verb === verb);
  if (found === undefined) throw new Misuse(`Add what to do with ${group}: ${inGroup.map((command) => command.verb).join(', ')}.`);
  return found;
}

const isList = ({ control }: FormField): boolean => ['events', 'choices', 'answers'].includes(control);

/**
 * Reads the options of a command: each field under its documented name, with dashes.
 *
 * @throws Misuse
 */
export function readCommand(command: Command, args: readonly string[]) {
  const { fields } = command;
  const own = fields.map((field) => {
    const type = field.control === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [dashed(field.key), { type, multiple: isList(field) }] as const;
  });
  const { values, positionals } = readOptions(
    args.map((arg) => arg.replace(/^--[^=]+/, (name) => name.replaceAll('_', '-'))),
    { ...Object.fromEntries(own), ...commonOptions },
  );
  const names = [...own.map(([name]) => name), ...Object.keys(commonOptions)];
  if (positionals.length > 0) throw new Misuse(`Pass each value with its option: ${names.map((name) => `--${name}`).join(', ')}.`);
  const typed = values as Readonly<Record<string, string | boolean | string[] | undefined>>;
  const input = Object.fromEntries(
    fields.flatMap((field) => {
      const value = typed[dashed(field.key)];
      return value === undefined ? [] : [[field.key, valueOf(field, value)]];
    }),
  );
  const { json = false, yes = false, limit, 'time-zone': timeZone } = values;
  const fault = timeZone === undefined ? undefined : zoneFault(timeZone);
  if (fault !== undefined) throw new Misuse(`--time-zone ${fault}: it is ${quoteValue(timeZone)}.`);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) throw new Misuse('--limit takes a whole number from 1.');
  return { command, input, common: { json, yes, limit: limit === undefined ? undefined : Number(limit), timeZone } };
}

function valueOf({ key, control }: FormField, value: string | boolean | string[]): unknown {
  if (!Array.isArray(value)) return value;
  if (control === 'answers') return answersIn(`--${dashed(key)}`, value);
  return value.flatMap((each) => each.split(',')).map((each) => each.trim());
}

/** Answers as JSON, or one by one as `company=Analytical Engines`, because shells on Windows remove the quotes from JSON. */
function answersIn(option: string, typed: readonly string[]): unknown {
  const [first = '', ...more] = typed;
  const json = /^\s*[{[]/.test(first) && more.length === 0 ? parsed(first) : first;
  if (typeof json !== 'string') return json;
  const answers = new Map<string, string>();
  for (const text of typed) {
    const [, question = '', answer = ''] = /^\s*([^\s{[=][^=]*)=(.*)$/s.exec(text) ?? [];
    if (question === '')
      throw new Misuse(`${option} takes an answer, such as ${option} company="Analytical Engines", once for each question, or JSON.`);
    if (answers.has(question)) throw new Misuse(`${option} answers ${question} twice. Join several choices with commas.`);
    answers.set(question, answer);
  }
  return Object.fromEntries(answers);
}

/** A word as commands write it: `eventTypes` and `event_type_id` become `event-types` and `event-type-id`. */
export const dashed = (word: string): string => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

/** A declared operation as a command. */
export interface Command {
  /** The first word of the command, such as `event-types`. */
  group: string;
  /** The second word of the command, such as `list`. */
  verb: string;
  operation: Operation;
  fields: readonly FormField[];
}

/** Every declared operation as a command. A new operation of the core becomes one without changes here. */
export const commands = [...operations, ...searches].map((operation): Command => {
  const { group, method } = placeOf(operation);
  return { group: dashed(group), verb: dashed(method), operation, fields: formFields(operation.input) };
});
