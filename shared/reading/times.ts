// G5: a booking's times that no name of a time identifies.

import { asText, isObject, onlyOne } from '../values.ts';
import { factValues } from './factValues.ts';
import { keysAt, type Raw } from './shapes.ts';

const hasName = (raw: Raw, at: string): boolean => keysAt(raw, at).length > 0;

/** Whether a record names an invitee. */
const isJoined = (raw: Raw): boolean =>
  hasName(raw, '(?:{comer})s?(?:_(?:id|key|uuid|[a-z_]*name|e?mail[a-z_]*|details|info[a-z]*|phone[a-z_]*))?');

/** The key of an inner object with a booking's times, which is no thing or person itself. Only for records that name an invitee. */
export function timesWithin(raw: Raw, at: string): string[] {
  const keys = keysAt(raw, at).filter((key) => {
    const inside = onlyOne(raw[key]);
    return isObject(inside) && !hasName(inside, '(?:uu)?id|pk|key|(?:full_|first_|last_)?name|e_?mail(?:_address)?');
  });
  // With several, it is unknown whose times count.
  return keys.length === 1 && [raw, ...keys.map((key) => raw[key] as Raw)].some(isJoined) ? keys : [];
}

/** Names that bookings do not have, but entries of a waiting list, prepaid hours, and reviews or invoices of a visit. */
export const ofOther = '(?:wait(?:ing)?_?list|queue)(?:_[a-z_]+)?|position|rank|credits?|rating|stars|score|review|amount_due|due_date';

/** The only time that is named after an occasion, for a record without a start but with an invitee or event type. Midnight may be a day. */
export function soleTime(raw: Raw, told: Raw, at: string): { start_time?: unknown } {
  const isKnown = 'invitee_email' in told || 'event_type_id' in told || isJoined(raw);
  if (!isKnown || 'start_time' in told || 'end_time' in told || hasName(raw, `(?:{start}|{end})(?:_?{when})?|${ofOther}`)) return {};
  if (keysAt(raw, at).some((key) => /^\d?\d:\d\d/.test(asText(raw[key])))) return {};
  const keys = keysAt(raw, at).filter((key) => !/[T ]00:00/.test(asText(raw[key])));
  const [sole, ...more] = keys.flatMap((key) => factValues['time']?.(raw[key]) ?? []);
  return sole === undefined || more.length > 0 ? {} : { start_time: sole };
}
