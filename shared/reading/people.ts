import { asText, hasValue, isObject } from '../values.ts';
import { factValues, none, type Read } from './factValues.ts';
import type { FormRow } from './rows.ts';
import { beginningsAt, fits, isBeside, keysAt, planned, type Raw, type Shape, shapeOf, valueIn, wordsOf } from './shapes.ts';

const facts = ['name', 'first_name', 'last_name', 'email', 'timezone', 'phone'] as const;

/** One person's facts. */
export type Person = { [Fact in (typeof facts)[number]]?: string };

const parts: readonly string[] = ['first_name', 'last_name'];

/** Names of a booking's people who are not its invitee, and of what belongs to them. */
const hosts =
  /^(?:hosts?|organi[sz]ers?|owners?|assign[a-z_]*|staff|coach|providers?|practitioners?|employees?|agents?|teams?|team_members?|members?|users?|resources?|calendars?|locations?|company|business|account)(?:_|$|e?mail)/;
/** Names of whoever made the booking: its invitee or a host. */
const makers = /^(?:creators?|[a-z_]+_by)(?:_|$)/;
/** Flags that mark a host among other people. */
const hostMarks = /^(?:is_)?(?:host|organi[sz]er|owner|self|resource|room)$/;
/** Hosts that may be a firm, whose name may also be a person's. */
const firms = /^(?:company|business|account|location)/;
const roles = /^(?:participant_)?(?:roles?|type|kind)$/;
/** Roles of the invitee among people of all kinds. */
const invited = /^(?:invitee|attendee|guest|customer|client|patient|contact|lead|candidate|student)s?$/;

/** Names that say that somebody else is the invitee, even without showing who. */
const elsewhere = '(?:{invitee}|{client})s?(?:_(?:id|key|uuid))?';

/** The endings of names that hold several facts of a person. */
const ofDetails = 's?(?:_details|_info(?:rmation)?|_data|_reference|_id)?';

export const isHostName = (words: string): boolean => hosts.test(words) || makers.test(words);

/** Whether a list is of other people, or of other things beside records. */
export const isOfOthers = (words: string): boolean =>
  isHostName(words) || /^(?:(?:[a-z]+_)?guests|participants|tags|reminders|add_?ons)$/.test(words);

/** The keys with a person's facts in an object, all with one prefix. */
interface Flat {
  at: readonly { fact: keyof Person; read: Read; key: string; inside: readonly string[] }[];
  /** A `name` beside a `surname` is a given name. */
  isGiven: boolean;
}

/** The rows of each fact about people. */
type Places = readonly { fact: keyof Person; those: readonly FormRow[] }[];

/** Where an object has the facts of a person whose keys begin with a prefix. */
function flatIn(places: Places, { names }: Shape, prefix: string, without?: string): Flat {
  const before = prefix === '' ? '' : `${prefix}_`;
  const at = places.flatMap(({ fact, those }) =>
    those.flatMap((row) => {
      const [first = '', ...inside] = row.at.split('.');
      const keys = row.value === without ? [] : names.filter(([name]) => name.startsWith(before) && fits(name.slice(before.length), first));
      // A fact's own name comes before all others.
      keys.sort(([one], [other]) => Number(other === before + fact) - Number(one === before + fact));
      return keys.map(([, key]) => ({ fact, read: factValues[row.value] ?? none, key, inside }));
    }),
  );
  const hasParts = parts.every((part) => at.some(({ fact, inside }) => fact === part && inside.length === 0));
  const isGiven = !hasParts && names.some(([name]) => name === `${before}surname`);
  const those = at.filter(({ fact, inside }) => hasParts || isGiven || inside.length > 0 || !parts.includes(fact));
  return { at: those, isGiven };
}

