// G3 to G7, G9 and G47: reads one record under its canonical names.

import { recordTables, type FieldRow, type RecordKind, type ServiceRecord } from '../records/fields.ts';
import { asText, hasValue, idText, isInexact, isObject, onlyOne } from '../values.ts';
import { answersReader } from './answers.ts';
import { factValues, inZoneBeside, kindInAddress, none, onDay, type Read } from './factValues.ts';
import { isHostName, peopleReader } from './people.ts';
import { type FormRow, mainFacts } from './rows.ts';
import { besideIt, isOnlyIn, isPerson, moveAside, relatedTo, those } from './related.ts';
import { saysOfBooking } from './status.ts';
import { soleTime, timesWithin } from './times.ts';
import { fits, isBeside, keysAt, later, planned, type Raw, type Shape, shapeOf, valueIn, wordsOf } from './shapes.ts';

/** One place where a row looks for its fact. */
interface Place {
  row: FormRow;
  read: Read;
  key: string;
  inside: readonly string[];
}

/** A fact that an object may have, and where its rows look for it. */
interface Fact {
  fact: string;
  at: readonly Place[];
}

/** How objects with certain names are read as a kind of record. */
interface NamesPlan {
  facts: readonly Fact[];
  id: Fact | undefined;
  /** Its canonical names whose values must be what their labels say. */
  checked: readonly string[];
  /** Its names that could change a prototype. */
  unsafe: readonly string[];
  /** The readers of its values, if all its names are canonical. */
  own: readonly Read[] | undefined;
}

/** Facts that come from people in a record, with the name first. */
const personal: { readonly [Kind in RecordKind]?: readonly string[] } = {
  user: ['name', 'email', 'timezone'],
  booking: ['invitee_name', 'invitee_email', 'invitee_timezone'],
  contact: ['name', 'email', 'timezone', 'phone'],
};

const inviteeFacts = ['name', 'email', 'timezone', 'first_name', 'last_name'] as const;

const unsafe = ['__proto__', 'constructor', 'prototype'];
const valueOf: Readonly<Record<string, string>> = { id: 'id', datetime: 'time' };

export const kinds = Object.keys(recordTables) as RecordKind[];
/** Computes a value for each kind when it is first needed: most programs read one or two kinds. */
const byKind = <Value>(make: (kind: RecordKind) => Value): Record<RecordKind, Value> => {
  const get = (kind: RecordKind) => ({ enumerable: true, get: later(() => make(kind)) });
  return Object.defineProperties({}, Object.fromEntries(kinds.map((kind) => [kind, get(kind)]))) as Record<RecordKind, Value>;
};

/** The canonical names of a kind, with readers of their values. In a booking, an object or a text with "@" may be a person. */
function ownNamesOf(rows: readonly FormRow[], kind: RecordKind): Map<string, Read> {
  const fields: Readonly<Record<string, FieldRow>> = recordTables[kind].fields;
  const sent = Object.keys(fields).filter((fact) => fields[fact]?.isMade !== true);
  const isPlain: Read = (value) => (isObject(value) || Array.isArray(value) || asText(value).includes('@') ? undefined : value);
  return new Map(
    sent.map((fact) => {
      const isTheirs = personal[kind]?.includes(fact) === true;
      const name = isTheirs ? `person.${fact.replace('invitee_', '')}` : `${kind}.${fact}`;
      const row = rows.find((each) => each.fact === name);
      const read = factValues[row?.value ?? 'any'] ?? none;
      if (kind !== 'booking' || ![factValues['any'], factValues['word']].includes(read)) return [fact, read];
      return [fact, fact === 'question_responses' ? (value) => (isObject(value) ? value : undefined) : isPlain];
    }),
  );
}

/** The rows of each fact of a kind. A field without a row is read under its own name. */
function factRowsOf(rows: readonly FormRow[], kind: RecordKind) {
  const fields: Readonly<Record<string, FieldRow>> = recordTables[kind].fields;
  return Object.keys(fields)
    .filter((fact) => fields[fact]?.isMade !== true && personal[kind]?.includes(fact) !== true)
    .map((fact) => {
      // Computed once and not for each row, because it delays loading of the package.
      const name = `${kind}.${fact}`;
      const those = rows.filter((row) => row.fact === name);
      const own: FormRow = { gap: 'G5', fact, at: fact, value: valueOf[fields[fact]?.type ?? ''] ?? 'any', who: 'own' };
      return { fact, those: those.length > 0 ? those : [own] };
    });
}

