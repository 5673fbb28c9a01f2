import { readFile, writeFile } from 'node:fs/promises';
import type { Line } from './lines.ts';
import type { Machine, RowResult } from './report.ts';

const [begin, end] = ['<!-- results: written by npm run bench -->', '<!-- end of results -->'];

const verdict = ({ met, beyond }: Line) => (met === undefined ? '' : met ? 'met' : beyond ? 'not met, explained' : 'not met');
const cell = (text: string) => text.replaceAll('|', '\\|');
const command = (row: string): string => `\`npm run bench -- --row ${row}\``;

/** A row as Markdown: its table, with its notes below. */
export function asMarkdown({ title, row, lines }: RowResult, { processor, cores, node, loadBefore, loadAfter }: Machine): string {
  const notes = [...new Set(lines.flatMap(({ note }) => note ?? []))];
  const body = lines.map((line) => {
    const mark = line.note === undefined ? '' : ` (${notes.indexOf(line.note) + 1})`;
    return `| ${[line.what + mark, line.ours, line.against, line.figure, line.target, verdict(line)].map(cell).join(' | ')} |`;
  });
  return [
    `### ${title}`,
    '',
    `${command(row)}, ${new Date().toISOString().slice(0, 10)} on ${processor}, ${cores} cores, Node ${node}, with a load of ${loadBefore} before and ${loadAfter} after.`,
    '',
    '| What | Ours | Peer or limit | Ratio (quartiles) | Target | |',
    '|---|---|---|---|---|---|',
    ...body,
    '',
    ...notes.map((note, index) => `${index + 1}. ${note}`),
  ]
    .join('\n')
    .trimEnd();
}

/**
 * Puts the results into a document, between its two marks. A row that is there already is replaced, a new one comes last.
 *
 * @throws if the document has lost its marks
 */
export async function writeInto(file: string, results: readonly RowResult[], machine: Machine): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from)
    throw new Error(`${file} has no place for the results: it needs the lines "${begin}" and "${end}".`);
  const sections = text
    .slice(from, to)
    .split(/^(?=### )/m)
    .map((section) => section.trim())
    .filter((section) => section !== '');
  for (const result of results) {
    const known = sections.findIndex((section) => section.includes(command(result.row)));
    sections.splice(known < 0 ? sections.length : known, 1, asMarkdown(result, machine));
  }
  await writeFile(file, `${text.slice(0, from)}\n\n${sections.join('\n\n')}\n\n${text.slice(to)}`);
}
