import { findings, type End, type Tally } from './judge.ts';
import { cellKey, type Finding, type Matrix } from './matrix.ts';

const letters: Partial<Record<End, string>> = {
  lost: 'L',
  invented: 'I',
  stolen: 'S',
  duplicated: 'D',
  undelivered: 'N',
  crossed: 'C',
  hung: 'H',
  untyped: 'U',
  worsened: 'W',
  stormed: 'R',
  leaked: 'X',
};

/** A cell says how many runs were done, failed with a sentence, or may exist. Findings follow with their letters. */
function cell(tally: Tally | undefined): string {
  if (tally === undefined) return '-';
  const bad = findings.flatMap((end) => (tally[end] > 0 ? [`${letters[end] ?? ''}${tally[end]}`] : []));
  return [`${tally.done}/${tally.failed}/${tally.unknown}`, ...bad].join(' ');
}

/** The runs by fault and operation. */
export function tableOf({ tallies }: Matrix, faults: readonly string[], operations: readonly string[]): string {
  const rows = [
    ['fault', ...operations],
    ...faults.map((fault) => [fault, ...operations.map((operation) => cell(tallies.get(cellKey(fault, operation))))]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [
    ...lines,
    '',
    'Each cell: done / failed with a sentence and nothing happened / may exist, with what to look for.',
    'Findings behind it: L lost, I invented, S stolen, D duplicated, H hung, U without a sentence that helps, W made worse, X sent elsewhere.',
  ].join('\n');
}

/** One finding, and how to reproduce it alone. */
export const lineOf = ({ fault, operation, platform, seed, end, why, habits }: Finding): string =>
  `${end}: ${platform} ${operation} under ${fault}, habits ${JSON.stringify(habits)}: ${why.slice(0, 400)}\n  npm run soak -- --replay ${seed} --fault ${fault} --operation ${operation} --platform ${platform}`;
