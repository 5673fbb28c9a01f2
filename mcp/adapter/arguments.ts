import { ServiceError } from '../../shared/client/index.ts';
import { filledIn, type Operation } from '../../shared/operations/index.ts';
import { instantsBetween } from '../../shared/time/index.ts';
import { asText, isBlank, onlyOne } from '../../shared/values.ts';
import type { Caller } from './caller.ts';
import type { Tool } from './tools.ts';

/** The arguments of a call, as a model and its host wrote them. */
export type Args = Readonly<Record<string, unknown>>;

/**
 * Replaces the texts "null", "None" and "undefined", or a list of one, which some hosts write for null. A required argument keeps them,
 * because there they may be a name.
 */
export function withoutNulls({ definition: { inputSchema } }: Tool, given: Args): Args {
  const isNull = (key: string, value: unknown): boolean =>
    /^(?:null|None|undefined)$/.test(asText(onlyOne(value))) && inputSchema.required?.includes(key) !== true;
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, isNull(key, value) ? null : value]));
}

/** The longest arguments: more than anyone enters in a form. Characters. */
const maxGiven = 100_000;

/**
 * Arguments that hosts add to the model's. Their first word shows that they concern the call, its session, or what started or scheduled it.
 */
const isOfHost = (key: string): boolean => /^(?:_|action$|(?:tool|session|chat|task|wait[_-]?for)(?:[_-]|[A-Z]))/.test(key);

/**
 * Refuses unknown arguments. A form ignores them, but a model must be told that they were not used. If a tool has no arguments, hosts write
 * a filler, which is ignored.
 */
export function checkArguments({ definition }: Tool, args: Args, { unread }: Caller): void {
  if (lengthOf(args) > maxGiven) {
    throw new ServiceError('invalid', {
      message: `The arguments are longer than ${maxGiven} characters: nothing was sent.`,
      advice: 'Shorten them and call this again.',
    });
  }
  const known = Object.keys(definition.inputSchema.properties);
  const others = Object.keys(args).filter((key) => !known.includes(key));
  const isUnread = (key: string): boolean => known.length === 0 || isOfHost(key);
  unread(others.filter(isUnread));
  const unknown = others.filter((key) => !isUnread(key)).map((key) => key.slice(0, 80));
  if (unknown.length === 0) return;
  throw new ServiceError('invalid', {
    message: `${definition.name} has no argument ${unknown.map((key) => `"${key}"`).join(', ')}.`,
    advice: `It takes ${known.join(', ')}.`,
  });
}

/** How far two clocks may differ. Milliseconds. */
const clocksDiffer = 15 * 60_000;

/** Refuses a start that has passed in every time zone, because models often take the year or day from their training. Reads are exempt. */
export function checkStart({ effect, input }: Operation, args: Args, now: number): void {
  if (effect === 'read') return;
  const meant = filledIn(input, args);
  const passed = Object.keys(input).find(
    (key) => input[key]?.control === 'dateTime' && instantsBetween(meant[key])[1] < now - clocksDiffer,
  );
  if (passed === undefined) return;
  throw new ServiceError('invalid', {
    message: `The ${passed} ${String(args[passed])} has passed: nothing was sent.`,
    advice: 'Ask for a time in the future.',
  });
}

/** The length of the arguments. Arguments that are nested too deeply to be converted to text count as infinitely long. */
function lengthOf(args: Args): number {
  try {
    return JSON.stringify(args).length;
  } catch {
    return Infinity;
  }
}

/** The arguments that belong to the form. */
export const givenOf = (operation: Operation, args: Args): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(operation.input, key)));

/** The arguments that are not empty. Models write an empty text or null for what they do not want. */
export const fieldsOf = (operation: Operation, args: Args): Record<string, unknown> =>
  Object.fromEntries(Object.entries(givenOf(operation, args)).filter(([, value]) => !isBlank(value)));

/** All text values, joined. */
export const textsOf = (fields: Args): string =>
  Object.values(fields)
    .filter((value) => typeof value === 'string')
    .join(', ');