/** Reads people as the table describes them. */
export function peopleReader(rows: readonly FormRow[]) {
  const places = facts.map((fact) => ({ fact, those: rows.filter((row) => row.fact === `person.${fact}`) }));
  const those = rows.filter(({ fact }) => fact === 'booking.invitee');
  const wordsFor = (kind: string): Set<string> => new Set(those.filter(({ value }) => value === kind).map(({ at }) => at));
  /** Words that may name a thing (a person only with an address), that may name a host, and that are invitees only in that role. */
  const [addressed, ofAnybody, ofAll] = [wordsFor('addressed'), wordsFor('anybody'), wordsFor('invited')];
  const words = those.filter(({ value }) => value !== 'alone').map(({ at }) => at);
  /** Words for the invitee if nobody else is shown. Some mean a host elsewhere, but not beside whoever serves them. */
  const aloneIn = (shape: Shape): string =>
    those.flatMap((row) => (row.value === 'alone' && isBeside(row, shape) ? row.at : [])).join('|') || '-';
  /** These words come after the person at the top. */
  const later = words.slice(words.indexOf(''));
  /** The keys under which this reader's plans are cached. */
  const [inBookings, persons] = [{}, {}];

  const flatPlan = (shape: Shape, prefix: string, without?: string): Flat => flatIn(places, shape, prefix, without);

  /** The names under which a booking shows people: those of its invitee, and its hosts. */
  const planOf = (shape: Shape) =>
    planned(shape, inBookings, ({ names }, lone = aloneIn(shape)) => ({
      those: words
        .filter((word) => word !== '')
        .flatMap((word) =>
          beginningsAt(names, word).map((as) => ({ word, keys: keysOf(names, `${as}${ofDetails}`), flat: flatPlan(shape, as) })),
        )
        .filter(({ keys, flat }) => keys.length > 0 || flat.at.length > 0),
      atTop: words.includes('') ? flatPlan(shape, '', 'emails') : undefined,
      lone: keysOf(names, lone),
      loneFlats: beginningsAt(names, lone).map((as) => flatPlan(shape, as)),
      elsewhere: keysOf(names, elsewhere),
      hosts: names
        .filter(([name]) => hosts.test(name) && !fits(name, `owner_patron|(?:${lone})(?:_[a-z_]+)?`))
        .map(([name, key]) => ({ key, isFirm: firms.test(name) })),
      makers: names.filter(([name]) => makers.test(name)).map(([, key]) => ({ key, isFirm: false })),
    }));

  /** An object as a person. */
  const personIn = (holder: Raw): Person =>
    personAt(
      holder,
      planned(shapeOf(holder), persons, (shape) => flatPlan(shape, '')),
    );

  /** The same, if names repeat the word for the person: `customer_first_name` in a `customer`. */
  function personUnder(word: string, each: Raw, person = ofAnybody.has(word) ? personWithin(each) : personIn(each)): Person {
    const [flat] = planned(shapeOf(each), `in ${word}`, (shape) => beginningsAt(shape.names, word).map((as) => flatPlan(shape, as)));
    return isKnown(person) || flat === undefined ? person : personAt(each, flat);
  }

  /** The same for somebody in a booking, whose facts may be in an inner object. */
  function personWithin(each: Raw): Person {
    const [inner] = isKnown(personIn(each)) ? [] : keysAt(each, 'user|person|profile').map((key) => each[key]);
    return personIn(isObject(inner) ? inner : each);
  }

  /** A booking's invitee. If one place shows several people, nobody is certainly the invitee. */
  function inviteeOf(record: Raw, shape = shapeOf(record)): Person {
    const plan = planOf(shape);
    const [others = [], made = []] = [plan.hosts, plan.makers].map((those) =>
      those.flatMap(({ key, isFirm }) => [record[key]].flat().map((each) => personOf(each, isFirm))),
    );
    const isOf = (person: Person, those: readonly Person[]): boolean => those.some((each) => isSame(person, each));
    const isHost = (word: string, person: Person, each?: Raw): boolean =>
      (each !== undefined && isMarked(each)) || (ofAnybody.has(word) && isOf(person, others));
    const top = plan.atTop === undefined ? {} : personAt(record, plan.atTop);
    const isAtTop = isPerson(top) && !isOf(top, others);
    const isElsewhere = plan.elsewhere.some((key) => hasValue(record[key]));
    let isSeveral = false;
    for (const { word, keys, flat: at } of plan.those) {
      if ((isAtTop || isElsewhere) && later.includes(word)) continue;
      const flat = personAt(record, at);
      const shown = keys
        .flatMap((key) => [membersIn(record[key])].flat())
        .filter(isObject)
        .map(asMember)
        .filter((each) => !ofAll.has(word) || hasRole(each, invited));
      const people = shown
        .map((each) => ({ each, person: personUnder(word, each) }))
        .filter(({ each, person }) => !isHost(word, person, each));
      // Of several people, the one who made the booking is probably the host.
      const few = people.length > 1 ? people.filter(({ person }) => !isOf(person, made)) : people;
      const inRole = few.every(({ each }) => hasRole(each, /./)) ? few.filter(({ each }) => hasRole(each, invited)) : [];
      const first = inRole.length > 1 ? inRole.filter(({ each }) => !hasRole(each, /^guests?$/)) : inRole;
      const guests = first.length === 1 ? first : few;
      if (guests.length > 1 && !isKnown(flat)) {
        if (guests.some(({ person }) => isKnown(person))) return {};
        isSeveral = true;
      }
      const [only] = guests.length === 1 ? guests : [];
      const person = only === undefined || differ(flat, only.person) ? flat : { ...only.person, ...flat };
      if (isKnown(person) && (person.email !== undefined || !addressed.has(word)))
        return isHost(word, person) ? {} : { ...zoneIn(record, plan.those), ...person };
    }
    if (plan.atTop === undefined || isSeveral) return {};
    // A name at the top may be a title. It is a person's if it has no number and an address beside it, or if it comes in two parts.
    const { name, ...rest } = top;
    const person: Person = name === undefined || (/\d/.test(name) && rest.first_name === undefined) ? rest : { ...rest, name };
    if (isPerson(person)) return isHost('', person) ? {} : person;
    // The only person shown, if not a host.
    const lone = plan.lone.flatMap((key) => [record[key]].flat().filter(isObject));
    const [only, ...more] = [
      ...lone.filter((each) => !isMarked(each)).map(personWithin),
      ...plan.loneFlats.map((flat) => personAt(record, flat)),
    ]
      .filter(isKnown)
      .filter((person) => !isOf(person, [...others, ...made]))
      .filter((person, at, all) => !isOf(person, all.slice(0, at)));
    return only === undefined || more.length > 0 || isElsewhere ? {} : only;
  }

  /** Somebody beside a booking's invitee. A firm's name is not used: it may equal an invitee's. */
  const personOf = (value: unknown, isFirm: boolean): Person => {
    const said = typeof value === 'string' ? (value.includes('@') ? { email: value } : { name: value }) : {};
    const { name, email } = isObject(value) ? personIn(value) : said;
    return { ...(name !== undefined && !isFirm && { name }), ...(email !== undefined && { email }) };
  };

  return { personIn, inviteeOf, lone: [...wordsFor('alone')].join('|') || '-' };
}

