// G2 and G13: finds the record in a response.

import { recordTables, type RecordKind, type RecordOf } from '../records/fields.ts';
import { asText, hasValue, idText, isObject, onlyOne, parsed } from '../values.ts';
import { Facts, kinds } from './facts.ts';
import { isHostName } from './people.ts';
import { type FormRow, mainFacts, rows as table } from './rows.ts';
import { fits, keysAt, type Raw, shapeOf, wordsOf } from './shapes.ts';
import { isKnownStatus } from './status.ts';
import { ofOther } from './times.ts';

/** An object in a response. */
export interface Held {
  raw: Raw;
  /** Whether its name, or that of an object around it, names this kind of record. */
  isNamed: boolean;
  /** Whether its name says that the response is about it: a record's name or an envelope's. */
  isEnclosed: boolean;
  /** Whether such a name has no other words: a `past_booking` may be a different booking. */
  isPlain?: boolean;
  /** The object that contains it. */
  around?: Raw;
}

/** Facts that do not show what kind of record an object is. */
const ofEverything = /^(?:id|status|created_at|updated_at|name|timezone|location|notes|locale|description|meeting_url)$/;

/** Names of objects that never contain the record: earlier states, parts, other pages and bookings, and data about the response. */
const never =
  /^(?:prev|orig|old|former|before|earlier|last|first|next|parent|child|reschedul|replace|related|linked|invoice|payment|membership|recurr|series|subscription|reminder|(?:time_?)?slots?$|availab|wait(?:ing)?_?list|interview_event|block|shift|working_|opening_|included$|links?$|meta|pag|changes?$|diff|history|errors?$)/;

/** Names that may accompany an id of an otherwise unknown kind: versions and dates. */
const plain = /^(?:version|revision|etag|[a-z_]*(?:_at|_on|_date))$/;

/** Types of the work that will create a record, or of tests; they are not records. */
const ofWork = /^(?:job|task|operation|process|workflow|ping|test|error)$/;

/** How deep in a response its record may be. */
export const deepest = 5;

/** Reads responses as a table of forms describes them. */
export class Reader extends Facts {
  /** Whether an object is such a record: it has an id and a main fact of its kind. A payment that names its booking has neither. */
  isMain(kind: RecordKind, raw: Raw, told = this.factsOf(kind, raw)): boolean {
    return ('id' in told || kind === 'user') && mainFacts[kind].some((fact) => fact in told);
  }

  /** Whether an object has facts that only this kind of record has. People do not count: orders and payments have them too. */
  tells(kind: RecordKind, raw: Raw, told = this.factsOf(kind, raw)): boolean {
    return Object.keys(told).some((fact) => !isOfEverything(kind, fact) && !(kind === 'booking' && fact.startsWith('invitee_')));
  }

  /** Whether an object contains a list of such records: a class, or an order, with its bookings. */
  holdsOwn(kind: RecordKind, raw: Raw): boolean {
    if (kind !== 'booking') return false;
    const listsAt = (names: string): Raw[] => keysAt(raw, names).flatMap((key) => [raw[key]].flat().filter(isObject));
    const lines = listsAt('items').filter((each) => 'start_time' in this.factsOf(kind, each));
    return lines.length > 1 || listsAt('{booking}s').some((each) => this.idOf(kind, each) !== undefined);
  }

  /** Whether an object has an id, and nothing contradicts that it is this record. */
  isTerse(kind: RecordKind, { raw, isNamed, isEnclosed }: Held): boolean {
    if (this.idOf(kind, raw) === undefined) return false;
    if (kind === 'booking' && !isNamed && keysAt(raw, ofOther).some((key) => hasValue(raw[key]))) return false;
    const others = kinds.filter((each) => each !== kind);
    const types = keysAt(raw, 'object|type|kind').map((key) => wordsOf(asText(raw[key])));
    const isOfWork = types.some((type) => ofWork.test(type) || others.some((each) => fits(type, this.ownNames[each])));
    const status = keysAt(raw, 'status|state').map((key) => raw[key]);
    if (isOfWork || (kind === 'booking' && status.some((each) => hasValue(each) && !isKnownStatus(each))))
      return this.tells(kind, raw) && !isOfWork;
    if (kind === 'booking' && otherId(raw)) return false;
    if (
      isNamed ||
      this.planOf(kind, shapeOf(raw)).facts.some(
        ({ fact, at }) => !isOfEverything(kind, fact) && at.some(({ key, inside }) => inside.length === 0 && hasValue(raw[key])),
      )
    )
      return true;
    // An object with a booking's status and an invitee is a booking, whatever else it has.
    if (kind === 'booking' && status.some(isKnownStatus) && keysAt(raw, '(?:{invitee}|{client})s?(?:_[a-z_]+)?').length > 0) return true;
    if (isEnclosed) return !others.some((each) => this.tells(each, raw));
    const { id } = this.planOf(kind, shapeOf(raw));
    return shapeOf(raw).names.every(
      ([words, key]) => plain.test(words) || key in recordTables[kind].fields || id?.at.some((place) => place.key === key) === true,
    );
  }

