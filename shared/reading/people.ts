import { hasValue, isObject, onlyOne } from '../values.ts';
import type { Row } from './rows.ts';
import { factValues } from './factValues.ts';
import { fits, keysAt, planned, shapeOf, wordsOf } from './shapes.ts';

/** What is known about one person. */
export interface Person {
  name?: string;
  first_name?: string;
  last_name?: string;
  email?: string;
  timezone?: string;
  phone?: string;
}

type PersonFact = keyof Person;
const facts: readonly PersonFact[] = ['name', 'first_name', 'last_name', 'email', 'timezone', 'phone'];

/** People of a booking who are not its invitee, and what belongs to them ... */
const hosts =
  /^(?:hosts?|organi[sz]ers?|owners?|creators?|[a-z]+_by|assign[a-z_]*|staff|coach|providers?|practitioners?|employees?|agents?|teams?|team_members?|members?|users?|resources?|calendars?|locations?|company|business|account)(?:_|$)/;
/** ... and what marks one among others. */
const hostMarks = /^(?:is_)?(?:host|organi[sz]er|owner|self)$/;
const hostRoles = /^(?:role|type|kind)$/;

/** Reads people as the table describes them. */
export function peopleReader(rows: readonly Row[]) {
  const places = Object.fromEntries(facts.map((fact) => [fact, rows.filter((row) => row.fact === `person.${fact}`)])) as unknown as Record<
    PersonFact,
    readonly Row[]
  >;
  const words = rows.filter(({ fact }) => fact === 'booking.invitee').map(({ at }) => at);

  /** What is planned for an object's names, by this reader and for these words before them. */
  const plans: Record<string, object> = {};

  /** The names under which an object shows a person, by the words before them. */
  const flatPlan = (holder: object, prefix: string) =>
    planned(holder, (plans[prefix] ??= { prefix }), (shape) => {
      const before = prefix === '' ? '' : `${prefix}_`;
      const at = facts.flatMap((fact) =>
        places[fact].map((row) => {
          const [first = '', ...inside] = row.at.split('.');
          const keys = shape.names.filter(([name]) => name.startsWith(before) && fits(name.slice(before.length), first));
          // Its own name comes before all others.
          keys.sort((one, other) => Number(other[0] === before + fact) - Number(one[0] === before + fact));
          return { fact, value: row.value, keys: keys.map(([, key]) => key), inside };
        }),
      );
      const found = at.filter(({ keys }) => keys.length > 0);
      return { found, hasParts: ['first_name', 'last_name'].every((part) => found.some(({ fact }) => fact === part)) };
    });

  /** The person that an object is, or that it shows behind a prefix. */
  function personIn(holder: Readonly<Record<string, unknown>>, prefix = ''): Person {
    const { found, hasParts } = flatPlan(holder, prefix);
    if (found.length === 0) return {};
    const person: Record<string, unknown> = {};
    for (const { fact, value, keys, inside } of found)
      for (const key of keys) {
        if (person[fact] !== undefined) continue;
        const given = inside.length === 0 ? holder[key] : inside.reduce(step, holder[key]);
        const read = factValues[value]?.(given);
        if (read !== undefined) person[fact] = read;
      }
    return named(person, hasParts);
  }

  /** The invitee of a booking. Of several people in one place, nobody is certainly the invitee. */
  function inviteeOf(record: Readonly<Record<string, unknown>>): Person {
    const those = planned(record, words, (shape) =>
      words
        .filter((word) => word !== '')
        .map((word) => ({
          word,
          keys: shape.names.filter(([name]) => fits(name, `${word}s?(?:_details|_info)?`)).map(([, key]) => key),
          isFlat: shape.names.some(([name]) => name.startsWith(`${word}_`)),
        }))
        .filter(({ keys, isFlat }) => keys.length > 0 || isFlat),
    );
    for (const { word, keys, isFlat } of those) {
      const flat = isFlat ? personIn(record, word) : {};
      const shown = keys.flatMap((key) => [record[key]].flat()).filter(isObject);
      const guests = shown.map((each) => ({ each, person: personIn(each) })).filter(({ each, person }) => !isHost(record, each, person));
      if (guests.length > 1 && !isKnown(flat)) return {};
      const [only] = guests.length === 1 ? guests : [];
      const person = only === undefined || differ(flat, only.person) ? flat : { ...only.person, ...flat };
      if (isKnown(person)) return isHost(record, {}, person) ? {} : person;
    }
    return words.includes('') ? atTop(record) : {};
  }

  /** A name at the top may be a title: only beside an address, or in two parts, it is a person's. */
  function atTop(record: Readonly<Record<string, unknown>>): Person {
    const person = personIn(record);
    const isPerson = person.email !== undefined || (person.first_name !== undefined && person.last_name !== undefined);
    return isPerson && !isHost(record, {}, person) ? person : {};
  }

  /** Whether somebody in a booking is its host, by a mark, or by the address that it shows for the host. */
  function isHost(record: Readonly<Record<string, unknown>>, each: Readonly<Record<string, unknown>>, { email }: Person): boolean {
    const isMarked = shapeOf(each).names.some(
      ([name, key]) =>
        (hostMarks.test(name) && each[key] === true) ||
        (hostRoles.test(name) && typeof each[key] === 'string' && hosts.test(wordsOf(each[key]))),
    );
    return isMarked || (email !== undefined && hostAddresses(record).includes(email.toLowerCase()));
  }

  const hostAddresses = (record: Readonly<Record<string, unknown>>): string[] =>
    planned(record, 'hosts', (shape) => shape.names.filter(([name]) => hosts.test(name)).map(([, key]) => key)).flatMap((key) =>
      [record[key]].flat().flatMap((value) => {
        const email = isObject(value) ? personIn(value).email : value;
        return typeof email === 'string' && email.includes('@') ? email.toLowerCase() : [];
      }),
    );

  return { personIn, inviteeOf };
}

const step = (value: unknown, part: string): unknown => {
  const only = onlyOne(value);
  return isObject(only) ? only[keysAt(only, part)[0] ?? ''] : undefined;
};

export const isHostName = (words: string): boolean => hosts.test(words);

export const isKnown = ({ name, email }: Person): boolean => name !== undefined || email !== undefined;

const differ = (one: Person, other: Person): boolean =>
  one.email !== undefined && other.email !== undefined && one.email.toLowerCase() !== other.email.toLowerCase();

/** A name of which both parts are there says more than another one, which may be a login. One part of two is no name. */
function named({ name, first_name: first, last_name: last, ...person }: Person, hasParts: boolean): Person {
  if (!hasParts) return name === undefined ? person : { ...person, name };
  const parts = [first, last].filter(hasValue);
  const isSame = name !== undefined && parts.every((part) => name.includes(part ?? ''));
  const whole = parts.length === 2 && !isSame ? parts.join(' ') : (name ?? parts.join(' '));
  if (whole === '') return person;
  return { ...person, name: whole, ...(parts.length === 2 && { first_name: first ?? '', last_name: last ?? '' }) };
}
