import { ServiceError } from '../../shared/client/index.ts';
import { filledIn, type Operation } from '../../shared/operations/index.ts';
import { instantsBetween } from '../../shared/time/index.ts';
import { asText, isBlank, onlyOne } from '../../shared/values.ts';
import type { Caller } from './caller.ts';
import type { Tool } from './tools.ts';

/** The arguments of a call, as a model and its host wrote them. */
export type Args = Readonly<Record<string, unknown>>;

/** Some hosts write null as a word of their language, or as a list of it. In a required argument it may be a name. */
export function withoutNulls({ definition: { inputSchema } }: Tool, given: Args): Args {
  const isNull = (key: string, value: unknown): boolean =>
    /^(?:null|None|undefined)$/.test(asText(onlyOne(value))) && inputSchema.required?.includes(key) !== true;
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, isNull(key, value) ? null : value]));
}

/** More than anyone enters in a form. Characters. */
const maxGiven = 100_000;

/** Arguments that hosts add to those of the model: by their first word, they are about its call, its session, or what began or orders it. */
const isOfHost = (key: string): boolean => /^(?:_|action$|(?:tool|session|chat|task|wait[_-]?for)(?:[_-]|[A-Z]))/.test(key);

/** A form ignores unknown arguments, but a model must be told that they were not used. Where there are none, hosts write a filler. */
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

/** A model often takes the year or the day from its training: a start that has passed in every time zone is not asked for. */
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

/** The arguments without empty ones: models write an empty text, or null, for what they do not want. */
export const fieldsOf = (operation: Operation, args: Args): Record<string, unknown> =>
  Object.fromEntries(Object.entries(givenOf(operation, args)).filter(([, value]) => !isBlank(value)));

/** What was given as text. */
export const textsOf = (fields: Args): string =>
  Object.values(fields)
    .filter((value) => typeof value === 'string')
    .join(', ');
