import { readOptions, type TypedOptions } from '../../sdk/node/options.ts';
import { sentenceOf } from '../process/sentence.cjs';
import { Refused, type Option } from './options.ts';

export type Options = Record<string, Option<unknown>>;
export type Values<O extends Options> = { [Name in keyof O]: O[Name] extends Option<infer Value> ? Value : never };

/** A command, declared once: its help and the reading of its options both come from here. */
export interface Command<O extends Options> {
  /** The command as it is typed, such as `npm run docs`. */
  name: string;
  /** One sentence: what it does. */
  does: string;
  options: O;
  /** What can be typed besides options; nothing by default. */
  words?: { value: string; says: string };
  /** Complete commands, each with its purpose. */
  examples: readonly (readonly [command: string, says: string])[];
  /** More paragraphs for the help. */
  more?: readonly string[];
}

export interface Given<O extends Options> {
  values: Values<O>;
  words: string[];
}

/**
 * Runs a command: reads its options, prints its help, and reports wrong options with exit code 2. It ends with the code that `work`
 * returns, or 0. Errors of `work` are printed as a sentence, with exit code 1.
 */
export async function runProgram<O extends Options>(
  command: Command<O>,
  work: (given: Given<O>) => Promise<number | void>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  try {
    const given = readCommandLine(command, args);
    if (given === undefined) console.log(helpOf(command));
    else process.exitCode = (await work(given)) ?? 0;
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = error instanceof Refused ? 2 : 1;
  }
}

/**
 * Reads what was typed after a command.
 *
 * @returns `undefined` if help was requested
 * @throws {Refused} with a pointer to the help
 */
export function readCommandLine<O extends Options>(command: Command<O>, args: readonly string[]): Given<O> | undefined {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const known = Object.entries(command.options);
  try {
    const { values: typed, words }: TypedOptions = readOptions(
      args,
      Object.fromEntries(known.map(([name, { value, multiple = false }]) => [name, { value, multiple }])),
      (_, near, option) => `Unknown option '${option}'.${near === undefined ? '' : ` Did you mean '--${near}'?`}`,
    );
    if (words.length > 0 && command.words === undefined)
      throw new Refused(`"${words[0]}" is not understood. Options come after \`--\`: ${command.name} -- --option value.`);
    const values = Object.fromEntries(known.map(([name, option]) => [name, option.read(typed.get(name) ?? [], `--${name}`)]));
    return { values: values as Values<O>, words: [...words] };
  } catch (error) {
    throw new Refused(`${sentenceOf(error)} \`${command.name} -- --help\` shows how to use it.`);
  }
}

/** The help of a command. */
function helpOf<O extends Options>({ name, does, options, words, examples, more = [] }: Command<O>): string {
  const rows = [
    ...(words === undefined ? [] : [[words.value, words.says] as const]),
    ...Object.entries<Option<unknown>>(options).map(([key, { value, says, usual, multiple }]) => {
      const all = [says, multiple === true && 'May be given several times.', usual !== undefined && `Default: ${usual}.`];
      return [`--${key}${value === undefined ? '' : ` ${value}`}`, all.filter((each) => each !== false).join(' ')] as const;
    }),
    ['--help', 'Prints this.'] as const,
  ];
  return [
    wrapped(`${name}: ${does}`),
    '',
    `  ${name} --${words === undefined ? '' : ` [${words.value} ...]`} [options]`,
    '',
    ...rows.flatMap(described),
    ...more.flatMap((paragraph) => ['', ...paragraph.split('\n').map((line) => wrapped(line.trimStart(), /^ */.exec(line)?.[0]))]),
    '',
    'Examples:',
    ...examples.flatMap(described),
  ].join('\n');
}

const described = ([term, says]: readonly [string, string]): string[] => [`  ${term}`, wrapped(says, '      ')];

/** Breaks a text into indented lines, as wide as a narrow terminal. */
const wrapped = (text: string, indent = ''): string => text.replaceAll(/(.{1,90})(?: |$)\n?/g, `${indent}$1\n`).trimEnd();
