// G21, a new booking in place of a moved one. Seen: `rescheduledFromUid` (Cal.com), `old_invitee` and `new_invitee` (Calendly).

import { instantsBetween } from '../time/time.ts';
import { asText, isNo, isObject, isYes } from '../values.ts';

/** Fields with the id of another booking, of services that reschedule by cancelling one and making a new one. */
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
