// G17: an error's message. Seen: `title` and `detail` (RFC 9457), `detail` with `loc` (FastAPI), `errors` by field (Laravel),
// `source.pointer` (JSON:API), `error.message` (Google).

import type { FieldComplaint } from '../serviceError.ts';
import { errorBody, errorCodes } from '../assumptions.ts';
import { asText, hasValue, isObject, parsed, tidy } from '../values.ts';
import type { ApiAnswer } from '../call.ts';

/** A name reduced to its letters, for comparison: `error_message` equals `ErrorMessage`, and `title` equals `hydra:title`. */
const lettersOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^[a-z]+:/, '')
    .replace(/[^a-z]/g, '');

/** Where an error may have its message, the best place first. */
const places =
  'message servermessages defaultmessage faultstring detail errordescription description errormessage msg reason issue diagnostics error title fault data content'.split(
    ' ',
  );

/** Other names that end like those of a message. */
const otherPlaces = /(?:message|msg|description)$/;

/** Names of objects that may contain the error. If they are texts, they only repeat that something failed. */
const around = /^(?:results?|responses?|(?:re\w{5,6})?status|body|meta|\w*failure)$/;

/** Where an error may have details. Beside a message, `error` may be an object with another message. */
const morePlaces = [
  'error',
  'errors',
  lettersOf(errorBody.detailsKey),
  'issues',
  'violations',
  'fields',
  'formerrors',
  'fielderrors',
  'validationerrors',
  'invalidparams',
  'data',
];

/** Where an entry of a list may name the field that it is about. */
const fieldPlaces = ['field', 'path', 'loc', 'param', 'parameter', 'attribute', 'property', 'pointer', 'name'];

const deepest = 5;

/**
 * The service's message in an error's body: `message` or `error` (G17), or what other services call it. For an HTML page, its title.
 * Shortened, and without anything that looks like a token.
 */
