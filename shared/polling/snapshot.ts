import type { Hash } from '../webhooks/signature.ts';
import { isBackwards, states, type Compared, type ComparedKind, type Difference, type State } from './eventOfChange.ts';
import { isSweep, type Sweep } from './sweep.ts';
import { isObject } from '../values.ts';

/** Base64 digits for a record's id: 48 bits, so that among accounts of 100,000 records, two records collide in one of 50,000. */
const idDigits = 8;
/** Digits for the compared text: a changed text goes unnoticed once in 16 million times. */
const markDigits = 4;
/** Digits for the update time, in tenths of a second since 1970. */
const timeDigits = 6;
const entryDigits = idDigits + 1 + markDigits + timeDigits;

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Added to the digit of the state if the record was missing from the last sweep. */
const missing = 8;
/** Added to it if the current sweep has already shown the record. */
const swept = 16;

/**
 * If a list of at least this length contains no known record, it belongs to another account. Needed only if the service does not identify
 * the account.
 */
const enoughToTell = 20;

const shortened = (hash: Hash, text: string, length: number): string => hash(text, 'base64url').slice(0, length);

interface Entry {
  state: State;
  isMissing: boolean;
  isSwept: boolean;
  /** The hash of the compared text; empty if it was not shown. */
  mark: string;
  /** The update time, in tenths of a second since 1970. */
  time: number | undefined;
  /** If there is no time: the hash before the last change. */
  before: string;
}

const noMark = '-'.repeat(markDigits);
/** No time begins with these digits until the year 2181. */
const noTime = '--';

const written = ({ state, isMissing, isSwept, mark, time, before }: Entry): string =>
  (digits[states.indexOf(state) + (isMissing ? missing : 0) + (isSwept ? swept : 0)] ?? '') +
  (mark || noMark) +
  (time === undefined ? noTime + (before || noMark) : inDigits(time));

function read(entry: string): Entry {
  const code = digits.indexOf(entry.charAt(0));
  const last = entry.slice(1 + markDigits);
  const isTimed = last.length === timeDigits && !last.startsWith(noTime);
  return {
    state: states[code % missing] ?? 'none',
    isMissing: code % swept >= missing,
    isSwept: code >= swept,
    mark: readMark(entry.slice(1, 1 + markDigits)),
    time: isTimed ? [...last].reduce((sum, digit) => sum * 64 + digits.indexOf(digit), 0) : undefined,
    before: isTimed ? '' : readMark(last.slice(noTime.length)),
  };
}

const readMark = (mark: string): string => (mark === noMark ? '' : mark);

const inDigits = (time: number): string =>
  Array.from({ length: timeDigits }, (_, index) => digits[Math.floor(time / 64 ** (timeDigits - 1 - index)) % 64]).join('');

/**
 * The known state of one list's records, in 19 characters each: a hash of the id, the state, a hash of the compared text, and the update
 * time. It reveals nothing about a person. A record is never forgotten, because it may be missing from only one reading.
 */
export class Snapshot {
  readonly #kind: ComparedKind;
  readonly #hash: Hash;
  /** Keyed by the hash of the id, in the order in which the records were first seen. */
  readonly #entries: Map<string, string>;
  /** The records that this reading has shown. */
  readonly seen = new Set<string>();
  #shared = 0;
  /** Number of records that this reading shows in an older state, because another copy of the service's database responded. */
  outdated = 0;

  constructor(kind: ComparedKind, hash: Hash, entries = new Map<string, string>()) {
    this.#kind = kind;
    this.#hash = hash;
    this.#entries = entries;
  }

  /** Reads a saved text; `undefined` if it is not valid. */
  static read(kind: ComparedKind, hash: Hash, text: unknown): Snapshot | undefined {
    if (typeof text !== 'string' || text.length % entryDigits !== 0 || !/^[\w-]*$/.test(text)) return undefined;
    const entries = new Map<string, string>();
    for (let at = 0; at < text.length; at += entryDigits)
      entries.set(text.slice(at, at + idDigits), text.slice(at + idDigits, at + entryDigits));
    return new Snapshot(kind, hash, entries);
  }