const keysOf = (names: Shape['names'], at: string): string[] => names.filter(([name]) => fits(name, at)).map(([, key]) => key);

/** A time zone whose name says that it is the invitee's, even if no name or address is shown with it. */
const zoneIn = (record: Raw, those: readonly { word: string; flat: Flat }[]): Person => {
  const zones = those
    .filter(({ word }) => word !== 'contact')
    .map(({ flat }) => personAt(record, flat))
    .filter((each) => !isKnown(each));
  const timezone = zones.find((each) => each.timezone !== undefined)?.timezone;
  return timezone === undefined ? {} : { timezone };
};

/** People in an object by their ids, each with roles (JSCalendar). */
const membersIn = (value: unknown): unknown =>
  isObject(value) && Object.values(value).every((each) => isObject(each) && isObject(each['roles'])) ? Object.values(value) : value;

/** A participant of an appointment (FHIR): the reference says whether it is a patient. */
function asMember(each: Raw): Raw {
  const { actor } = each;
  return isObject(actor) ? { ...each, role: asText(actor['reference']).split('/')[0], name: actor['display'] } : each;
}

/** Whether one of several people is marked as a host. */
const isMarked = (each: Raw): boolean =>
  hasRole(each, hosts) || shapeOf(each).names.some(([name, key]) => hostMarks.test(name) && each[key] === true);

const hasRole = (each: Raw, words: RegExp): boolean =>
  shapeOf(each).names.some(([name, key]) => {
    const said = isObject(each[key]) ? Object.entries(each[key]).flatMap(([role, is]) => is === true && role) : [each[key]];
    return roles.test(name) && said.some((role) => typeof role === 'string' && words.test(wordsOf(role)));
  });

const isPerson = ({ email, first_name: first, last_name: last }: Person): boolean =>
  email !== undefined || (first !== undefined && last !== undefined);

const isKnown = ({ name, email }: Person): boolean => name !== undefined || email !== undefined;

/** Whether two are the same person: by their addresses or, if either has none, by their names. */
const isSame = (one: Person, other: Person): boolean => {
  const [by, and] = one.email !== undefined && other.email !== undefined ? [one.email, other.email] : [one.name, other.name];
  return by !== undefined && by.toLowerCase() === and?.toLowerCase();
};

const differ = (one: Person, other: Person): boolean =>
  one.email !== undefined && other.email !== undefined && one.email.toLowerCase() !== other.email.toLowerCase();

/** The primary one of a person's addresses or numbers, or else the first. */
const mainOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? (value.find((each) => isObject(each) && (each['primary'] === true || each['is_primary'] === true)) ?? value[0])
    : value;

function personAt(holder: Raw, { at, isGiven }: Flat): Person {
  const person: Person = {};
  for (const { fact, read, key, inside } of at) {
    if (person[fact] !== undefined) continue;
    const value = read(inside.length === 0 ? holder[key] : valueIn(mainOf(holder[key]), inside));
    if (value !== undefined) person[fact] = value as string;
  }
  if (!isGiven) return inParts(person);
  const { last_name: surname, ...rest } = person;
  return surname === undefined || rest.name === undefined ? rest : { ...rest, name: `${rest.name} ${surname}` };
}

/** A first and last name count more than a single `name`, which may be a login. One of the two alone is not the person's full name. */
function inParts({ name, first_name: first, last_name: last, ...person }: Person): Person {
  const parts = [first, last].filter(hasValue);
  const isSame = name !== undefined && parts.every((part) => name.includes(part ?? ''));
  const whole = parts.length === 2 && !isSame ? parts.join(' ') : (name ?? parts.join(' '));
  if (whole === '') return person;
  return { ...person, name: whole, ...(parts.length === 2 && { first_name: first ?? '', last_name: last ?? '' }) };
}
