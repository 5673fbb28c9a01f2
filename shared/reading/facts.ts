// G3 to G7, G9 and G47: one record under its canonical names.

import { recordTables, type FieldRow, type RecordKind, type ServiceRecord } from '../records/fields.ts';
import { hasValue, idText, isInexact, isObject, onlyOne } from '../values.ts';
import { answersReader } from './answers.ts';
import { factValues, kindInAddress } from './factValues.ts';
import { isHostName, peopleReader } from './people.ts';
import type { Row } from './rows.ts';
import { fits, keysAt, planned } from './shapes.ts';

export type Raw = Readonly<Record<string, unknown>>;

/** A fact that an object may have, and the keys at which its rows look for it. */
interface Place {
  fact: string;
  at: readonly { row: Row; key: string; inside: readonly string[] }[];
}

/** Facts that come from the people in a record. */
const personal: { readonly [Kind in RecordKind]?: readonly string[] } = {
  user: ['name', 'email', 'timezone'],
  booking: ['invitee_name', 'invitee_email', 'invitee_timezone'],
  contact: ['name', 'email', 'timezone', 'phone'],
};

const inviteeFacts = ['name', 'email', 'timezone', 'first_name', 'last_name'] as const;

const unsafe = ['__proto__', 'constructor', 'prototype'];

export const kinds = Object.keys(recordTables) as RecordKind[];
export const byKind = <Value>(make: (kind: RecordKind) => Value) =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<RecordKind, Value>;

/** The rows of each fact of a kind. A field without a row is read under its own name. */
const factRowsOf = (rows: readonly Row[]) =>
  byKind((kind) => {
    const fields: Readonly<Record<string, FieldRow>> = recordTables[kind].fields;
    const own = (fact: string): Row => ({ gap: 'G5', fact, at: fact, value: fields[fact]?.type === 'id' ? 'id' : 'any', who: 'own' });
    return Object.keys(fields)
      .filter((fact) => fields[fact]?.isMade !== true && personal[kind]?.includes(fact) !== true)
      .map((fact) => {
        const those = rows.filter((row) => row.fact === `${kind}.${fact}`);
        return [fact, those.length > 0 ? those : [own(fact)]] as const;
      });
  });

/** Reads the facts of records as a table of forms describes them. */
export class Facts {
  readonly rows: readonly Row[];
  protected readonly people;
  protected readonly ids: Record<RecordKind, readonly string[]>;
  /** The names that an object of a kind may have, and those of what is around it. */
  readonly ownNames: Record<RecordKind, string>;
  readonly envelope: string;
  readonly #answersIn;
  readonly #factRows;
  readonly #idPlans = byKind((kind) => ({ kind }));
  /** Facts whose values must be what their label says. */
  readonly #checked: Record<RecordKind, readonly string[]>;

