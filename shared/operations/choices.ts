import { isBlank, listIn, visible } from '../values.ts';
import type { Choice } from './define.ts';

/** The choice with this value or label: people type what they see. */
const choiceOf = (choices: readonly Choice[], value: unknown): Choice | undefined =>
  choices.find((choice) => choice.value === String(value)) ??
  choices.find((choice) => visible(choice.label).toLowerCase() === visible(String(value)).toLowerCase());

/** The value of the choice that is meant; otherwise the given value. */
export const chosen = (choices: readonly Choice[], value: unknown): unknown => choiceOf(choices, value)?.value ?? value;

/**
 * The chosen values of a multiple choice. A list is used as it is, even if nested in a list. A text that is no choice is read as a JSON list
 * if it is one, as choices with separators if each part is a choice, and otherwise as a single choice. Blank entries are ignored.
 */
export function listed(value: unknown, choices: readonly Choice[]): unknown[] {
  const isChoice = (each: unknown): boolean => choices.some((choice) => choice.value === each || choice.label === each);
  const opened = (each: unknown): unknown => (isChoice(each) ? each : listIn(each));
  const entries = [opened(value)].flat().map(opened).flat();
  return entries.flatMap((entry) => (isBlank(entry) ? [] : separated(entry, choices)));
}

const separator = /([,;|\n])/;

/**
 * Platforms join the entries of a list with commas, CRMs with semicolons or bars, and spreadsheets with new lines. Each may also be part of
 * a choice, such as "5,000 to 20,000", so the longest text that is a choice counts as one.
 */
function separated(value: unknown, choices: readonly Choice[]): unknown[] {
  if (typeof value !== 'string') return [value];
  const parts = value.split(separator);
  const known = new Set(choices.flatMap((choice) => [choice.value, visible(choice.label).toLowerCase()]));
  const isChoice = (text: string): boolean => known.has(text) || known.has(visible(text).toLowerCase());
  const longest = Math.max(1, ...[...known].map((text) => text.split(separator).length));
  const found: string[] = [];
  for (let at = 0, length = longest; at < parts.length; at += length + 1, length = longest) {
    const text = (): string =>
      parts
        .slice(at, at + length)
        .join('')
        .trim();
    while (length > 1 && !isChoice(text())) length -= 2;
    if (isBlank(text())) continue;
    if (!isChoice(text())) return [value];
    found.push(text());
  }
  return found;
}
