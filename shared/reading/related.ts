import type { ServiceRecord } from '../records/fields.ts';
import { hasValue, isObject, onlyOne } from '../values.ts';
import { fits, keysAt, type Raw, wordsOf } from './shapes.ts';

const people = '(?:{invitee}|{client})s?|guest';

/** The facts with certain names. */
export const those = (facts: Raw, isOne: (fact: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([fact]) => isOne(fact)));

/** Whether a name is a word for an invitee. */
export const isPerson = (name: string): boolean => fits(wordsOf(name), people);

/** The objects in a booking's envelope that are about it. */
export const besideIt = (around: Raw): Raw =>
  Object.fromEntries(
    keysAt(around, `${people}|{type}|(?:[a-z_]+_)?(?:answers|responses)`)
      .filter((key) => typeof around[key] === 'object')
      .map((key) => [key, around[key]]),
  );

/** Whether this is the only entry of a list there: the object around it, such as an order, then shows its customer and times too. */
export const isOnlyIn = (raw: Raw, around: Raw): boolean =>
  Object.values(around).some((each) => Array.isArray(each) && each.length === 1 && each[0] === raw);

/** The included objects to which a booking refers, each with its id and attributes (JSON:API). */
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

/** Renames a value that does not fit its label: `end_time` becomes `end_time_as_sent`. */
export function moveAside(record: ServiceRecord, fact: string): void {
  if (hasValue(record[fact])) record[`${fact}_as_sent`] = record[fact];
  delete record[fact];
}
