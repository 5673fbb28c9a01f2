// G21, the words for a status, and a new booking in place of a moved one. Seen: `ACCEPTED` and `REJECTED` (Cal.com), `active` and `canceled` (Calendly), `upcoming` (Cal.com), `new` and `held`.

import { statusTransitions } from '../assumptions.ts';
import { instantsBetween } from '../time/time.ts';
import { keysAt } from './shapes.ts';
import { asText, isNo, isObject, isYes } from '../values.ts';

/** A booking's status, as far as the document names one. */
export type KnownStatus = keyof typeof statusTransitions;

/** The words for the statuses, in capitals. A booking with any other word, such as COMPLETED, is none of the three. */
const statusWords = {
  pending:
    /^(?:PENDING|AWAITING|WAITING|REQUESTED|UNCONFIRMED|TENTATIVE|PROPOSED|NEW|HELD|HOLD|NEEDS_(?:ACTION|APPROVAL|CONFIRMATION)|PENDI?ENTE)(?:_|$)/,
  confirmed: /^(?:CONFIRM(?:ED|AD[OA]|[EÉ]E?)|ACCEPTED|APPROVED|BOOKED|SCHEDULED|PLANNED|ACTIVE|RESERVED|UPCOMING)$/,
  cancelled:
    /^CANCEL(?:L?ED|AD[OA])(?:_|$)|^[A-Z]+_CANCELL?ED$|^CANCEL(?:L?ATION)?$|^(?:DELETED|REMOVED|ANNULL?ED|ANULAD[OA]|ANNUL[EÉ]E?|STORNIERT|ABGESAGT|WITHDRAWN|REVOKED|EXPIRED|VOID(?:ED)?)$/,
  denied: /^(?:DENIED|DECLINED|REJECTED|REFUSED)(?:_|$)/,
};

/** Where the word is if the status is an object. */
const statusKeys = ['name', 'value', 'code', 'status', 'state', 'key', 'slug', 'label', 'title', 'id'];

type WithStatus = { readonly status?: unknown };

/**
 * Whether a booking has this status, in any letter case and spelling (`cancelled`, `CANCELED`), with more words after it, in other words
 * for it, or inside an object (G21). A booking that was denied is cancelled as well.
 */
export const hasStatus = ({ status }: WithStatus, wanted: KnownStatus): boolean =>
  statusWords[wanted].test(saidOf(status)) || (wanted === 'cancelled' && wasDenied({ status }));

/** Whether a booking was never accepted. */
export const wasDenied = ({ status }: WithStatus): boolean => statusWords.denied.test(saidOf(status));

/** Whether this is the status of a booking, and not that of an answer or of a job. */
export const isKnownStatus = (status: unknown): boolean =>
  Object.values(statusWords).some((words) => words.test(saidOf(status))) ||
  /^(?:COMPLETED|FINISHED|FULFILLED|ARRIVED|CHECKED_IN|SEATED|ATTENDED|PAST|RESCHEDULED|NO_?SHOW|HIDDEN|DRAFT)$/.test(saidOf(status));

/** Whether this is what only bookings are, and neither answers nor jobs. */
export const saysOfBooking = (status: unknown): boolean => /^(?:confirmed|booked|cancell?ed|declined|rejected)$/i.test(statusText(status));

/** Whether a booking says nothing of its status. */
export const saysNoStatus = ({ status }: WithStatus): boolean => saidOf(status) === '';

/** Whether a booking may have a status that was asked for: it shows none of the others. A service may filter by email alone (G42). */
export const mayHaveStatus = (record: { readonly status?: unknown }, wanted: string | undefined): boolean =>
  wanted === undefined ||
  (Object.keys(statusTransitions) as KnownStatus[]).every((each) => statusTransitions[each] === wanted || !hasStatus(record, each));

/** Whether a booking will not take place: it was cancelled, or never accepted. */
export const hasEnded = (record: WithStatus): boolean => hasStatus(record, 'cancelled');

/** A status as text, also of one that is an object. */
export const statusText = (status: unknown): string =>
  asText(isObject(status) ? statusKeys.map((key) => status[keysAt(status, key)[0] ?? '']).find((value) => asText(value) !== '') : status);

/** A status in capitals, with `_` between its words. */
const saidOf = (status: unknown): string =>
  statusText(status)
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toUpperCase()
    .replace(/[\s-]+/g, '_');

/**
 * Fields with the id of another booking, of services that reschedule by cancelling one and making a new one. Seen: `rescheduledFromUid`
 * (Cal.com), `old_invitee` and `new_invitee` (Calendly).
 */
const rescheduleLinks = {
  toOld: /^(?:rescheduled_?from|from_?reschedule|old_?(?:booking|invitee|appointment))(?:_?booking)?(?:_?(?:id|uid|uuid|uri))?$/i,
  toNew: /^(?:rescheduled_?to|replaced_?by|new_?(?:booking|invitee|appointment))(?:_?booking)?(?:_?(?:id|uid|uuid|uri))?$/i,
};

/** Whether one of these fields has the id of another booking. The same fields may have a start instead, or only say yes or no. */
export const isLinked = (record: object, way: keyof typeof rescheduleLinks): boolean =>
  Object.entries(record).some(([key, value]) => {
    const id: unknown = isObject(value) ? value['id'] : value;
    return rescheduleLinks[way].test(key) && asText(id) !== '' && !isYes(id) && !isNo(id) && instantsBetween(id)[0] === -Infinity;
  });