  /** Whether the record, or a list of such records, may be under this name. */
  isEntered(kind: RecordKind, words: string): boolean {
    return !never.test(words) || (kind !== 'booking' && fits(words, this.ownNames[kind]));
  }

  /** Whether an object with an id but no invitee is a part of the object with an id around it: the session that was booked. */
  isPart(kind: RecordKind, { raw, around = {} }: Held): boolean {
    if (kind !== 'booking' || this.idOf(kind, around) === undefined || this.idOf(kind, raw) === undefined) return false;
    // An event with an id contains what it is about.
    if (keysAt(raw, 'event_type').length > 0 && keysAt(raw, this.envelope).some((key) => isObject(raw[key]))) return false;
    return !Object.keys(this.factsOf(kind, raw)).some((fact) => fact.startsWith('invitee_'));
  }

  /** The inner objects that may be or contain the record, and those that are in a list of several. */
  inside(kind: RecordKind, { raw }: Held): { held: Held[]; many: Raw[] } {
    const others = kinds.filter((each) => each !== kind).map((each) => this.ownNames[each]);
    const { names } = shapeOf(raw);
    // The only thing in a response is what it is about; beside other things, a `resource` is a room. A list's entry may also have its URL.
    const isAlone = names.filter(([words]) => !/^(?:full_url|search|cursor)$/.test(words)).length === 1;
    const told = this.factsOf(kind, raw);
    const isOpen = !this.tells(kind, raw, told);
    const id = this.idOf(kind, raw);
    // An object with a booking's status or facts is one, so an inner object with another id is another, unless its name says more. An order
    // may only show who made it.
    const isStated = !isOpen || keysAt(raw, 'status|state').some((key) => isKnownStatus(raw[key]));
    const showsWho = 'invitee_name' in told || 'invitee_email' in told;
    const held: Held[] = [];
    const many: Raw[] = [];
    for (const [words, key] of names) {
      const value = onlyOne(fits(words, `${this.envelope}|message`) ? unpacked(raw[key]) : raw[key]);
      if (typeof value !== 'object' || !this.isEntered(kind, words)) continue;
      const isNamed = fits(words, this.ownNames[kind]);
      // An event without a booking's facts is something that happened to a booking, and may contain it.
      if (kind === 'booking' && /(?:^|_)event$/.test(words) && isObject(value) && !this.tells(kind, value)) {
        held.push(...this.inside(kind, { raw: value, isNamed: false, isEnclosed: false }).held.filter(({ isEnclosed }) => isEnclosed));
        continue;
      }
      const isOnly = Array.isArray(raw[key]) && (id === undefined || 'jsonrpc' in raw) && fits(words, this.at('list.items'));
      const isEnvelope = isOnly || fits(words, this.envelope) || (/^(?:resource|entity)$/.test(words) && isAbout(kind, raw));
      const isOther = !isAlone && (others.some((each) => fits(words, each)) || (kind !== 'user' && isHostName(words)));
      const isPlain = isEnvelope || fits(words, this.at(`name.${kind}`));
      const other = isObject(value) && kind === 'booking' && id !== undefined ? this.idOf(kind, value) : id;
      const isAnother = other !== undefined && other !== id && (isStated || (showsWho && !isNamed));
      if (!isPlain && (isAnother || (!isNamed && (isOther || !isOpen)))) continue;
      // An unknown list that happens to have one entry is still a list: the lines of an order.
      const isLine = Array.isArray(raw[key]) && !isNamed && !isEnvelope && !(isAlone && isOf(kind, words));
      if (isObject(value) && !isLine) held.push({ raw: value, isNamed, isPlain, isEnclosed: isNamed || isEnvelope, around: raw });
      else if (Array.isArray(value)) many.push(...value.filter(isObject));
    }
    return { held, many };
  }

  /**
   * The record in a response, as it was sent: the outermost object with an id and a main fact of its kind, first under known names.
   * Otherwise, an object with only an id, if nothing contradicts it and no inner object shows more. `undefined` if there are several.
   *
   * @param id of the record, if known
   */
  find(kind: RecordKind, body: unknown, id?: string): Held | undefined {
    const raw = onlyOne(body);
    if (!isObject(raw)) return undefined;
    const root: Held = { raw, isNamed: false, isEnclosed: false };
    for (const isAny of [false, true]) {
      let level: Held[] = [root];
      let isMany = false;
      for (let depth = 0; level.length > 0 && depth < deepest; depth += 1) {
        const sure = level.filter((each) => this.isMain(kind, each.raw) && !this.holdsOwn(kind, each.raw));
        const [only, ...more] = sure.length === 1 ? sure : sure.filter(({ isPlain }) => isPlain);
        if (sure.length > 0) return more.length === 0 ? only : undefined;
        const next = level.map((each) => this.inside(kind, each));
        isMany ||= next.some(({ many }) => many.some((each) => this.isMain(kind, each)));
        level = next.flatMap(({ held }) => held.filter((each) => each.isEnclosed || (isAny && !this.isPart(kind, each))));
      }
      if (isMany) return undefined;
    }
    return this.terseIn(kind, root, id);
  }

