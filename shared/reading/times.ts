// G5: the times of a booking where no name of a time has them.

import { asText, isObject, onlyOne } from '../values.ts';
import { factValues } from './factValues.ts';
import { keysAt, type Raw } from './shapes.ts';

const hasName = (raw: Raw, at: string): boolean => keysAt(raw, at).length > 0;

/** Whether a record names somebody who comes. */
const isJoined = (raw: Raw): boolean =>
  hasName(raw, '(?:{comer})s?(?:_(?:id|key|uuid|[a-z_]*name|e?mail[a-z_]*|details|info[a-z]*|phone[a-z_]*))?');

/** The names of objects that are no thing or person of their own, and have the times of a booking to which somebody comes. */
export function timesWithin(raw: Raw, at: string): string[] {
  const keys = keysAt(raw, at).filter((key) => {
    const inside = onlyOne(raw[key]);
    return isObject(inside) && !hasName(inside, '(?:uu)?id|pk|key|(?:full_|first_|last_)?name|e_?mail(?:_address)?');
  });
  // Of several, nobody knows whose times count.
  return keys.length === 1 && [raw, ...keys.map((key) => raw[key] as Raw)].some(isJoined) ? keys : [];
}

/** What only something else than a booking has: an entry of a waiting list, hours that were bought ahead, and the review or invoice of a visit. */
export const ofOther = '(?:wait(?:ing)?_?list|queue)(?:_[a-z_]+)?|position|rank|credits?|rating|stars|score|review|amount_due|due_date';

/** The start of a record that tells none, and who comes or to what: the one time whose name says what they come to. Midnight may be a day. */
export function soleTime(raw: Raw, told: Raw, at: string): { start_time?: unknown } {
  const isKnown = 'invitee_email' in told || 'event_type_id' in told || isJoined(raw);
  if (!isKnown || 'start_time' in told || 'end_time' in told || hasName(raw, `(?:{start}|{end})(?:_?{when})?|${ofOther}`)) return {};
  if (keysAt(raw, at).some((key) => /^\d?\d:\d\d/.test(asText(raw[key])))) return {};
  const keys = keysAt(raw, at).filter((key) => !/[T ]00:00/.test(asText(raw[key])));
  const [sole, ...more] = keys.flatMap((key) => factValues['time']?.(raw[key]) ?? []);
  return sole === undefined || more.length > 0 ? {} : { start_time: sole };
}