  constructor(rows: readonly Row[]) {
    const factRows = factRowsOf(rows);
    const placesAt = (fact: string): string =>
      rows
        .filter((row) => row.fact === fact)
        .map(({ at }) => at)
        .join('|') || '-';
    const having = (kind: RecordKind, ...values: string[]): string[] =>
      factRows[kind].filter(([, those]) => those.some(({ value }) => values.includes(value))).map(([fact]) => fact);
    this.rows = rows;
    this.people = peopleReader(rows);
    this.ownNames = byKind((kind) => placesAt(`name.${kind}`));
    this.envelope = placesAt('envelope');
    this.ids = byKind((kind) => having(kind, 'id'));
    this.#answersIn = answersReader(rows);
    this.#factRows = factRows;
    this.#checked = byKind((kind) => {
      const free = having(kind, 'any', 'word', 'id');
      return [...(personal[kind] ?? []), ...factRows[kind].map(([fact]) => fact).filter((fact) => !free.includes(fact))];
    });
  }

  /** Where an object of these names has the facts of a kind. */
  protected placesOf(kind: RecordKind, raw: Raw): readonly Place[] {
    return planned(raw, this.#factRows[kind], ({ names }) =>
      this.#factRows[kind].flatMap(([fact, those]) => {
        const at = those.flatMap((row) => {
          const [first = '', ...inside] = row.at.split('.');
          if (row.beside !== undefined && !names.some(([words]) => words === row.beside)) return [];
          const keys = names.filter(([words]) => fits(words, first) && (inside.length === 0 || !isHostName(words)));
          // Its own name comes before all others.
          keys.sort((one, other) => Number(other[1] === fact) - Number(one[1] === fact));
          return keys.map(([, key]) => ({ row, key, inside }));
        });
        return at.length === 0 ? [] : [{ fact, at }];
      }),
    );
  }

  /** The first usable value of a fact, and the row that has it. */
  protected valueAt(kind: RecordKind, raw: Raw, { fact, at }: Place): { value: unknown; row: Row; key: string } | undefined {
    for (const { row, key, inside } of at) {
      const given = inside.length === 0 ? raw[key] : inside.reduce(step, raw[key]);
      // An own address names the record only if it is about its kind: `/events/E1`, and not `/people/P1`.
      if (row.value === 'ref' && fact === 'id' && !fits(kindInAddress(given), this.ownNames[kind])) continue;
      const value = factValues[row.value]?.(given);
      if (value !== undefined) return { value, row, key };
    }
    return undefined;
  }

  /** Everything that an object tells as a record of a kind. */
  factsOf(kind: RecordKind, raw: Raw): ServiceRecord {
    const told: ServiceRecord = {};
    for (const place of this.placesOf(kind, raw)) {
      const found = this.valueAt(kind, raw, place);
      if (found !== undefined) told[place.fact] = found.value;
    }
    if (kind === 'booking') {
      const invitee = this.people.inviteeOf(raw);
      for (const fact of inviteeFacts) if (invitee[fact] !== undefined) told[`invitee_${fact}`] = invitee[fact];
      const answers = this.#answersIn(raw);
      if (answers !== undefined) told['question_responses'] = answers;
      if (told['previous_start_time'] === told['start_time']) delete told['previous_start_time'];
      // A `name` may be the title.
      if (told['invitee_name'] === told['event_type_name']) delete told['invitee_name'];
    } else if (kind === 'contact' || kind === 'user')
      for (const [fact, value] of Object.entries(this.people.personIn(raw)))
        if (kind === 'contact' || fact in recordTables.user.fields) told[fact] = value;
    return told;
  }

  /**
   * A record with its facts under their canonical names. All that was sent stays. Where a canonical name has a value that its label does not
   * say, such as `end_time: "9:30am"`, that gets a name of its own: `end_time_as_sent`.
   */
  protected named(kind: RecordKind, raw: Raw): ServiceRecord {
    const record: ServiceRecord = { ...raw };
    for (const name of unsafe) if (Object.hasOwn(record, name)) delete record[name];
    const told = this.factsOf(kind, raw);
    for (const fact in told) {
      const [sent, value] = [record[fact], told[fact]];
      if (sent === value) continue;
      if (hasValue(sent) && idText(sent) !== value) record[`${fact}_as_sent`] = sent;
      record[fact] = value;
    }
    if (told['question_responses'] !== undefined && 'answers' in record) moveAside(record, 'answers');
    // An object under a label is what the service made of it, and no value.
    for (const fact of this.#checked[kind])
      if (told[fact] === undefined && hasValue(record[fact]) && typeof record[fact] !== 'object') moveAside(record, fact);
    return record;
  }

  /** What an object tells of a booking's invitee that has the booking inside: its own address says that it is the invitee. */
  protected aboutInvitee(kind: RecordKind, raw: Raw, around: Raw = {}): ServiceRecord {
    const isInvitee =
      kind === 'booking' && this.rows.some(({ fact, at }) => fact === 'around.invitee' && fits(kindInAddress(around['uri']), at));
    if (!isInvitee) return {};
    const { id: _id, status: _status, created_at: _created, updated_at: _updated, ...told } = this.factsOf(kind, around);
    const own = this.factsOf(kind, raw);
    return Object.fromEntries(Object.entries(told).filter(([fact]) => !(fact in own)));
  }

  idOf(kind: RecordKind, raw: Raw): string | undefined {
    const place = planned(raw, this.#idPlans[kind], () => ({ id: this.placesOf(kind, raw).find(({ fact }) => fact === 'id') })).id;
    return place && (this.valueAt(kind, raw, place)?.value as string | undefined);
  }

  /** The field of a value in which an id is a number above 2^53: two bookings might share it, and cancelling one would cancel the other. */
  inexactId(kind: RecordKind, value: unknown): string | undefined {
    if (!isObject(value)) return undefined;
    return this.ids[kind].find((field) => {
      const place = this.placesOf(kind, value).find(({ fact }) => fact === field);
      return (
        place !== undefined &&
        this.valueAt(kind, value, place) === undefined &&
        place.at.some(({ key, inside }) => isInexact(inside.reduce(step, value[key])))
      );
    });
  }

  /** The rows by which an object tells its facts, and the names at which they are: what a probe shows as its evidence. */
  rowsIn(kind: RecordKind, raw: Raw): { row: Row; key: string }[] {
    return this.placesOf(kind, raw).flatMap((place) => this.valueAt(kind, raw, place) ?? []);
  }
}

/** Gives a value that its label does not say a name of its own. */
function moveAside(record: ServiceRecord, fact: string): void {
  if (hasValue(record[fact])) record[`${fact}_as_sent`] = record[fact];
  delete record[fact];
}

const step = (value: unknown, part: string): unknown => {
  const only = onlyOne(value);
  return isObject(only) ? only[keysAt(only, part)[0] ?? ''] : undefined;
};