  /**
   * Adds a record of the current reading and returns how it differs. `undefined` if this reading has already shown it, or shows it in an
   * older state.
   */
  compare(id: string, { state, text, updatedAt }: Compared): Omit<Difference, 'needsApproval'> | undefined {
    const key = shortened(this.#hash, id, idDigits);
    if (this.seen.has(key)) return undefined;
    this.seen.add(key);
    const mark = text === '' ? '' : shortened(this.#hash, text, markDigits).replace(/^-/, '_');
    const time = updatedAt === undefined ? undefined : Math.floor(updatedAt / 100);
    const saved = this.#entries.get(key);
    if (saved === undefined) {
      this.#entries.set(key, written({ state, isMissing: false, isSwept: false, mark, time, before: '' }));
      return { isNew: true, was: 'none', is: state, isMoved: false, isEdited: false, isUnsaid: false };
    }
    this.#shared += 1;
    const was = read(saved);
    const isChanged = was.mark !== '' && mark !== '' && was.mark !== mark;
    if (isOlder(was, { state, mark, time })) {
      if (state !== was.state || (mark !== '' && mark !== was.mark)) this.outdated += 1;
      this.#entries.set(key, written({ ...was, isMissing: false }));
      return undefined;
    }
    // The known state is kept if a reading does not show one, or shows a status other than the three, such as a no-show that is later
    // undone.
    const isKept = state === 'none' || (state === 'other' && was.state !== 'none');
    const now = { ...was, state: isKept ? was.state : state, isMissing: false, mark: mark || was.mark };
    const isTimed = time !== undefined && !(isChanged && time === was.time) && (isChanged || was.before === '');
    this.#entries.set(
      key,
      written({ ...now, ...(isTimed ? { time, before: '' } : { time: undefined, before: isChanged ? was.mark : was.before }) }),
    );
    const isUnsaid = isChanged && time !== undefined && time === was.time;
    return {
      isNew: false,
      was: was.state,
      is: now.state,
      isMoved: isChanged && this.#kind === 'booking',
      isEdited: isChanged && this.#kind === 'contact',
      isUnsaid,
    };
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether this reading shows a different account than the known one. */
  get isOfAnother(): boolean {
    return this.#shared === 0 && this.seen.size > 0 && this.#entries.size - this.seen.size >= enoughToTell;
  }

  /**
   * Ends a sweep. Call it after the last or only reading of the sweep.
   *
   * @returns the text to save, and how many records are missing that the last sweep had
   */
  end(): { text: string; missing: number } {
    let count = 0;
    for (const [key, saved] of this.#entries) {
      const { isSwept, ...entry } = read(saved);
      const isLost = !isSwept && !this.seen.has(key) && !entry.isMissing;
      if (isLost) count += 1;
      if (isLost || isSwept) this.#entries.set(key, written({ ...entry, isSwept: false, isMissing: isLost || entry.isMissing }));
    }
    return { text: this.#text(), missing: count };
  }

  /** Pauses a sweep that the next reading continues. Returns the text to save. */
  pause(): string {
    for (const key of this.seen) this.#entries.set(key, written({ ...read(this.#entries.get(key) ?? ''), isSwept: true }));
    return this.#text();
  }

  /**
   * The state to save if changes of some records were not handled: these records keep their earlier state.
   *
   * @returns the text to save
   */
  without(ids: Iterable<string>, before: Snapshot): string {
    for (const id of ids) {
      const key = shortened(this.#hash, id, idDigits);
      const entry = before.#entries.get(key);
      if (entry === undefined) this.#entries.delete(key);
      else this.#entries.set(key, entry);
    }
    return this.#text();
  }

  /** Keeps only the records of this reading: for the first one, or one that shows another account. Returns the text to save. */
  endAnew(): string {
    for (const key of this.#entries.keys()) if (!this.seen.has(key)) this.#entries.delete(key);
    return this.#text();
  }

  #text(): string {
    let text = '';
    for (const [key, entry] of this.#entries) text += key + entry;
    return text;
  }
}

/**
 * Whether a reading shows a record in an older state than the known one. Its update time decides. If that is missing or equal, a status
 * that no booking goes back to shows it, or the start or the data from before the last change. A later status is never old, whatever the
 * clocks of the service's machines say.
 */
function isOlder(was: Entry, now: Pick<Entry, 'state' | 'mark' | 'time'>): boolean {
  if (isBackwards(now.state, was.state)) return false;
  if (now.time !== undefined && was.time !== undefined && now.time !== was.time) return now.time < was.time;
  return isBackwards(was.state, now.state) || (was.before !== '' && was.before === now.mark);
}

/** The version of the saved format. State of any other version is not read, so polling starts over. */
export const version = 1;

/** What is saved between two polls. */
export interface PollState {
  version: number;
  /** Identifies the service, exactly as given. */
  place: string;
  /** A hash of what identifies the account. Absent if the service does not show it. */
  account?: string;
  /** When the first reading began, by the service's clock. Milliseconds since the epoch. */
  since: number;
  /** The wanted events and event types. One that is added later counts from that time. */
  events: string[];
  eventTypes: string[];
  /** The known state of each list's records. */
  lists: { [Kind in ComparedKind]?: string };
  /** How far long lists have been read. */
  sweeps?: { [Kind in ComparedKind]?: Sweep };
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');

export const isPollState = (value: unknown): value is PollState =>
  isObject(value) &&
  value['version'] === version &&
  typeof value['place'] === 'string' &&
  (value['account'] === undefined || typeof value['account'] === 'string') &&
  typeof value['since'] === 'number' &&
  isTexts(value['events']) &&
  isTexts(value['eventTypes']) &&
  isObject(value['lists']) &&
  (value['sweeps'] === undefined || (isObject(value['sweeps']) && Object.values(value['sweeps']).every(isSweep)));

/** Whether the saved state belongs to a poll for other event types, or there is none. */
export const isNewFilter = (stored: unknown, eventTypeIds: readonly string[]): boolean =>
  !isPollState(stored) || String(stored.eventTypes) !== String(eventTypeIds);

/** The known state, unless it belongs to another account. */
export const readPollState = (
  value: unknown,
  { place, account }: { place: string; account?: string | undefined },
): PollState | undefined =>
  isPollState(value) && value.place === place && (account === undefined || value.account === undefined || value.account === account)
    ? value
    : undefined;
