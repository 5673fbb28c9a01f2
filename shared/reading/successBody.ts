// G12: what a 2xx to a write means. Seen: the record (most services), an empty 204, `success` as a flag, `error` with status 200.

import { messageIn } from './errorBody.ts';
import { saysEmpty } from './listEnvelope.ts';
import { reader } from './reader.ts';
import { keysAt } from './shapes.ts';
import { isKnownStatus } from './status.ts';
import type { RecordKind } from '../records/fields.ts';
import { asText, hasValue, idText, isNo, isObject, isYes, onlyOne, parsed } from '../values.ts';
import { subscriptionRecord } from '../assumptions.ts';

/** What a write is about, which is needed to understand its response. */
export interface ExpectedRecord {
  /** The kind of record that the response should show. */
  kind: RecordKind | undefined;
  /** Whether the write creates a record, or changes an existing one. */
  isCreation: boolean;
}

/**
 * What the body of a 2xx says about a write (G12).
 *
 * - `done`: it shows a record of this kind, has `success: true`, or is empty.
 * - `refused`: it has `success: false`, or something under `error`.
 * - `unclear`: anything else, such as another kind of record, a job's id or a sentence. The caller then looks for the record.
 */
export function judgeSuccess(status: number, body: unknown, { kind, isCreation }: ExpectedRecord): 'done' | 'refused' | 'unclear' {
  // Some services pack their JSON into a string.
  const content = onlyOne(typeof body === 'string' && /^\s*[[{]/.test(body) ? parsed(body) : body);
  const own = kind === undefined ? '-' : reader.ownNames[kind];
  if (isEmpty(content, own) || isYes(content) || (typeof content === 'string' && statusNames.test(content))) return 'done';
  if (isNo(content)) return 'refused';
  if (!isObject(content)) return 'unclear';
  const said = [content, ...keysAt(content, `${own}|${reader.envelope}`).map((key) => onlyOne(content[key]))].filter(isObject);
  if (said.some(saysNo)) return 'refused';
  if (kind === 'subscription' && said.some((each) => hasValue(each[subscriptionRecord.secretKey]))) return 'done';
  const record = kind === undefined ? said.find((each) => idText(each['id']) !== undefined) : reader.find(kind, content)?.raw;
  // GraphQL puts the response to a mutation under the mutation's name.
  const alone = said.flatMap((each) => (Object.keys(each).length === 1 ? Object.values(each).filter(isObject) : []));
  if (record === undefined) return alone.some(saysNo) ? 'refused' : said.some(saysYes) ? 'done' : 'unclear';
  const isRefused = isCreation && keysAt(record, 'status|state').some((key) => failed.test(asText(record[key])));
  // A 202 may show the job that will create the record.
  const isOfWork =
    status === 202 &&
    kind !== undefined &&
    (!reader.tells(kind, record) || (kind === 'booking' && hasValue(record['status']) && !isKnownStatus(record['status'])));
  return isRefused || isOfWork ? 'unclear' : 'done';
}

/**
 * Whether the body of a 2xx to a read is a refusal, as some services send. A body with records that have an id is none, unless a flag says
 * that it failed. An empty list beside an error is a refusal, unless the error says that nothing was found.
 */
export function refusesRead(body: unknown): boolean {
  if (!isObject(body) || !saysNo(body)) return false;
  const inside = [body, ...keysAt(body, reader.envelope).map((key) => body[key])].filter(isObject);
  const lists = inside.flatMap((at) => Object.entries(at)).filter(([key, value]) => Array.isArray(value) && !aboutErrors.test(key));
  const hasItems = lists.some(([, list]) => (list as unknown[]).length > 0);
  const words = messageIn(body);
  if (lists.length > 0 && !hasItems && (saysEmpty(words, asText(body['code'])) || /\bnot found\b/i.test(words))) return false;
  return isNo(successIn(body)) || !(hasItems || [body, ...Object.values(body)].some((value) => isObject(value) && hasValue(value['id'])));
}

const successIn = (value: Readonly<Record<string, unknown>>): unknown => {
  const said = value[keysAt(value, '(?:is_)?(?:success|ok)')[0] ?? ''];
  return typeof said === 'string' ? said.toLowerCase() : said;
};
const aboutError = '(?:[a-z]+_)?errors?(?:_[a-z]+)?';

const saysYes = (value: Readonly<Record<string, unknown>>): boolean => isYes(successIn(value));
const saysNo = (value: Readonly<Record<string, unknown>>): boolean =>
  isNo(successIn(value)) || keysAt(value, aboutError).some((key) => isFilled(value[key]));

/** Whether a value under a name such as `error` is an error. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isFilled)
    : hasValue(value) && !isNo(value) && !/^(?:no|none)$/i.test(asText(value));

/** Whether a body says nothing. An empty place for its record does say something. */
const isEmpty = (value: unknown, own: string): boolean =>
  isObject(value)
    ? Object.keys(value).every(
        (key) =>
          ((!hasValue(value[key]) || isEmpty(value[key], own)) && !keysAt(value, `id|(?:${own})(?:_id)?`).includes(key)) ||
          (keysAt(value, aboutError).includes(key) && !isFilled(value[key])) ||
          (/^(?:status|status_?code|code)$/i.test(key) && /^(?:2\d\d|0)$/.test(asText(value[key]))),
      )
    : Array.isArray(value)
      ? value.every((each) => isEmpty(each, own))
      : !hasValue(value) || (typeof value === 'string' && value.trim() === '');

/** Texts that web servers send in place of a body. */
const statusNames = /^\s*(?:ok|created|accepted|no content)\s*$/i;

/** The status of a record that was not created. */
const failed = /^(?:error|fail(?:ed|ure)|rejected|declined|denied|refused|[45]\d\d)$/i;
const aboutErrors = /^(?:errors?|details|issues|messages)$/i;
