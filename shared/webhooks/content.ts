import { deliveryBody } from '../assumptions.ts';
import { readRecord, type RecordKind } from '../records/records.ts';
import { isObject } from '../values.ts';

/**
 * What identifies the signed content of a delivery: all of it, without what tells one try from the next (G20), wherever that stands around
 * the record. The record itself stays whole: a field of it that is called `attempt` is the service's.
 *
 * @param text the body, which is a JSON object
 * @param id the id of the record in it
 * @param isRecord whether the body itself is the record
 */
export function contentOf(text: string, kind: RecordKind, id: unknown, isRecord: boolean): string {
  const stripped = (value: unknown, around: string, isOutside: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each) => stripped(each, around, isOutside));
    if (!isObject(value) || (isOutside && mayBeRecord(around) && readRecord(kind, value)?.id === id)) return value;
    const kept = Object.entries(value).filter(([name]) => !(isOutside ? isOfTry(name, around) : isOfRetry(name)));
    // Only what is about the delivery is no part of a record.
    return Object.fromEntries(
      kept.map(([name, each]) => {
        const isAround = isOutside || deliveryBody.aboutDelivery.test(name);
        return [name, isAround ? stripped(each, name, true) : each];
      }),
    );
  };
  try {
    return JSON.stringify(stripped(exactly(text), '', !isRecord));
  } catch {
    // Nested too deeply for the engine.
    return text;
  }
}

/** Whether the record may stand under this name. What is about the delivery may name the record by its id. */
const mayBeRecord = (name: string): boolean =>
  name !== '' && !deliveryBody.aboutDelivery.test(name) && !deliveryBody.besideRecord.test(name);

/** The parsed JSON with long numbers as text: as numbers, two of them might become the same one. */
const exactly = (text: string): unknown =>
  JSON.parse(text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"?|-?\d[\d.eE+-]*/g, (token) => (/^.{0,15}$|^"/.test(token) ? token : `"${token}"`)));

const letters = (name: string): string =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');

/** Whether a name consists of these words and others that may stand beside them. */
const isMadeOf = (name: string, which: 'tryWords' | 'sendingWords' | 'retryWords'): boolean => {
  const { [which]: words, wordsBeside } = deliveryBody;
  return name.search(words) !== -1 && name.replaceAll(words, '').replaceAll(wordsBeside, '') === '';
};

/** Whether a field says which try this is, or when it was made: `attempt`, `retry_count`, `deliveredAt`, or `number` in `delivery`. */
function isOfTry(name: string, around: string): boolean {
  const own = letters(name);
  const whole = deliveryBody.aboutDelivery.test(around) ? letters(around) + own : own;
  return isMadeOf(own, 'tryWords') || (deliveryBody.sendingEnd.test(whole) && isMadeOf(whole, 'sendingWords'));
}

/** The same for names that no record has. */
const isOfRetry = (name: string): boolean => isMadeOf(letters(name), 'retryWords');
