import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = join(__dirname, '..', '__golden__');

/**
 * Holds a definition against the one that was reviewed and committed in `test/__golden__/`. Names and values in it are
 * promises: what users have saved refers to them. A change that is meant is written down by `UPDATE_GOLDEN=1 npm test`,
 * and read by a person before it is committed.
 *
 * @throws naming the file and the first line that differs
 */
export function promised(name: string, definition: unknown): void {
  const file = join(folder, `${name}.json`);
  const now = `${onFewLines(JSON.stringify(definition, null, 2))}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, now);
    return;
  }
  if (!existsSync(file))
    throw new Error(`test/__golden__/${name}.json is missing. Run UPDATE_GOLDEN=1 npm test, and read it before you commit it.`);
  const before = readFileSync(file, 'utf8').split('\n');
  const after = now.split('\n');
  const line = after.findIndex((text, index) => text !== before[index]);
  if (line < 0 && before.length === after.length) return;
  const at = line < 0 ? after.length : line;
  throw new Error(
    `These names are promises: ${name} has changed at line ${at + 1} of test/__golden__/${name}.json.\n- ${before[at] ?? '(end)'}\n+ ${after[at] ?? '(end)'}\n` +
      'Undo it, or add a new version beside the old one. If only words changed, run UPDATE_GOLDEN=1 npm test and read the difference.',
  );
}

/** Lists and objects of plain values on one line where they fit, so that what changed is read at a glance. */
const onFewLines = (json: string): string =>
  json.replace(/([[{])\n\s+([^[\]{}]*?)\n\s+([\]}])/g, (whole, open: string, content: string, close: string) => {
    const line = content.replace(/,\n\s+/g, ', ');
    return line.length > 140 ? whole : open === '[' ? `[${line}]` : `{ ${line} ${close}`;
  });
