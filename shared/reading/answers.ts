import { asText, isObject, onlyOne } from '../values.ts';
import type { FormRow } from './rows.ts';
import { isOfOthers } from './people.ts';
import { keysAt, shapeOf, wordsOf } from './shapes.ts';

/** An invitee's answers, keyed by question. */
type Answers = Record<string, unknown>;

/** Names of lists whose entries are answers even if they only have a name and a value. Elsewhere, such pairs may be prices. */
const aboutAnswers = /(?:^|_)(?:answers?|questions?|forms?|fields|field_values|responses?|submissions?)$/;

/** Names of objects in which programs keep their own ids and flags beside answers. */
const ofProgram = /(?:^|_)(?:custom_fields|form_data)$/;
/** Keys of such ids and of tracking data. They are single words, whereas a question to a person has several. */
const kept = /^(?:utm_\w+|\w*clid|(?:\w+_)?(?:id|token|hash|agent|ip)|referrer|source)$/;

/** An answer is text, a list of texts, a number or a boolean. An object is something else. */
const isAnswer = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'));

/** Reads answers as the table describes them: question-answer pairs, known by their shape, or an object of answers, known by its name. */
export function answersReader(rows: readonly FormRow[]) {
  const at = (fact: string): string[] => rows.filter((row) => row.fact === fact).map((row) => row.at);
  const [questions, answers, holders] = [at('pair.question'), at('pair.answer'), at('booking.answers')];
  const valueAt = (entry: Record<string, unknown>, names: readonly string[]): unknown =>
    entry[names.flatMap((each) => keysAt(entry, each))[0] ?? ''];
  function pairsIn(value: unknown, words: string, depth: number): [string, unknown][] {
    if (!Array.isArray(value)) return [];
    return value.filter(isObject).flatMap((entry): [string, unknown][] => {
      const isNamed = 'question' in entry || aboutAnswers.test(words);
      const [asked, given] = [asText(valueAt(entry, questions)), valueAt(entry, answers)];
      if (isNamed && asked !== '' && isAnswer(given)) return [[asked, given]];
      if (depth === 0 || !aboutAnswers.test(words)) return [];
      return shapeOf(entry).names.flatMap(([name, key]) =>
        name === 'values' || aboutAnswers.test(name) ? pairsIn(entry[key], words, depth - 1) : [],
      );
    });
  }

  function objectIn(value: unknown, words: string): [string, unknown][] {
    if (!isObject(value)) return [];
    // A single pair may come without a list around it.
    const pair = pairsIn([value], words, 0);
    if (pair.length > 0) return pair;
    return Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
      if (ofProgram.test(words) && !/\W/.test(key) && (kept.test(wordsOf(key)) || typeof each !== 'string')) return [];
      if (isAnswer(each)) return [[key, each]];
      return isObject(each) && isAnswer(each['value']) ? [[asText(each['label']) || key, each['value']]] : [];
    });
  }

  /** The answers in a booking's record, or in the only person it shows; `undefined` if there are none. */
  return function answersIn(raw: Readonly<Record<string, unknown>>, shape = shapeOf(raw), depth = 1): Answers | undefined {
    if (isObject(raw['question_responses'])) return undefined;
    const listed = shape.names.filter(([, key]) => Array.isArray(raw[key]));
    const pairs = listed.flatMap(([words, key]) => pairsIn(raw[key], words, 1));
    const found =
      pairs.length > 0 ? pairs : holders.flatMap((each) => keysAt(raw, each)).flatMap((key) => objectIn(raw[key], wordsOf(key)));
    if (found.length > 0) return Object.fromEntries(found.reverse());
    const inside = shape.names.filter(([words, key]) => (Array.isArray(raw[key]) && !isOfOthers(words)) || aboutAnswers.test(words));
    return (depth === 0 ? [] : inside)
      .map(([, key]) => onlyOne(raw[key]))
      .filter(isObject)
      .map((person) => answersIn(person, undefined, 0))
      .find((each) => each !== undefined);
  };
}
