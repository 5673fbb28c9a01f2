import type { Hash } from '../webhooks/key.ts';
import { comparisons, states, type Compared, type ComparedKind, type Difference } from './difference.ts';

/** Base64 digits for a record's id: 48 bits, so that two of 100,000 records are confused in one of 50,000 accounts. */
const idDigits = 8;
/** Digits for a compared text: a different text looks the same once in 16 million times. */
const markDigits = 4;
const noMark = '-'.repeat(markDigits);

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * A record is forgotten after it was missing from one more reading than this, in a row. A list that shifts while it is read hides a record
 * now and then, but a deleted record must not be kept for ever.
 */
const mostMissed = 7;
/** If a list of this length contains no known record, it belongs to another account. */
const enoughToTell = 20;

const shortened = (hash: Hash, text: string, length: number): string => hash(text, 'base64url').slice(0, length);

/** The hash of a text. An absent text has a value that no hash has. */
const markOf = (hash: Hash, text: string): string => (text === '' ? noMark : shortened(hash, text, markDigits).replace(/^-/, '_'));

/**
 * What is known about the records of one list, in 13 characters for a booking and 17 for a contact: a hash of the id, the state with the
 * number of readings without the record, and hashes of what is compared. It reveals nothing about a person.
 */
export class Known {
  readonly #kind: ComparedKind;
  readonly #hash: Hash;
  /**
   * By the hash of the id: one digit for the state and the missed readings, then the hashes. In the order in which they were first seen.
   */
  readonly #entries: Map<string, string>;
  readonly #seen = new Set<string>();
  /** Whether this reading has shown a record that was known. */
  #isKnown = false;

  private constructor(kind: ComparedKind, hash: Hash, entries: Map<string, string>) {
    this.#kind = kind;
    this.#hash = hash;
    this.#entries = entries;
  }

  static nothing(kind: ComparedKind, hash: Hash): Known {
    return new Known(kind, hash, new Map());
  }

  /** Reads a saved text; `undefined` if it is not a valid one. */
  static read(kind: ComparedKind, hash: Hash, text: unknown): Known | undefined {
    const width = idDigits + 1 + comparisons[kind].texts * markDigits;
    if (typeof text !== 'string' || text.length % width !== 0 || !/^[\w-]*$/.test(text)) return undefined;
    const entries = new Map<string, string>();
    for (let at = 0; at < text.length; at += width) entries.set(text.slice(at, at + idDigits), text.slice(at + idDigits, at + width));
    return new Known(kind, hash, entries);
  }

  /** Adds a record of the current reading and returns how it differs; `undefined` if this reading has already shown it. */
  see(id: string, { state, texts }: Compared): Omit<Difference, 'needsApproval'> | undefined {
    const key = shortened(this.#hash, id, idDigits);
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    const before = this.#entries.get(key);
    const marks = texts.map((text) => markOf(this.#hash, text));
    this.#entries.set(key, `${digits[states.indexOf(state)]}${marks.join('')}`);
    if (before === undefined) return { isNew: true, was: 'none', is: state, isMoved: false, isEdited: false, isUnsaid: false };
    this.#isKnown = true;
    const was = states[digits.indexOf(before.charAt(0)) % 8] ?? 'none';
    return { isNew: false, was, is: state, ...comparisons[this.#kind].tell(textsIn(before.slice(1)), textsIn(marks.join(''))) };
  }

  /** How many records are known. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether this reading shows another account than the known one. */
  get isOfAnother(): boolean {
    return !this.#isKnown && this.#seen.size > 0 && this.#entries.size - this.#seen.size >= enoughToTell;
  }

  /**
   * Call it at the end of the list. Records that were not seen count as missing, and are forgotten after some time. If more are missing
   * than were seen, nothing is counted, because then the service has changed and not its records.
   *
   * @returns the text to save
   */
  end(): string {
    const missing = [...this.#entries.keys()].filter((key) => !this.#seen.has(key));
    if (missing.length <= this.#seen.size) {
      for (const key of missing) {
        const entry = this.#entries.get(key) ?? '';
        const code = digits.indexOf(entry.charAt(0));
        if (code >= 8 * mostMissed) this.#entries.delete(key);
        else this.#entries.set(key, `${digits[code + 8]}${entry.slice(1)}`);
      }
    }
    return this.#text();
  }

  /**
   * The state if changes of some records were not handled: these records keep their earlier state.
   *
   * @returns the text to save
   */
  without(ids: Iterable<string>, before: Known): string {
    for (const id of ids) {
      const key = shortened(this.#hash, id, idDigits);
      const entry = before.#entries.get(key);
      if (entry === undefined) this.#entries.delete(key);
      else this.#entries.set(key, entry);
    }
    return this.#text();
  }

  #text(): string {
    let text = '';
    for (const [key, entry] of this.#entries) text += key + entry;
    return text;
  }

  /** Only the records of this reading: if it was the first, or shows another account. */
  endAnew(): string {
    for (const key of this.#entries.keys()) if (!this.#seen.has(key)) this.#entries.delete(key);
    return this.end();
  }
}

/** The hashes as `tell` reads them: empty if there is none. */
function textsIn(marks: string): string[] {
  const texts: string[] = [];
  for (let at = 0; at < marks.length; at += markDigits) {
    const mark = marks.slice(at, at + markDigits);
    texts.push(mark === noMark ? '' : mark);
  }
  return texts;
}
