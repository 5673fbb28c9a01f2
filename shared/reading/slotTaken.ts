// G18, a slot that is not free, told in words of the service's own.

import type { FieldComplaint } from '../serviceError.ts';
import { codeWords } from './errorBody.ts';

/** What a refusal says: in words, by its code, and about single fields. */
export interface RefusalWords {
  words: string;
  code: string | undefined;
  fields: readonly FieldComplaint[];
}

const slotTakenAnswer = {
  /** Words are about a slot that is not free if they mention a time and that it is not free ... */
  names: [
    /\b(?:slots?|times?|time ?slots?|starts?|calendar)\b/i,
    /\b(?:taken|unavailable|(?:not|no longer) (?:available|free|open)|booked|double.?booking|reserved|occupied|busy|(?:another|existing|has an?) (?:booking|appointment|meeting|event))\b|\b(?:overlap|conflict)/i,
  ],
  /** ... or say only that ... */
  alone: /^(?:already |was |just )*(?:taken|unavailable|(?:not|no longer) available|reserved|occupied|(?:fully )?booked)\W*$/i,
  /** ... and nothing that is not a time. */
  other: /\b(?:zones?|e.?mails?|plans?|features?|tokens?|permissions?)\b/i,
  /** Statuses that say something about the connection, the event type or the limit of requests. */
  otherStatuses: [401, 403, 404, 429],
};

/** Whether a booking was refused because its slot is not free, by words alone (G18). Complaints about other fields are told first. */
export function isAboutSlot(status: number, { words, code, fields }: RefusalWords): boolean {
  const { names, alone, other, otherStatuses } = slotTakenAnswer;
  const isTaken = (text: string) => (names.every((each) => each.test(text)) || alone.test(text)) && !other.test(text);
  if (status >= 500 || otherStatuses.includes(status)) return false;
  return fields.length > 0
    ? fields.every(({ field, message }) => isTaken(codeWords(`${field} ${message}`)))
    : [words, codeWords(code)].some(isTaken);
}
