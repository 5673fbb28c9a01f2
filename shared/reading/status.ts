// G21: words for a status, and a new booking in place of a moved one. Seen: `ACCEPTED`, `upcoming` (Cal.com), `active` (Calendly), `held`.

import { statusTransitions } from '../assumptions.ts';
import { instantsBetween } from '../time/time.ts';
import { keysAt } from './shapes.ts';
import { asText, isNo, isObject, isYes } from '../values.ts';

/** A booking's status that the document names. */
export type KnownStatus = keyof typeof statusTransitions;

/** Words for each status, in capitals. A booking with any other word, such as COMPLETED, has none of them. */
const statusWords = {
  pending:
    /^(?:PENDING|AWAITING|WAITING|REQUESTED|UNCONFIRMED|TENTATIVE|PROPOSED|NEW|HELD|HOLD|NEEDS_(?:ACTION|APPROVAL|CONFIRMATION)|PENDI?ENTE)(?:_|$)/,
  confirmed: /^(?:CONFIRM(?:ED|AD[OA]|[EÉ]E?)|ACCEPTED|APPROVED|BOOKED|SCHEDULED|PLANNED|ACTIVE|RESERVED|UPCOMING)$/,
  cancelled:
    /^CANCEL(?:L?ED|AD[OA])(?:_|$)|^[A-Z]+_CANCELL?ED$|^CANCEL(?:L?ATION)?$|^(?:DELETED|REMOVED|ANNULL?ED|ANULAD[OA]|ANNUL[EÉ]E?|STORNIERT|ABGESAGT|WITHDRAWN|REVOKED|EXPIRED|VOID(?:ED)?)$/,
  denied: /^(?:DENIED|DECLINED|REJECTED|REFUSED)(?:_|$)/,
};

/** Where the word is if the status is an object. */
const statusKeys = ['name', 'value', 'code', 'status', 'state', 'key', 'slug', 'label', 'title', 'descriptor'];

type WithStatus = { readonly status?: unknown };

/**
 * Whether a booking has this status: in any letter case and spelling (`cancelled`, `CANCELED`), with further words after it, as a synonym,
 * or inside an object (G21). A denied booking counts as cancelled too.
 */
export const hasStatus = ({ status }: WithStatus, wanted: KnownStatus): boolean =>
  statusWords[wanted].test(saidOf(status)) || (wanted === 'cancelled' && wasDenied({ status }));

/** Whether a booking was never accepted. */
export const wasDenied = ({ status }: WithStatus): boolean => statusWords.denied.test(saidOf(status));

/** Whether this is a booking's status, not that of a response or a job. */
export const isKnownStatus = (status: unknown): boolean =>
  Object.values(statusWords).some((words) => words.test(saidOf(status))) ||
  /^(?:COMPLETED|FINISHED|FULFILLED|ARRIVED|CHECKED_IN|SEATED|ATTENDED|PAST|RESCHEDULED|NO_?SHOW|HIDDEN|DRAFT)$/.test(saidOf(status));

/** Whether this status is one that only bookings have. */
export const saysOfBooking = (status: unknown): boolean => /^(?:confirmed|booked|cancell?ed|declined|rejected)$/i.test(statusText(status));

/** Whether a booking shows no status. */
export const saysNoStatus = ({ status }: WithStatus): boolean => saidOf(status) === '';

/** Whether a booking may have the wanted status, because it shows none of the others. A service may ignore a status filter (G42). */
export const mayHaveStatus = (record: { readonly status?: unknown }, wanted: string | undefined): boolean =>
  wanted === undefined ||
  (Object.keys(statusTransitions) as KnownStatus[]).every((each) => statusTransitions[each] === wanted || !hasStatus(record, each));

/** Whether a booking will not take place: it was cancelled, or never accepted. */
export const hasEnded = (record: WithStatus): boolean => hasStatus(record, 'cancelled');

/** A status as text, even if it is an object, or a column that holds one. Its id counts only if it is a word. */
export const statusText = (status: unknown, depth = 2): string =>
  isObject(status) && depth > 0
    ? (statusKeys.map((key) => statusText(status[keysAt(status, key)[0] ?? ''], depth - 1)).find((said) => said !== '') ??
      (isKnownStatus(status['id']) ? asText(status['id']) : ''))
    : asText(status);

/** A status in capitals, with `_` between words. */
const saidOf = (status: unknown): string =>
  statusText(status)
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toUpperCase()
    .replace(/[\s-]+/g, '_');

/**
 * Fields with the id of another booking. Some services reschedule by cancelling a booking and creating another. Seen: `rescheduledFromUid`
 * (Cal.com), `old_invitee` and `new_invitee` (Calendly).
 */
const rescheduleLinks = {
  toOld: /^(?:rescheduled_?from|from_?reschedule|old_?(?:booking|invitee|appointment))(?:_?booking)?(?:_?(?:id|uid|uuid|uri))?$/i,
  toNew: /^(?:rescheduled_?to|replaced_?by|new_?(?:booking|invitee|appointment))(?:_?booking)?(?:_?(?:id|uid|uuid|uri))?$/i,
};

/** Whether one of these fields has another booking's id. The same fields may also contain a start time, or yes or no. */
export const isLinked = (record: object, way: keyof typeof rescheduleLinks): boolean =>
  Object.entries(record).some(([key, value]) => {
    const id: unknown = isObject(value) ? value['id'] : value;
    return rescheduleLinks[way].test(key) && asText(id) !== '' && !isYes(id) && !isNo(id) && instantsBetween(id)[0] === -Infinity;
  });
