// G20, what tells one try of a delivery from the next.

import { readRecord } from './records.ts';
import type { RecordKind } from '../records/fields.ts';
import { isObject } from '../values.ts';

const forms = {
  /** The words in a name that says which try this is: it differs from one try of a delivery to the next ... */
  tryWords:
    /attempt(?:ed|s(?!tat|end))?|retr(?:y|ies|ied|ying)|tr(?:y|ies|ied)|redeliver(?:y|ies|ed)?|resen[dt]|re(?:play|peat)(?:ed|s)?|duplicate[ds]?|fail(?:ed|ures?)|iterations?|timessent|last(?:error|response|status)/g,
  /** ... or when and how it was sent ... */
  sendingWords: /deliver(?:y|ies|ed)|dispatch(?:ed)?|sen[dt]|transmit(?:ted)?|transmission|queued|pushed|notif(?:ied|ication)|webhook/g,
  sendingEnd: /(?:at|on|time|date|stamp|count|counter|number|num|no|index|status|state)$/,
  /** ... with what may stand beside them. */
  wordsBeside:
    /deliver(?:y|ies|ed)|notification|timestamp|maximum|webhook|counter|message|current|number|status|reason|remaining|total|index|state|count|event|error|first|after|until|last|next|left|previous|prior|metadata|meta|info|time|date|code|hook|send|sent|was|has|been|the|num|max|sec|nth|made|uuid|ms|at|on|in|is|of|no|id|re|s|n|x/g,
  /** Words that no record of a booking or a contact has. */
  retryWords: /retr(?:y|ies|ied|ying)|redeliver(?:y|ies|ed)?|resen[dt]|(?:delivery|webhook)attempts?/g,
};

/** Names of objects that are beside the record, and of those that are about the delivery. */
const besideRecord = /^(?:_?meta(?:data)?|context|info|headers?|event)$/i;
const aboutDelivery = /^(?:re)?(?:delivery|webhook)(?:_?(?:info|meta|metadata))?$/i;

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
    // Only what is about the delivery is no part of a record. What held nothing else may come from the second try on.
    const inside = kept.map(([name, each]) => [name, isOutside || aboutDelivery.test(name) ? stripped(each, name, true) : each]);
    return Object.fromEntries(inside.filter(([, each]) => !(isOutside && isObject(each) && Object.keys(each).length === 0)));
  };
  try {
    return JSON.stringify(stripped(exactly(text), '', !isRecord));
  } catch {
    // Nested too deeply for the engine.
    return text;
  }
}

/** Whether the record may stand under this name. What is about the delivery may name the record by its id. */
const mayBeRecord = (name: string): boolean => name !== '' && !aboutDelivery.test(name) && !besideRecord.test(name);

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
  const { [which]: words, wordsBeside } = forms;
  return name.search(words) !== -1 && name.replaceAll(words, '').replaceAll(wordsBeside, '') === '';
};

/** Whether a field says which try this is, or when it was made: `attempt`, `retry_count`, `deliveredAt`, or `number` in `delivery`. */
function isOfTry(name: string, around: string): boolean {
  const own = letters(name);
  const whole = aboutDelivery.test(around) ? letters(around) + own : own;
  return isMadeOf(own, 'tryWords') || (forms.sendingEnd.test(whole) && isMadeOf(whole, 'sendingWords'));
}

/** Whether a field says which try this is, by a name that no record has. */
const isOfRetry = (name: string): boolean => isMadeOf(letters(name), 'retryWords');
