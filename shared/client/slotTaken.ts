import { slotTakenAnswer } from '../assumptions.ts';
import { codeWords } from './errorBody.ts';
import type { FieldComplaint } from './errors.ts';

/** What a refusal says: in words, by its code, and about single fields. */
export interface Said {
  words: string;
  code: string | undefined;
  fields: readonly FieldComplaint[];
}

/** Whether a booking was refused because its slot is not free, by words alone (G18). Complaints about other fields are told first. */
export function isAboutSlot(status: number, { words, code, fields }: Said): boolean {
  const { names, alone, other, otherStatuses } = slotTakenAnswer;
  const isTaken = (text: string) => (names.every((each) => each.test(text)) || alone.test(text)) && !other.test(text);
  if (status >= 500 || otherStatuses.includes(status)) return false;
  return fields.length > 0
    ? fields.every(({ field, message }) => isTaken(codeWords(`${field} ${message}`)))
    : [words, codeWords(code)].some(isTaken);
}