  tellsInside = (kind: RecordKind, held: Held, depth = 0): boolean =>
    this.tells(kind, held.raw) || (depth < deepest && this.inside(kind, held).held.some((each) => this.tellsInside(kind, each, depth + 1)));

  /** The object whose id may be all that is shown of a record. If an inner object shows more, the id is that of something else. */
  terseIn(kind: RecordKind, held: Held, id: string | undefined, depth = 0): Held | undefined {
    const { held: within, many } = this.inside(kind, held);
    if (many.some((each) => this.isMain(kind, each))) return undefined;
    const deeper = depth < deepest ? within.filter((each) => each.isEnclosed).map((each) => this.terseIn(kind, each, id, depth + 1)) : [];
    const named = deeper.find((each) => each?.isNamed === true);
    if (named !== undefined) return named;
    const hasMore = !this.tells(kind, held.raw) && within.some((each) => this.tellsInside(kind, each));
    const own = this.idOf(kind, held.raw);
    // A record that was requested by its ID is the response's record, whatever else it shows: some services have a second ID for it.
    const isIt = id !== undefined && own === id;
    const isAsked = isIt || (id !== undefined && own !== undefined && held.isEnclosed);
    if ((isIt || !hasMore) && !this.holdsOwn(kind, held.raw) && (isAsked || this.isTerse(kind, held))) return held;
    return deeper.find((each) => each !== undefined);
  }

  /** One record under its canonical names; `undefined` if there is none, or an id in it cannot be used. */
  read<Kind extends RecordKind>(kind: Kind, { raw, around }: Partial<Held> = {}): RecordOf[Kind] | undefined {
    if (raw === undefined || this.ids[kind].some((field) => typeof raw[field] === 'number' && idText(raw[field]) === undefined))
      return undefined;
    if (this.inexactId(kind, raw) !== undefined) return undefined;
    const record = this.named(kind, raw, this.factsWith(kind, raw, around));
    const isKnown = idText(record['id']) !== undefined || (kind === 'user' && hasValue(record['email']));
    return isKnown ? (record as RecordOf[Kind]) : undefined;
  }

  /**
   * A record in a list, where one bad record must not hide the others. If its own id is missing or unusable, it is empty, so that nobody
   * can act on the wrong record; other unusable ids are left out. `undefined` if the item is not an object.
   */
  readListed<Kind extends RecordKind>(kind: Kind, item: unknown, included?: unknown): RecordOf[Kind] | undefined {
    if (!isObject(item)) return undefined;
    if (this.isOwn(kind, item)) return { ...(item as RecordOf[Kind]) };
    const told = this.factsOf(kind, item);
    const isRecord = this.isMain(kind, item, told) || this.tells(kind, item, told);
    const { raw, around } = (isRecord ? undefined : this.find(kind, item)) ?? { raw: item };
    const isWhole = raw === item && included === undefined;
    const record = this.named(kind, raw, isWhole ? told : this.factsWith(kind, raw, { ...around, included }));
    for (const field of this.ids[kind]) if (idText(record[field]) === undefined) delete record[field];
    return { ...record, id: (!this.holdsOwn(kind, raw) && idText(record['id'])) || '' };
  }
}

/** Whether an object says that it is about such a record: `type: "appointment.updated"`. */
export const isAbout = (kind: RecordKind, raw: Raw, at = '(?:event|webhook|entity|resource|object)_type|type|topic|event'): boolean =>
  keysAt(raw, at).some((key) => isOf(kind, wordsOf(asText(raw[key]))));

/** Whether a name contains a word for such a record. */
const isOf = (kind: RecordKind, words: string): boolean =>
  kind === 'booking' && fits(words, '(?:[a-z_]+_)?(?:{booking}|{occasion}|event_occurrence)s?(?:_[a-z_]+)?');

/** Parses JSON in a text, which some services send (Amazon SNS), also in base64 (Pub/Sub). */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const isPacked = value.length % 4 === 0 && /^ey[A-Za-z\d+/]+={0,2}$/.test(value);
  const text = isPacked ? new TextDecoder().decode(Uint8Array.from(atob(value), (each) => each.charCodeAt(0))) : value;
  return /^\s*[[{]/.test(text) ? parsed(text) : value;
}

/** Whether an object has two ids: with an `id` and another `booking_id`, it is only about that booking. */
const otherId = (raw: Raw): boolean => {
  const [id, other] = ['id', '(?:booking|appointment)_id'].map((at) => keysAt(raw, at).map((key) => raw[key])[0]);
  return hasValue(id) && hasValue(other) && id !== other;
};

const isOfEverything = (kind: RecordKind, fact: string): boolean => ofEverything.test(fact) && !mainFacts[kind].includes(fact);

export const createReader = (rows: readonly FormRow[]): Reader => new Reader(rows);

/** The reader for the service. */
export const reader = createReader(table);