/** Reads the facts of records as a table of forms describes them. */
export class Facts {
  readonly rows: readonly FormRow[];
  /** The names that a record of a kind may have, and those of the objects around it. */
  readonly ownNames: Record<RecordKind, string>;
  readonly envelope: string;
  protected readonly ids: Record<RecordKind, readonly string[]>;
  readonly #people;
  readonly #answers;
  readonly #factRows;
  readonly #at = new Map<string, string>();
  readonly #own;
  /** Facts whose values must be what their labels say. */
  readonly #checked: Record<RecordKind, readonly string[]>;

  constructor(rows: readonly FormRow[]) {
    const factRows = byKind((kind) => factRowsOf(rows, kind));
    const having = (kind: RecordKind, ...values: string[]): string[] =>
      factRows[kind].filter(({ those }) => those.some(({ value }) => values.includes(value))).map(({ fact }) => fact);
    this.rows = rows;
    this.ownNames = byKind((kind) => `${this.at(`name.${kind}`)}|${this.at(`qualified.${kind}`)}`);
    this.envelope = this.at('envelope');
    this.ids = byKind((kind) => having(kind, 'id'));
    this.#people = later(() => peopleReader(rows));
    this.#answers = later(() => answersReader(rows));
    this.#factRows = factRows;
    this.#own = byKind((kind) => ownNamesOf(rows, kind));
    this.#checked = byKind((kind) => {
      const free = having(kind, 'any', 'word', 'id');
      return [...(personal[kind] ?? []), ...factRows[kind].map(({ fact }) => fact).filter((fact) => !free.includes(fact))];
    });
  }

  /** The places of a fact's rows, as one expression. */
  protected at(fact: string): string {
    if (!this.#at.has(fact)) this.#at.set(fact, this.rows.flatMap((row) => (row.fact === fact ? row.at : [])).join('|') || '-');
    return this.#at.get(fact) ?? '-';
  }

  /** Where an object with these names has the facts of a kind. */
  protected planOf(kind: RecordKind, shape: Shape): NamesPlan {
    return planned(shape, this.#factRows[kind], ({ keys, names }) => {
      const placesOf = (row: FormRow): Place[] => {
        const [first = '', ...inside] = row.at.split('.');
        if (!isBeside(row, shape)) return [];
        const own = names.filter(([words]) => fits(words, first) && (inside.length === 0 || words === 'location' || !isHostName(words)));
        return own.map(([, key]) => ({ row, read: factValues[row.value] ?? none, key, inside }));
      };
      const facts = this.#factRows[kind]
        .map(({ fact, those }) => {
          // A fact's own name comes before all other names that fit a row.
          const isOwn = ({ key }: Place): number => Number(key === fact);
          return { fact, at: those.flatMap((row) => placesOf(row).sort((one, other) => isOwn(other) - isOwn(one))) };
        })
        .filter(({ at }) => at.length > 0);
      return {
        facts,
        id: facts.find(({ fact }) => fact === 'id'),
        checked: this.#checked[kind].filter((fact) => keys.includes(fact)),
        unsafe: unsafe.filter((name) => keys.includes(name)),
        own: keys.every((key) => this.#own[kind].has(key)) ? keys.map((key) => this.#own[kind].get(key) ?? none) : undefined,
      };
    });
  }

  #valueAt(kind: RecordKind, raw: Raw, fact: string, { row, read, key, inside }: Place): unknown {
    const given = inside.length === 0 ? raw[key] : valueIn(raw[key], inside);
    // A record's address contains its id only if the address is of its kind: `/events/E1`, not `/people/P1`.
    if (row.value === 'day') return onDay(given, raw, row.beside ?? '-');
    if (row.value === 'local') return inZoneBeside(asText(read(given)), raw) || undefined;
    return row.value === 'ref' && fact === 'id' && !fits(kindInAddress(given), this.ownNames[kind]) ? undefined : read(given);
  }

  /** The first usable value of a fact. */
  #valueOf(kind: RecordKind, raw: Raw, { fact, at }: Fact): unknown {
    for (const place of at) {
      const value = this.#valueAt(kind, raw, fact, place);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** All facts of an object as a record of a kind. Without any, they may be in an inner object, such as `attributes` (JSON:API). */
  factsOf(kind: RecordKind, raw: Raw): ServiceRecord {
    const told = this.#told(kind, raw);
    const isOpen = !mainFacts[kind].some((fact) => fact in told) && !('end_time' in told);
    const isShown = told['invitee_name'] !== undefined || told['invitee_email'] !== undefined;
    const around = kind === 'booking' && (isOpen || !isShown) ? timesWithin(raw, this.at('within.booking')) : [];
    const holders = isOpen ? [...keysAt(raw, this.at('inside')), ...around] : around;
    // If an object says that it is of another type, its inner objects do not count.
    const isOther = asText(raw['type']) !== '' && !fits(wordsOf(asText(raw['type'])), `${this.ownNames[kind]}|${this.at(`type.${kind}`)}`);
    const inside = isOther ? [] : holders.map((key) => this.#lineIn(kind, raw, key)).filter(isObject);
    const all = inside.length === 0 ? told : this.#told(kind, Object.assign({}, ...inside, raw) as Raw);
    // An object with times of its own takes only the invitee from its inner objects.
    return isOpen ? all : { ...those(all, (fact) => fact.startsWith('invitee_')), ...told };
  }

  /** An inner object, or the only line of an order: that line's time is the order's. */
  #lineIn(kind: RecordKind, raw: Raw, key: string): unknown {
    const inside = onlyOne(raw[key]);
    const isLine = keysAt(raw, 'order_number').length > 0 && isObject(inside) && 'start_time' in this.#told(kind, inside);
    return Array.isArray(raw[key]) && !isLine ? undefined : inside;
  }

  #told(kind: RecordKind, raw: Raw): ServiceRecord {
    const shape = shapeOf(raw);
    const told: ServiceRecord = {};
    for (const fact of this.planOf(kind, shape).facts) {
      const value = this.#valueOf(kind, raw, fact);
      if (value !== undefined) told[fact.fact] = value;
    }
    if (kind === 'booking') {
      const invitee = this.#people().inviteeOf(raw, shape);
      for (const fact of inviteeFacts) if (invitee[fact] !== undefined) told[`invitee_${fact}`] = invitee[fact];
      const answers = this.#answers()(raw, shape);
      if (answers !== undefined) told['question_responses'] = answers;
      Object.assign(told, soleTime(raw, told, this.at('booking.sole')));
      if (told['previous_start_time'] === told['start_time']) delete told['previous_start_time'];
      // A `name` may be the booking's title.
      if (told['invitee_name'] === told['event_type_name']) delete told['invitee_name'];
    } else if (kind === 'contact' || kind === 'user')
      for (const [fact, value] of Object.entries(this.#people().personIn(raw)))
        if (kind === 'contact' || fact in recordTables.user.fields) told[fact] = value;
    return told;
  }

  /** Whether a record only has canonical names, with empty values or those that their labels say: it needs no further reading. */
  protected isOwn(kind: RecordKind, raw: Raw): boolean {
    const { own } = this.planOf(kind, shapeOf(raw));
    if (own === undefined || !hasValue(raw['id'])) return false;
    const values = Object.values(raw);
    for (let at = 0; at < own.length; at += 1) {
      const value = values[at];
      if (value !== null && value !== '' && own[at]?.(value) !== value) return false;
    }
    return kind !== 'booking' || (raw['invitee_name'] !== raw['event_type_name'] && raw['previous_start_time'] !== raw['start_time']);
  }

  /**
   * A record with its facts under their canonical names. Everything that was sent stays. A value that does not fit the label of its
   * canonical name, such as `end_time: "9:30am"`, moves to another name: `end_time_as_sent`.
   */
  protected named(kind: RecordKind, raw: Raw, told = this.factsOf(kind, raw)): ServiceRecord {
    const { checked, unsafe: names } = this.planOf(kind, shapeOf(raw));
    const record: ServiceRecord = { ...raw };
    for (const name of names) delete record[name];
    for (const fact in told) {
      const [sent, value] = [raw[fact], told[fact]];
      if (sent === value) continue;
      if (hasValue(sent) && idText(sent) !== value) record[`${fact}_as_sent`] = sent;
      record[fact] = value;
    }
    if (told['question_responses'] !== undefined && 'answers' in record) moveAside(record, 'answers');
    // An object under a canonical name is the service's structure, so it stays. A text that is a person's name stays too, even an address
    // or a number: elsewhere, it may be a login.
    for (const fact of checked) {
      const [value, type] = [record[fact], typeof record[fact]];
      const isName = type === 'string' && fact === personal[kind]?.[0];
      if (told[fact] === undefined && hasValue(value) && type !== 'object' && !isName) moveAside(record, fact);
    }
    return record;
  }

  /**
   * A booking's facts, with those of its invitee and event type that the objects around it show. These are the invitee (known by its own
   * address), things in the same envelope, and things to which the booking refers by id (JSON:API).
   */
  protected factsWith(kind: RecordKind, raw: Raw, around: Raw = {}): ServiceRecord {
    if (kind !== 'booking' || around === raw) return this.factsOf(kind, raw);
    const isInvitee = this.rows.some(({ fact, at }) => fact === 'around.invitee' && fits(kindInAddress(around['uri']), at));
    const isOther = this.idOf(kind, around) !== undefined;
    const isItsOnly = isOther && isOnlyIn(raw, around);
    const beside = isInvitee || (isOther && !isItsOnly) ? {} : besideIt(around);
    const related = Object.entries({ ...beside, ...relatedTo(raw, around['included']) });
    // A person in the booking itself is the invitee, unless the word for them only counts when nobody else is shown.
    const others = isInvitee || related.some(([name]) => isPerson(name)) ? keysAt(raw, this.#people().lone) : [];
    const inside = Object.fromEntries(Object.entries(raw).filter(([name]) => !others.includes(name)));
    const told = this.factsOf(kind, inside);
    const about = related.filter(([name]) => !isPerson(name) || !('invitee_name' in told || 'invitee_email' in told));
    const own = about.length === 0 ? told : this.factsOf(kind, { ...Object.fromEntries(about), ...inside });
    const { id: _id, status, created_at: _created, updated_at: _updated, ...theirs } = this.factsOf(kind, around);
    if (isItsOnly && !('start_time' in own) && !('end_time' in own))
      return { ...those(theirs, (fact) => /^(?:start|end)_time$/.test(fact)), ...own };
    if (!isInvitee) return !isOther && !('status' in own) && saysOfBooking(status) ? { ...own, status } : own;
    return { ...theirs, ...those(own, (fact) => !(fact in theirs) || !fact.startsWith('invitee_')) };
  }

  idOf(kind: RecordKind, raw: Raw): string | undefined {
    const { id } = this.planOf(kind, shapeOf(raw));
    return id && (this.#valueOf(kind, raw, id) as string | undefined);
  }

  /** The field with an id above 2^53, which cannot be exact: two bookings might share it, and cancelling one would cancel the other. */
  inexactId(kind: RecordKind, value: unknown): string | undefined {
    if (!isObject(value)) return undefined;
    return this.planOf(kind, shapeOf(value)).facts.find(
      (each) =>
        this.ids[kind].includes(each.fact) &&
        this.#valueOf(kind, value, each) === undefined &&
        each.at.some(({ key, inside }) => isInexact(valueIn(value[key], inside))),
    )?.fact;
  }

  /** The rows that find an object's facts, and the keys where they do: the evidence that the probe shows. */
  rowsIn(kind: RecordKind, raw: Raw): { row: FormRow; key: string }[] {
    return this.planOf(kind, shapeOf(raw)).facts.flatMap(
      ({ fact, at }) => at.find((place) => this.#valueAt(kind, raw, fact, place) !== undefined) ?? [],
    );
  }
}
