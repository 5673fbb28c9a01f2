import { isBlank, visible } from '../values.ts';
import type { Choice } from './define.ts';

/** The choice with this value or label, because people type what they see. */
const choiceOf = (choices: readonly Choice[], value: unknown): Choice | undefined =>
  choices.find((choice) => choice.value === String(value)) ??
  choices.find((choice) => visible(choice.label).toLowerCase() === visible(String(value)).toLowerCase());

/** The value of the choice that is meant; otherwise what was given. */
export const chosen = (choices: readonly Choice[], value: unknown): unknown => choiceOf(choices, value)?.value ?? value;

/**
 * The chosen values of a multiple choice: a list as it is, text as a JSON list if it is one, or as choices with commas between them if each
 * part is one, otherwise as a single choice. Blank entries are ignored.
 */
export function listed(value: unknown, choices: readonly Choice[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => (isBlank(entry) ? [] : separated(entry, choices)));
  try {
    const parsed: unknown = JSON.parse(String(value));
    return Array.isArray(parsed) ? listed(parsed, choices) : separated(value, choices);
  } catch {
    return separated(value, choices);
  }
}

/** Some platforms join the entries of a list with commas. A comma may also belong to a choice, so then nothing is taken apart. */
function separated(value: unknown, choices: readonly Choice[]): unknown[] {
  if (typeof value !== 'string' || choices.some((choice) => `${choice.value}${choice.label}`.includes(','))) return [value];
  const parts = value.split(',').filter((part) => !isBlank(part));
  return parts.every((part) => choiceOf(choices, part.trim()) !== undefined) ? parts.map((part) => part.trim()) : [value];
}
