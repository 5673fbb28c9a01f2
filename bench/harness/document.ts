import { readFile, writeFile } from 'node:fs/promises';
import type { Line } from './lines.ts';
import type { Results, Taken } from './report.ts';

const [begin, end] = ['<!-- results: written by npm run bench -->', '<!-- end of results -->'];

const verdict = ({ met, beyond }: Line) => (met === undefined ? '' : met ? 'met' : beyond ? 'not met, explained' : 'not met');
const cell = (text: string) => text.replaceAll('|', '\\|');

/** The results as Markdown: a table for each row of the suite, with its notes below it. */
export function asMarkdown({ rows, ...whole }: Results): string {
  const tables = rows.map(({ title, row, lines, taken }) => {
    const notes = [...new Set(lines.flatMap(({ note }) => note ?? []))];
    const body = lines.map((line) => {
      const mark = line.note === undefined ? '' : ` (${notes.indexOf(line.note) + 1})`;
      return `| ${[line.what + mark, line.ours, line.against, line.figure, line.target, verdict(line)].map(cell).join(' | ')} |`;
    });
    return [
      `### ${title}`,
      '',
      `\`npm run bench -- --row ${row}\``,
      '',
      ...(taken === undefined ? [] : [takenOf(taken), '']),
      '| What | Ours | Peer or limit | Ratio (quartiles) | Target | |',
      '|---|---|---|---|---|---|',
      ...body,
      '',
      ...notes.map((note, index) => `${index + 1}. ${note}`),
    ]
      .join('\n')
      .trimEnd();
  });
  return [takenOf(whole), ...tables].join('\n\n');
}

const takenOf = ({ at, machine: { processor, cores, memoryGB, node, platform, loadBefore, loadAfter } }: Taken): string =>
  `Taken ${at.slice(0, 10)} on ${processor}, ${cores} cores, ${memoryGB} GB, ${platform}, Node ${node}, with a load of ${loadBefore} before and ${loadAfter} after. Compare the ratios, not the times: other programs may have been running.`;

/**
 * Puts the results into a document, between its two marks.
 *
 * @throws if the document has lost its marks
 */
export async function writeInto(file: string, results: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for the results: it needs the lines "${begin}" and "${end}".`);
  await writeFile(file, `${text.slice(0, from + begin.length)}\n\n${results}\n\n${text.slice(to)}`);
}
