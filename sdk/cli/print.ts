import { type FieldRow, outputTables, type ServiceRecord } from '../../shared/records/fields.ts';
import { hasValue } from '../../shared/values.ts';
import type { Operation } from '../../shared/operations/define.ts';

/**
 * The text may come from a stranger: a control character must not move the cursor, color a line or reverse its direction. The characters
 * that join and separate letters (U+200C, U+200D) do neither, and Persian names and emoji such as a family need them.
 */
export const harmless = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, (unseen) => unseen.replace(/[^\u200C\u200D]+/g, ' '));

/** Characters that take two columns in a terminal: Chinese, Japanese and Korean letters, and emoji. */
const isWide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}\p{Emoji_Presentation}\uFE0F]/u;

/** The characters of a text as people see them: each letter with its combining marks. */
const letters = (text: string): string[] =>
  /^[ -~]*$/.test(text) ? [...text] : Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
const widthIn = (letter: string): number => (isWide.test(letter) ? 2 : 1);
const widthOf = (text: string): number => letters(text).reduce((sum, letter) => sum + widthIn(letter), 0);
const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** The longest beginning of a text that fits, never cutting a character in two. */
function fitting(text: string, longest: number): string {
  if (widthOf(text) <= longest) return text;
  const all = letters(text);
  let room = longest - 1;
  const end = all.findIndex((letter) => (room -= widthIn(letter)) < 0);
  return `${all.slice(0, end).join('')}…`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return harmless(value);
  return harmless(JSON.stringify(value) ?? '');
}

/** An empty list also gets no line. */
const isShown = (value: unknown): boolean => hasValue(value) && !(Array.isArray(value) && value.length === 0);

/** The fields that most people use, then those that the operation adds. If the table names no main fields, all fields. */
function ordered({ output, adds = [], secret }: Operation): string[] {
  const { main, fields }: { main?: readonly string[]; fields: Readonly<Record<string, FieldRow>> } = outputTables[output];
  return [...(main ?? Object.keys(fields)), ...adds.map(({ key }) => key), ...(secret === undefined ? [] : [secret])];
}

const fieldsOf = (operation: Operation, record: ServiceRecord): string[] => ordered(operation).filter((key) => isShown(record[key]));

/** A record for people: one field on each line. */
export const asText = (operation: Operation, record: ServiceRecord): string => {
  const fields = fieldsOf(operation, record);
  const width = Math.max(0, ...fields.map((key) => key.length));
  return fields.map((key) => `${key.padEnd(width)}  ${shown(record[key])}`).join('\n');
};

/** Limits of a line in a list: the number of columns, and the width of one. */
const columns = { max: 5, longest: 60 } as const;

/** A list for people: one line per record, below a header with the field names. `--json` shows the other fields. */
export function listText(operation: Operation, records: readonly ServiceRecord[]): string {
  if (records.length === 0) return 'Nothing was found.';
  const filled = new Set(records.flatMap((record) => fieldsOf(operation, record)));
  const others = ordered(operation).filter((key) => key !== 'id' && filled.has(key));
  const keys = [...(filled.has('id') ? ['id'] : []), ...others].slice(0, columns.max);
  const rows = [keys, ...records.map((record) => keys.map((key) => cell(key, record[key])))];
  const widths = keys.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  return rows
    .map((row) =>
      row
        .map((text, at) => padded(text, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(key: string, value: unknown): string {
  if (!isShown(value)) return '';
  const text = shown(Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : value);
  return key === 'id' ? text : fitting(text, columns.longest);
}

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2);
