import type { Command, Options } from './command.ts';
import type { Option } from './options.ts';

const columns = 100;

/** The complete help of a command, at most a hundred columns wide. */
export function helpOf<O extends Options>({ name, does, options, words, examples, more = [] }: Command<O>): string {
  const dashes = name.startsWith('npm run') || name === 'npm start' ? ' --' : '';
  const rows = [
    ...(words === undefined ? [] : [[words.value, words.says] as const]),
    ...Object.entries<Option<unknown>>(options)
      .filter(([, { isHidden }]) => isHidden !== true)
      .map(([key, option]) => [`--${key}${option.value === undefined ? '' : ` ${option.value}`}`, described(option)] as const),
    ['--help', 'Prints this.'] as const,
  ];
  const usage = [name, dashes, words === undefined ? '' : ` [${words.value} ...]`, ' [options]'].join('');
  return [
    wrapped(`${name}: ${does}`, 0),
    '',
    `  ${usage}`,
    '',
    ...columnsOf(rows),
    ...more.flatMap((paragraph) => ['', ...paragraph.split('\n').map((line) => wrapped(line, /^ */.exec(line)?.[0].length ?? 0))]),
    '',
    examples.length === 1 ? 'For example:' : 'Examples:',
    ...examples.flatMap(([line, says]) => [`  ${line}`, wrapped(`      ${says}`, 6)]),
  ].join('\n');
}

function described({ says, usual, multiple }: Option<unknown>): string {
  return [says, multiple === true ? ' May be given several times.' : '', usual === undefined ? '' : ` Default: ${usual}.`].join('');
}

/** Two columns. If the first is wide, the second begins below it. */
function columnsOf(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(28, Math.max(...rows.map(([first]) => first.length)));
  return rows.flatMap(([first, second]) => {
    const indent = width + 5;
    const [start = '', ...rest] = wrapped(' '.repeat(indent) + second, indent).split('\n');
    return first.length > width ? [`  ${first}`, start, ...rest] : [`  ${first.padEnd(width)}   ${start.trimStart()}`, ...rest];
  });
}

/** Breaks a line between words so that it fits the width of the help. Further lines begin at the indent. */
function wrapped(line: string, indent: number): string {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const at = rest.lastIndexOf(' ', columns);
    if (at <= indent) break;
    lines.push(rest.slice(0, at));
    rest = ' '.repeat(indent) + rest.slice(at + 1);
  }
  return [...lines, rest].join('\n');
}
