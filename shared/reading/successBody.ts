// G12, what a 2xx to a write says. Seen: an empty 204, `success` as a flag, and refusals with status 200.

import { messageIn } from './errorBody.ts';
import { saysEmpty } from './listEnvelope.ts';
import { isMostlyOther, readings, readRecord, tellingFields } from './records.ts';
import type { RecordKind } from '../records/fields.ts';
import { asText, hasValue, idText, isNo, isObject, isYes, onlyOne, parsed } from '../values.ts';
import { errorCodes, recordEnvelope, subscriptionRecord } from '../assumptions.ts';

/** What a write is about, so that the words of its answer can be understood. */
export interface Expected {
  /** The kind of record that the answer should show. */
  kind: RecordKind | undefined;
  /** Whether the write makes a record, or does something to one that exists. */
  isCreation: boolean;
}

/**
 * What the body of a 2xx says about a write (G12).
 *
 * - `done`: it shows a record of this kind, says yes in so many words, or is empty.
 * - `refused`: it says no, or names an error.
 * - `unclear`: anything else, such as a record of another kind, the id of a job, or a sentence that is not understood.
 */
export function judgeSuccess(status: number, body: unknown, expected: Expected): 'done' | 'refused' | 'unclear' {
  const content = unpacked(body);
  if (!hasValue(content) || isYes(content)) return 'done';
  if (isNo(content)) return 'refused';
  if (typeof content === 'string') return judgeText(content, expected);
  if (typeof content !== 'object') return 'unclear';
  const places = placesIn(content);
  const said = places.filter((place) => isEnvelope(place, expected)).map((place) => sayingOf(place.value, status, expected));
  const says = (what: keyof Saying): boolean => said.some((each) => each[what]);
  if (says('no')) return 'refused';
  if (places.some((place) => showsRecord(place, status, expected)) || says('yes')) return 'done';
  if (says('refusal')) return 'refused';
  return isEmpty(content) && !places.some(({ value }) => lacksRecord(value, expected)) ? 'done' : 'unclear';
}

/**
 * Whether the body of a 2xx to a read says that nothing was read: some services answer a refusal with 200. What has records with an id is an
 * answer, whatever stands beside it, unless it says in so many words that it failed. An empty list beside an error is none, unless the error
 * is that nothing was found.
 */
export function refusesRead(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { no, failed } = sayingOf(body, 200, { kind: undefined, isCreation: false });
  if (!no) return false;
  const lists = listsIn(body);
  const hasItems = lists.some((list) => list.length > 0);
  const words = messageIn(body);
  const saysNone = saysEmpty(words, asText(body['code'])) || /\bnot found\b/i.test(words);
  if (lists.length > 0 && !hasItems && saysNone) return false;
  return failed || !(hasItems || holdsRecord(body));
}

