// G18: a slot that is not free, in the service's own words. Seen: `no_available_users_found_error` (Cal.com), `no_available_calendar`.

import type { RefusalWords } from '../call.ts';
import { codeWords } from './errorBody.ts';

const slotTakenAnswer = {
  /** A message is about a slot that is not free if it mentions a time, and that it is not free ... */
  time: /\b(?:slots?|times?|time ?slots?|(?:this|that|the requested) (?:interval|window)|starts?|calendar|hosts?|providers?|class|seats?|spots?|availabilit(?:y|ies))\b/i,
  notFree:
    /\b(?:taken|unavailable|(?:not|no longer) (?:available|free|open|offered)|no free|not enough|booked|double.?booking|reserved|occupied|busy|gone|given (?:away )?to (?:another|someone|somebody)|(?:is|already|been|seats) (?:full|filled|blocked|sold out)|(?:another|existing|has an?|already an?) (?:booking|appointment|meeting|event)|no more (?:seats|spots|tables|rooms|spaces|slots|times))\b|\b(?:overlap|conflict)/i,
  /** ... or says so directly after another thing that can be booked; a date of birth, a room's name or an hour's notice do not count ... */
  thing:
    /\b(?:hours?|dates?|days?|lessons?|tables?|courts?|rooms?|items?|spaces?|periods?|resources?)(?: (?:is|are|was|were|has|have|been|just|already|fully)){1,3} (?:taken|gone|booked|reserved|occupied|busy|unavailable|given (?:away )?to|(?:not|no longer) (?:available|free))\b/i,
  /** ... or says that nobody or nothing is available at this time ... */
  none: [/\b(?:no|nobody|no one|none)\b/i, /\b(?:available|availability(?! (?:calendar|rule|schedule|set|template))|free|left)\b/i],
  /** ... or says nothing else ... */
  alone:
    /^(?:already |was |just )*(?:taken|unavailable|(?:not|no longer) available|reserved|occupied|(?:fully )?booked|no available \w+(?: found)?(?: error)?|(?:booking|appointment|slot|time) conflict(?: error)?)\W*$/i,
  /** ... or names another booking that is in the way ... */
  inTheWay:
    /\b(?:overlap|conflict)(?:s|p?ing)?(?:\b.{1,30}\b(?:another|other|existing)\b.{1,20}\b| )(?:event|booking|appointment|meeting|reservation)s?\b(?! (?!already|at|error|exist|fo|in|on|with)[a-z])/i,
  /** ... or says so in another language ... */
  abroad:
    /\b(?:slot|termin|cr.neau|hora|cita).{0,60}(?:belegt|vergeben|nicht .{0,5}(?:frei|verf)|d.j. |(?:plus|pas|no|n.o)(?: est.)? dispon|indispon|ocupad)/i,
  /** ... and does not mention something that is not a time. */
  other: /\b(?:(?:zones?|e.?mails?|plans?|idempotency|features?|tokens?|permissions?)\b|tarif|funktion|fonction|funcion)/i,
  /** Statuses about the connection, the event type or the rate limit. */
  otherStatuses: [401, 403, 404, 429],
};

/** Whether a booking was refused because its slot is not free, going by words alone (G18). Complaints about other fields come first. */
export function isAboutSlot(status: number, { words, code, fields }: RefusalWords): boolean {
  const { time, notFree, thing, none, alone, inTheWay, abroad, other, otherStatuses } = slotTakenAnswer;
  const isTaken = (text: string): boolean =>
    (alone.test(text) ||
      thing.test(text) ||
      inTheWay.test(text) ||
      abroad.test(text) ||
      (time.test(text) && (notFree.test(text) || none.every((each) => each.test(text))))) &&
    !other.test(text);
  if (status >= 500 || otherStatuses.includes(status)) return false;
  return fields.length > 0
    ? fields.every(({ field, message }) => isTaken(codeWords(`${field} ${message}`)))
    : [words, code].some((each) => isTaken(codeWords(each)));
}
