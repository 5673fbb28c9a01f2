import type { ServiceRecord } from '../records/fields.ts';
import { hasValue, isObject, onlyOne } from '../values.ts';
import { fits, keysAt, type Raw, wordsOf } from './shapes.ts';

const people = '(?:{invitee}|{client})s?|guest';

/** What is told under some names alone. */
export const those = (facts: Raw, isOne: (fact: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([fact]) => isOne(fact)));

/** Whether a name is that of somebody who may come. */
export const isPerson = (name: string): boolean => fits(wordsOf(name), people);

/** What shares an envelope with a booking and is about it. */
export const besideIt = (around: Raw): Raw =>
  Object.fromEntries(
    keysAt(around, `${people}|{type}|(?:[a-z_]+_)?(?:answers|responses)`)
      .filter((key) => typeof around[key] === 'object')
      .map((key) => [key, around[key]]),
  );

/** Whether this is the one entry of a list there: then what has it, such as an order, has its customer and its times as well. */
export const isOnlyIn = (raw: Raw, around: Raw): boolean =>
  Object.values(around).some((each) => Array.isArray(each) && each.length === 1 && each[0] === raw);

/** What a booking refers to among the things that its answer includes, each with its id and what is told of it (JSON:API). */
export function relatedTo({ relationships }: Raw, included: unknown): Raw {
  if (!isObject(relationships) || !Array.isArray(included)) return {};
  const related: Record<string, unknown> = {};
  for (const [name, to] of Object.entries(relationships)) {
    const ref = isObject(to) ? onlyOne(to['data']) : undefined;
    const thing = included.filter(isObject).find(({ id, type }) => isObject(ref) && id === ref['id'] && type === ref['type']);
    if (thing !== undefined) related[name] = { ...(isObject(thing['attributes']) && thing['attributes']), id: thing['id'] };
  }
  return related;
}

/** Gives a value that its label does not say a name of its own. */
export function moveAside(record: ServiceRecord, fact: string): void {
  if (hasValue(record[fact])) record[`${fact}_as_sent`] = record[fact];
  delete record[fact];
}