/** Some services pack their JSON into a string. */
const unpacked = (value: unknown): unknown => (typeof value === 'string' && /^\s*[[{]/.test(value) ? parsed(value) : value);

/** An object in a body, and the names under which it is there. */
interface Place {
  value: Readonly<Record<string, unknown>>;
  names: readonly string[];
  /** Whether it is one of several in a list: then it is not the one record that was made. */
  isOneOfMany: boolean;
}

const deepest = 4;
const most = 50;

function placesIn(value: unknown, names: readonly string[] = [], isOneOfMany = false): Place[] {
  const only = onlyOne(unpacked(value));
  if (names.length > deepest) return [];
  if (Array.isArray(only)) return only.slice(0, most).flatMap((each) => placesIn(each, names, true));
  if (!isObject(only)) return [];
  const inside = Object.entries(only)
    .slice(0, most)
    .flatMap(([name, each]) => placesIn(each, [...names, snakeCase(name)], isOneOfMany));
  return [{ value: only, names, isOneOfMany }, ...inside];
}

const snakeCase = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2').toLowerCase();

const ownNames = ({ kind }: Expected): readonly string[] => (kind === undefined ? [] : readings[kind].names);

const isOfOthers = (name: string, { kind }: Expected): boolean =>
  Object.entries(readings).some(([each, { names }]) => each !== kind && names.includes(name));

/** What a record was before it changed. */
const earlier = /^(?:prev|old|before|original|former)/;

/** Names of objects around a record, or about the answer itself. In a 207, each part has a status of its own. */
const around =
  /^(?:data|results?|responses?|payload|body|content|output|outcome|items?|records?|resources?|entity|object|value|status|state|multistatus)$/;

/** Whether what stands here is about the answer, and not about a record or a side effect. */
const isEnvelope = ({ names }: Place, expected: Expected): boolean =>
  names.every((name) => around.test(name) || ownNames(expected).includes(name));

const idOf = (value: Readonly<Record<string, unknown>>, { kind = 'booking' }: Expected): string | undefined =>
  idText(readRecord(kind, value)?.id);

/** Whether a record of this kind stands here, and not a record of another kind, or the job that will make one. */
function showsRecord({ value, names, isOneOfMany }: Place, status: number, expected: Expected): boolean {
  const { kind } = expected;
  if (kind === undefined) return idText(value['id']) !== undefined;
  if (kind === 'subscription' && hasValue(value[subscriptionRecord.secretKey])) return true;
  if (isOneOfMany || idOf(value, expected) === undefined) return false;
  if (names.some((name) => isOfOthers(name, expected) || earlier.test(name)) || namesAnother(value, expected)) return false;
  const isTelling = tellingFields(kind, value) > 0;
  if (isOfJob(value) && (status === 202 || !isTelling)) return false;
  if (isTelling || ownNames(expected).includes(names.at(-1) ?? '')) return true;
  // Services are terse: an id alone is a record where one is expected, unless the rest of it is about something else.
  const isExpectedHere = names.every((name) => around.test(name));
  return isExpectedHere && status !== 202 && !isMostlyOther(kind, value) && !isOnlySentence(value);
}

/** Whether there is nothing but a sentence, beside an id that may be the request's: `{"id": "req_1", "message": "Slot taken"}`. */
const isOnlySentence = (value: Readonly<Record<string, unknown>>): boolean => {
  const keys = Object.keys(value).filter((key) => !/^(?:.*_?id|.*_at|time(?:stamp)?|path)$/i.test(key) && !isStatusKey(key));
  return keys.length > 0 && keys.every((key) => isOneOf(key, messageWords));
};

/** Where a record may say what it is. */
const typeKeys = ['object', 'type', 'kind', '_type', 'resource'];

const namesAnother = (value: Readonly<Record<string, unknown>>, expected: Expected): boolean =>
  typeKeys.some((key) => typeof value[key] === 'string' && isOfOthers(snakeCase(value[key]).replaceAll('-', '_'), expected));

/** Whether this says that it is an error: `{"kind": "Error", "id": "err_1"}`. */
const isOfError = (value: Readonly<Record<string, unknown>>): boolean => typeKeys.some((key) => isOneOf(asText(value[key]), errorWords));

/** Whether this is the work that will make the record, by its status or its type. */
const isOfJob = (value: Readonly<Record<string, unknown>>): boolean =>
  ['status', 'state'].some((key) => isOneOf(asText(value[key]), waitingWords)) ||
  typeKeys.some((key) => isOneOf(asText(value[key]).split('.').at(-1) ?? '', jobWords));

/** Whether the record's own place, or that of its id, is there and empty: `{"booking": null}`, `{"booking_id": null}`. */
function lacksRecord(value: Readonly<Record<string, unknown>>, expected: Expected): boolean {
  const own = ['id', ...ownNames(expected).flatMap((name) => [name, `${name}_id`])];
  return Object.entries(value).some(([name, each]) => own.includes(snakeCase(name)) && isEmpty(each));
}

/** Whether nothing in a body says anything: a success that is only a number, or an error that is none, says no more than the status. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).every(
        ([key, each]) =>
          isEmpty(each) ||
          (isOneOf(key, troubleWords) && !isFilled(each)) ||
          (isStatusKey(key) && /^2\d\d$/.test(asText(each))) ||
          (key === 'code' && asText(each) === '0'),
      )
    : asText(value).trim() === '' && typeof value !== 'boolean';

/** What an object says about what was asked for. */
interface Saying {
  /** It says no, or names an error ... */
  no: boolean;
  /** ... in so many words: `"success": false`. */
  failed: boolean;
  yes: boolean;
  /** Its sentence says no: less certain, because the sentence may be about something else. */
  refusal: boolean;
}

function sayingOf(value: Readonly<Record<string, unknown>>, status: number, expected: Expected): Saying {
  const saying: Saying = { no: false, failed: false, yes: false, refusal: false };
  // A record has words and flags of its own.
  const isRecord = idOf(value, expected) !== undefined;
  for (const [key, given] of Object.entries(value)) {
    if (isOneOf(key, isRecord ? errorWords : troubleWords)) saying.no ||= isFilled(given);
    else if (isOneOf(key, successWords)) {
      saying.failed ||= isNoValue(given);
      saying.yes ||= isYesValue(given);
    } else if (isRecord) saying.no ||= expected.isCreation ? isRefusedRecord(key, given) : isOneOf(key, endedKeys) && isNoValue(given);
    else if (isStatusKey(key)) {
      saying.no ||= isFailure(given);
      saying.yes ||= given === true || isYesText(asText(given), status, expected);
    } else if (isOneOf(key, expected.isCreation ? madeKeys : endedKeys)) {
      saying.no ||= isNoValue(given);
      saying.yes ||= isYesValue(given);
    } else if (isOneOf(key, lateDeedWords)) saying.yes ||= isYesValue(given);
    if (isOneOf(key, messageWords)) {
      saying.yes ||= isYesText(asText(given), status, expected);
      saying.refusal ||= isNoText(asText(given));
    }
  }
  saying.no ||= saying.failed || isOfError(value);
  return saying;
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);
const isYesValue = (value: unknown): boolean => isYes(lower(value)) || lower(value) === 'yes';
const isNoValue = (value: unknown): boolean => isNo(lower(value)) || lower(value) === 'no';

function judgeText(text: string, expected: Expected): 'done' | 'refused' | 'unclear' {
  if (text.trim() === '' || statusNames.test(text) || isYesText(text, 200, expected)) return 'done';
  return isNoText(text) ? 'refused' : 'unclear';
}

/** What servers write of their own accord in place of a body. */
const statusNames = /^\s*(?:ok|created|accepted|no content)\s*$/i;

/** Whether a value under a name such as `error` names one. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(isFilled) : hasValue(value) && !isNoValue(value);

/** Whether a code or a status is that of a failure: false, `SLOT_UNAVAILABLE`, `error`, 400 or 40001. */
const isFailure = (value: unknown): boolean =>
  value === false ||
  (typeof value === 'string' && (Object.hasOwn(errorCodes.codes, value) || isNoText(value))) ||
  /^(?:4[0-5]|5[01])\d(?:\d\d)?$/.test(asText(value).trim());

/** Whether a new record says of itself that it was refused. */
const isRefusedRecord = (key: string, value: unknown): boolean =>
  /^(?:status|state|status_?code)$/i.test(key) &&
  /^(?:error|failed|failure|rejected|declined|denied|refused|[45]\d\d)$/i.test(asText(value));

/** The words of a text without numbers and ids. */
const wordsIn = (text: string): string[] =>
  text
    .slice(0, 1_000)
    .split(/\s+/)
    .filter((part) => !/\d/.test(part))
    .flatMap((part) => snakeCase(part).split(/[^\p{L}'’]+/u))
    .filter((word) => word !== '');

/** Whether a name or a short text has one of these words, and none that says more. */
const isOneOf = (text: string, known: ReadonlySet<string>): boolean => {
  const words = wordsIn(text);
  return words.some((word) => known.has(word)) && words.every((word) => known.has(word) || besideThem.has(word));
};

const set = (...texts: readonly string[]): ReadonlySet<string> => new Set(texts.flatMap((text) => text.split(' ')));

const besideThem = set(
  'is was has have been the a in of on at http booking appointment request response validation field form data text count code message description details',
);
const errorWords = set('error errors');
const troubleWords = set(
  'error errors err errcode fault exception failure failures failed rejected rejection declined denied refused problem problems issue issues violation violations conflict conflicts',
);
const successWords = set('success successful succeeded ok okay');
const messageWords = set('message messages msg detail reason');
const statusKeys = set('status result state outcome code statuscode');
const isStatusKey = (key: string): boolean => isOneOf(key, statusKeys);

const made = 'created booked reserved scheduled registered subscribed added made saved placed';
const ended = 'cancelled canceled deleted removed unsubscribed revoked ended updated';
const madeKeys = set(made, 'accepted');
const endedKeys = set(ended, 'accepted');
/** What may come later: that it is not so yet is no refusal. */
const lateDeedWords = set('done completed confirmed approved');

const waitingWords = set('queued enqueued processing progress running started submitted received waiting scheduling');
const jobWords = set('job task operation process workflow');

const yes = 'ok okay yes success successful successfully succeeded done complete completed confirmed approved accepted processed';
const yesWords = { creation: set(yes, made), other: set(yes, ended) };
const fillers = set(
  'the your our a an new booking bookings appointment meeting reservation request operation webhook hook subscription cancellation it has have been was is and with for id thank thanks you all good',
);

/** Whether a text says yes and nothing else: `Created`, `Your booking has been confirmed.` To a 202, "accepted" adds nothing. */
function isYesText(text: string, status: number, { isCreation }: Expected): boolean {
  const known = isCreation ? yesWords.creation : yesWords.other;
  const isYesWord = (word: string): boolean => known.has(word) && !(status === 202 && (word === 'accepted' || word === 'scheduled'));
  const words = wordsIn(text);
  return words.some(isYesWord) && words.every((word) => isYesWord(word) || fillers.has(word));
}

const noWords = set(
  "not no ko cannot can't can’t couldn't couldn’t isn't isn’t wasn't wasn’t error errors fail failed fails failure reject rejected decline declined deny denied refused refuse invalid unavailable unsuccessful",
  'taken conflict conflicts conflicting forbidden unauthorized unauthorised unable full missing unknown expired exceeded limit already must required',
);
const isNoText = (text: string): boolean => wordsIn(text).some((word) => noWords.has(word));

/** The lists in a body that are not of complaints, also inside `data` (G1). */
const listsIn = (body: Readonly<Record<string, unknown>>): unknown[][] =>
  [body, body[recordEnvelope.recordKey]]
    .flatMap((at) => (isObject(at) ? Object.entries(at) : []))
    .flatMap(([key, value]) => (Array.isArray(value) && !aboutErrors.test(key) ? [value as unknown[]] : []));
const aboutErrors = /^(?:errors?|details|issues|messages)$/i;

const holdsRecord = (body: Readonly<Record<string, unknown>>): boolean =>
  [body, ...Object.values(body)].some((value) => isObject(value) && idText(value['id']) !== undefined);
