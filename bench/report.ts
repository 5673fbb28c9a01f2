import { cpus, loadavg } from 'node:os';

export interface Line {
  what: string;
  ours: string;
  /** The peer and its figure. */
  against: string;
  /** The figure that the target applies to, and its unit. */
  figure: number;
  unit: string;
  /** The target: at least and at most this much, or both for exactly this much. */
  least?: number;
  most?: number;
  /** A further condition of the target, and whether it is met. */
  also?: readonly [says: string, holds: boolean];
  note?: string | undefined;
}

/** One row of the suite, which is a table and can be run alone. */
export interface ReportRow {
  name: string;
  title: string;
  run: () => Promise<Line[]>;
}

export interface RowResult extends Omit<ReportRow, 'run'> {
  lines: Line[];
}

/** Rounds to three significant digits. */
export const rounded = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));

const shown = (value: number, unit: string) => `${rounded(value)}${unit === 'x' ? '' : ' '}${unit}`;

export const isMet = ({ figure, least = -Infinity, most = Infinity, also }: Line): boolean =>
  figure >= least && figure <= most && also?.[1] !== false;

function targetOf({ unit, least, most = 0, also }: Line): string {
  const said = least === undefined ? `at most ${shown(most, unit)}` : `${least === most ? '' : 'at least '}${shown(least, unit)}`;
  return also === undefined ? said : `${said}, ${also[0]}`;
}

/** The average load of the last minute, as the system reports it. */
export const load = (): number => Number((loadavg()[0] ?? 0).toFixed(2));

/** The table in the form of docs/evidence/performance.md. */
export function asMarkdown({ title, name, lines }: RowResult, loadBefore: number): string {
  const notes = [...new Set(lines.flatMap(({ note }) => note ?? []))];
  const body = lines.map((line) => {
    const mark = line.note === undefined ? '' : ` (${notes.indexOf(line.note) + 1})`;
    const { what, ours, against, figure, unit } = line;
    const cells = [what + mark, ours, against, shown(figure, unit), `${targetOf(line)}${isMet(line) ? '' : ' (**not met**)'}`];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    `### ${title}`,
    '',
    `\`npm run bench -- --row ${name}\`, ${new Date().toISOString().slice(0, 10)} on ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}, load ${loadBefore}, then ${load()}.`,
    '',
    '| What | Ours | Peer or limit | Figure | Target |',
    '|---|---|---|---|---|',
    ...body,
    '',
    ...notes.map((note, index) => `${index + 1}. ${note}`),
  ]
    .join('\n')
    .trimEnd();
}