export const messageIn = (body: unknown): string =>
  tidy(typeof body === 'string' && /^\s*[<{[]/.test(body) ? titleIn(body) : wordsIn(body, 0));

/** Empty if the title only repeats the status: `502 Bad Gateway`. */
function titleIn(page: string): string {
  const [, title = ''] = /<title[^<>]{0,100}>([^<]{1,300})/i.exec(page.slice(0, 5_000)) ?? [];
  return /^\s*(?:error\s)?\d{3}\b/i.test(title) ? '' : title;
}

/** The message in a value: a text, those of a list's entries, or an object's best one with its details, or else those of its fields. */
function wordsIn(value: unknown, depth: number, isStatus = false): string {
  const inside = typeof value === 'string' && /^\s*[{[]/.test(value) ? parsed(value) : undefined;
  if (typeof value === 'string') return (depth < deepest && wordsIn(inside, depth + 1)) || value;
  if (depth > deepest || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return joined(value.slice(0, max).map((each) => withField(each, wordsIn(each, depth + 1))));
  const body = value as Record<string, unknown>;
  // An entry of class-validator, which also contains the value that was sent.
  const { property, constraints, children } = body;
  if (typeof property === 'string' && (isObject(constraints) || Array.isArray(children)))
    return joined([...Object.values(isObject(constraints) ? constraints : {}).map(asText), wordsIn(children, depth + 1)]);
  const byName = new Map(Object.entries(body).map(([name, each]) => [lettersOf(name), each]));
  const wordsAt = (place: string): string => wordsIn(byName.get(place), depth + 1, /^meta$|status$/.test(place));
  const holders = [...byName.keys()].filter((place) => around.test(place) && typeof byName.get(place) === 'object');
  const others = [...byName.keys()].filter((place) => otherPlaces.test(place) && typeof byName.get(place) === 'string');
  const told = [...places, ...others, ...holders].map(wordsAt).filter((words) => words !== '');
  const said = told.find((words) => !saysNothing(words)) ?? told[0] ?? '';
  const isMore = (place: string): boolean =>
    place === 'data'
      ? isByField(byName.get(place)) || hasMessage(byName.get(place))
      : place !== 'error' || typeof byName.get(place) === 'object';
  const errors = joined(morePlaces.filter(isMore).map(wordsAt));
  if (said !== '' || errors !== '') return said.includes(errors) ? said : errors.includes(said) ? errors : joined([said, errors]);
  // An object with an id is a record, and a status without a message may be that of a success.
  if (isStatus || body['id'] !== undefined) return '';
  return joined(Object.entries(body).map(([field, each]) => aboutField(field, each, depth)));
}

function withField(entry: unknown, words: string): string {
  const field = fieldOf(entry);
  return field === '' || words === '' || words.includes(field) ? words : `${field}: ${words}`;
}

/** The field that an entry names, also as a path (`["body", "email"]`) or JSON pointer. Empty if none: `/v1/x` is a request's path. */
function fieldOf(entry: unknown): string {
  if (!isObject(entry)) return '';
  const source = isObject(entry['source']) ? entry['source'] : {};
  for (const place of fieldPlaces) {
    const value = entry[place] ?? asText(source[place]).split('/').at(-1);
    const path: unknown[] = (Array.isArray(value) ? value.map(asText) : [value]).filter((part, index) => part !== 'body' || index > 0);
    if (path.length > 0 && path.every((part) => typeof part === 'string' && /^[^/]/.test(part))) return path.join('.');
  }
  return '';
}

/** JSON-RPC explains an error in `data`, beside a general message. */
const hasMessage = (value: unknown): boolean => isObject(value) && typeof value['message'] === 'string';

/** Whether a value is an object of texts, keyed by the fields that they are about. */
const isByField = (value: unknown): boolean =>
  isObject(value) &&
  Object.values(value).every(
    (each) => (hasMessage(each) && 'code' in (each as object)) || (Array.isArray(each) && each.every((text) => typeof text === 'string')),
  );

/** At the root, only texts by field, or a list of texts or messages, count: anything else may be a time or a path, for example. */
function aboutField(field: string, value: unknown, depth: number): string {
  const texts = Array.isArray(value)
    ? value.filter((each) => typeof each === 'string' || (isObject(each) && hasValue(each['message'])))
    : '';
  const words = wordsIn(depth > 0 || isByField(value) ? value : texts, depth + 1);
  return words === '' ? '' : `${field}: ${words}`;
}

/** How many parts of an error's message are shown. */
const max = 5;

const joined = (said: readonly string[]): string =>
  said
    .filter((words) => words !== '')
    .slice(0, max)
    .map((words, index, { length }) => (index < length - 1 ? words.replace(/\.$/, '') : words))
    .join('; ');

/** Whether words only repeat the status or say that the requested thing was not found. "Slot not found" says more. */
export const saysNothing = (words: string): boolean => notFoundWords.test(words) || statusWords.test(words);

const notFoundWords = /^(?:(?:resource|record|object|entity|item|page|route|booking|contact|hook|webhook|subscription) )?not found\.?$/i;

const statusWords =
  /^(?:unauthori[sz]ed|forbidden|refused|insufficient scope|(?:invalid|expired|missing)(?: or (?:invalid|expired))?(?: access)? token|token expired|bad request|conflict|gone|locked|precondition failed|failed dependency|unprocessable (?:entity|content)|payment required|too many requests|internal(?: server)? error|service unavailable|validation (?:failed|error)|request failed with status code \d{3}|invalid (?:request|input|grant))\.?$/i;

/** An error's code: from `code` (G18), from `error.code`, or from `error` beside a `message` (Acuity). */
export function codeIn({ code, error, message }: Readonly<Record<string, unknown>>): string | undefined {
  const inside = isObject(error) ? error['code'] : hasValue(message) && /^[a-z]+(?:_[a-z]+)+$/i.test(asText(error)) ? error : undefined;
  const given = [code, inside].find((each) => typeof each === 'string');
  return given === undefined ? undefined : tidy(asText(given).slice(0, 60));
}

/**
 * The status of a refusal. If it came with 200, the body may have the real one, as a number or as a code such as GraphQL's. Its message
 * does not count: what was "not found" may be a coupon.
 */
export function statusOf({ status, body }: Pick<ApiAnswer, 'status' | 'body'>): number {
  if (status >= 300 || !isObject(body)) return status;
  const [first] = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : [];
  const errors = [body, body['error'], first, isObject(first) ? first['extensions'] : undefined].filter(isObject);
  const said = errors.flatMap((each) =>
    Object.entries(each).flatMap(([name, value]) => (ofStatus.test(lettersOf(name)) ? [asText(value)] : [])),
  );
  const told = said.map((each) => statusOfCode[each.toUpperCase()] ?? Number(each));
  return told.find((each) => [400, 401, 403, 404, 409, 422].includes(each)) ?? status;
}

const ofStatus = /^(?:http|response)?(?:status|code)(?:code)?$/;

const statusOfCode: Readonly<Record<string, number>> = { UNAUTHENTICATED: 401, FORBIDDEN: 403, NOT_FOUND: 404 };

/** A code with spaces between its words. */
export const codeWords = (code = ''): string => code.replaceAll('_', ' ');

/** The message, with the code if it is unknown and only it says what is wrong: `{"error": "Bad Request", "code": "OUTSIDE_HOURS"}`. */
export function withCode(words: string, code: string | undefined): string {
  const isKnown = code === undefined || Object.hasOwn(errorCodes.codes, code) || saysNothing(codeWords(code));
  return isKnown || !(words === '' || saysNothing(words)) ? words : [words, code].filter((each) => each !== '').join(': ');
}

/** Whether a 500 refuses the input: it has `success: false`, and says which input is missing or wrong (Easy!Appointments). */
export const isRefusedInput = ({ status, body }: Pick<ApiAnswer, 'status' | 'body'>, words: string): boolean =>
  status === 500 &&
  isObject(body) &&
  body['success'] === false &&
  /\b(?:fields?|parameters?|inputs?|arguments?)\b/i.test(words) &&
  /\b(?:required|missing|empty|filled|invalid)\b/i.test(words);

/** The service's complaints about single fields (G17). */
export function complaints(body: Record<string, unknown>): FieldComplaint[] {
  const details = body[errorBody.detailsKey];
  if (!Array.isArray(details)) return [];
  return details
    .slice(0, 20)
    .map((detail) => ({ field: tidy(fieldOf(detail)), message: isObject(detail) ? tidy(asText(detail['message'])) : '' }))
    .filter(({ field, message }) => field !== '' && message !== '');
}

/** Whether a response has no content, or only the name of its status, as web servers send by themselves. */
export const isSilent = (body: unknown): boolean =>
  typeof body === 'string'
    ? bareNames.test(plainWords(body))
    : body === undefined || body === null || (typeof body === 'object' && !Object.values(body).some(hasValue));

/** Whether JSON without section 7's fields only repeats its status, as gateways send by themselves: `{"message": "Forbidden"}`. */
export const isBare = (body: unknown): boolean =>
  isObject(body) &&
  [body['error'], body['code']].every((part) => typeof part !== 'string') &&
  hasValue(messageIn(body)) &&
  bareNames.test(plainWords(messageIn(body)));

/** A status without a reason, as part of a sentence; `undefined` if the response says more. */
export const bareStatus = ({ status, body }: Pick<ApiAnswer, 'status' | 'body'>): string | undefined =>
  isSilent(body) || isBare(body) ? ` (status ${status}, without a reason)` : undefined;

/** The names of statuses, without "error", "http" and numbers. */
const bareNames =
  /^(?:|code|internal server|(?:the )?service (?:is )?(?:temporarily )?unavailable|(?:bad|gateway) (?:gateway|time ?out)|forbidden|(?:access )?denied|unauthorized|(?:page )?not found|bad request|too many requests|gone)$/;

const plainWords = (text: string): string =>
  text
    .slice(0, 200)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && word !== 'error' && word !== 'http')
    .join(' ');
