import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The maximum length of a line in a golden file. */
const WIDTH = 140;

/**
 * Compares the names of a definition with those reviewed and committed in `test/__golden__/`. They are promises, because users' saved work
 * refers to them. `npm run sync` records intended changes, which a person reviews before committing.
 *
 * @throws an error with the file and the first line that differs
 */
export function promised(name: string, definition: unknown): void {
  const file = join(__dirname, '..', '__golden__', `${name}.json`);
  const now = `${printed(definition)}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') return writeFileSync(file, now);
  const before = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n');
  const after = now.split('\n');
  const line = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at).find((at) => before[at] !== after[at]);
  if (line === undefined) return;
  throw new Error(
    `These names are promises: line ${line + 1} of test/__golden__/${name}.json has changed.\n- ${before[line] ?? '(end)'}\n+ ${after[line] ?? '(end)'}\n` +
      'Undo it, or add a new version beside the old one. If it is an addition, run npm run sync and read the difference.',
  );
}

/** JSON with everything that fits on one line, so that changes are easy to read. */
function printed(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (line.length + indent.length <= WIDTH || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((each) => printed(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${JSON.stringify(key)}: ${printed(each, inner)}`);
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

/** A definition without its texts: the keys, values and settings to which users' saved work and their platform refer. */
export function withoutWords(value: unknown, words: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !words.has(key) && typeof each !== 'function')
      .map(([key, each]) => [key, withoutWords(each, words)]),
  );
}
