import type { Hash } from '../webhooks/signed.ts';
import { comparisons, states, type Compared, type ComparedKind, type Difference } from './difference.ts';

/** Digits of base64 that stand for a record's id: 48 bits, by which two of 100,000 records are mixed up once in 50,000 accounts. */
const idDigits = 8;
/** Digits that stand for a text that is compared: another text looks the same once in 16 million times. */
const markDigits = 4;
const noMark = '-'.repeat(markDigits);

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * So many whole readings in a row may lack a record before it is forgotten. A list that moves while it is read hides one now and
 * then; what is really gone must not be kept for ever.
 */
const mostMissed = 7;
/** A list so long of which nothing is known again is another account's. */
const enoughToTell = 20;

const shortened = (hash: Hash, text: string, length: number): string => hash(text, 'base64url').slice(0, length);

/** The mark of a text; one that is not there has a mark that no text has. */
const markOf = (hash: Hash, text: string): string => (text === '' ? noMark : shortened(hash, text, markDigits).replace(/^-/, '_'));

/**
 * What is known of the records of one list, in thirteen letters for a booking and seventeen for a contact: a hash of the id,
 * the state with how often the record was missed, and hashes of what is compared. Nothing of a person can be read from it.
 */
export class Known {
  readonly #kind: ComparedKind;
  readonly #hash: Hash;
  /** By the hash of the id: a digit for state and misses, then the marks. In the order in which they were first seen. */
  readonly #entries: Map<string, string>;
  readonly #seen = new Set<string>();
  readonly #before: string;
  #again = 0;

  private constructor(kind: ComparedKind, hash: Hash, entries: Map<string, string>, before: string) {
    this.#kind = kind;
    this.#hash = hash;
    this.#entries = entries;
    this.#before = before;
  }

  static nothing(kind: ComparedKind, hash: Hash): Known {
    return new Known(kind, hash, new Map(), '');
  }

  /** What a text holds that an earlier reading ended with; `undefined` where it is none. */
  static read(kind: ComparedKind, hash: Hash, text: unknown): Known | undefined {
    const width = idDigits + 1 + comparisons[kind].texts * markDigits;
    if (typeof text !== 'string' || text.length % width !== 0 || !/^[\w-]*$/.test(text)) return undefined;
    const entries = new Map<string, string>();
    for (let at = 0; at < text.length; at += width) entries.set(text.slice(at, at + idDigits), text.slice(at + idDigits, at + width));
    return new Known(kind, hash, entries, text);
  }

  /** Sees a record of the reading that is under way, and tells what differs; `undefined` where this reading has shown it before. */
  see(id: string, { state, texts }: Compared): Omit<Difference, 'needsApproval'> | undefined {
    const key = shortened(this.#hash, id, idDigits);
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    const before = this.#entries.get(key);
    const marks = texts.map((text) => markOf(this.#hash, text));
    this.#entries.set(key, `${digits[states.indexOf(state)]}${marks.join('')}`);
    if (before === undefined) return { isNew: true, was: 'none', is: state, isMoved: false, isEdited: false, isUnsaid: false };
    this.#again += 1;
    const was = states[digits.indexOf(before.charAt(0)) % 8] ?? 'none';
    return { isNew: false, was, is: state, ...comparisons[this.#kind].tell(textsIn(before.slice(1)), textsIn(marks.join(''))) };
  }

  /** How many records are known. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether this reading shows another account than what is known is of. */
  get isOfAnother(): boolean {
    return this.#again === 0 && this.#seen.size > 0 && this.#entries.size - this.#seen.size >= enoughToTell;
  }

  /**
   * The reading has come to the end of the list. What it lacks is counted as missed, and forgotten in time; not where more is
   * missing than is there, for then the reading says more of the service than of its records.
   *
   * @returns what is known now; the same text as before where nothing is new
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
    const text = this.#text();
    return text === this.#before ? this.#before : text;
  }

  /**
   * What is known where nobody took what was shown of some records: of these, what was known before.
   *
   * @returns the text to keep
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

  /** What only this reading showed: where it began anew, or is of another account. */
  endAnew(): string {
    for (const key of this.#entries.keys()) if (!this.#seen.has(key)) this.#entries.delete(key);
    return this.end();
  }
}

/** The marks as `tell` reads them: empty where there is none. */
function textsIn(marks: string): string[] {
  const texts: string[] = [];
  for (let at = 0; at < marks.length; at += markDigits) {
    const mark = marks.slice(at, at + markDigits);
    texts.push(mark === noMark ? '' : mark);
  }
  return texts;
}
