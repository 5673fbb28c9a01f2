import { addressIn, Misuse, readOptions } from '../../sdk/node/options.ts';
import { sentenceOf } from '../process/sentence.cjs';

/** One option, as `parseArgs` of Node.js takes it, and its text in the help. */
interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  default?: string;
  /** The placeholder for its value in the help, such as `<port>`; a switch has none. */
  value?: string;
  says: string;
  /** The default, described for the help. */
  usual?: string;
}
export { Misuse };

export type DeclaredOptions = Readonly<Record<string, Option>>;

export const flag = (says: string) => ({ type: 'boolean', says }) as const;
export const text = (value: string, says: string) => ({ type: 'string', value, says }) as const;

export type Values<O extends DeclaredOptions> = ReturnType<typeof readOptions<O>>['values'];

/** A command, declared once: both its help and its option parsing follow from this. */
export interface ToolCommand<O extends DeclaredOptions> {
  /** The command as typed, such as `npm run docs`. */
  name: string;
  /** What it does, in one sentence. */
  does: string;
  options: O;
  /** The positional arguments; none by default. */
  words?: { value: string; says: string };
  /** Complete commands, each with its purpose. */
  examples: readonly (readonly [command: string, says: string])[];
  /** More paragraphs for the help. */
  more?: readonly string[];
}

/**
 * Runs a command: parses its options, prints its help, and reports wrong options with exit code 2. Otherwise, it exits with the code that
 * `work` returns, or 0. Errors of `work` are printed as a sentence, with exit code 1.
 */
export async function runProgram<O extends DeclaredOptions>(
  command: ToolCommand<O>,
  work: (given: { values: Values<O>; words: readonly string[] }) => Promise<number | void>,
): Promise<void> {
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help') || args.includes('-h')) console.log(helpOf(command));
    else process.exitCode = (await work(readCommandLine(command, args))) ?? 0;
  } catch (error) {
    const isRefused = error instanceof Misuse;
    console.error(isRefused ? `${error.message} \`${typed(command.name)} --help\` shows how to use it.` : sentenceOf(error));
    process.exitCode = isRefused ? 2 : 1;
  }
}

/** Parses the arguments of a command. @throws {Misuse} which never quotes a value that may be a secret */
export function readCommandLine<O extends DeclaredOptions>({ name, options, words }: ToolCommand<O>, args: readonly string[]) {
  const { values, positionals } = readOptions(args, options);
  if (positionals.length === 0 || words !== undefined) return { values, words: positionals };
  throw new Misuse(`Write options like this: ${typed(name)} --option value.`);
}

/** The command as typed before its options: npm takes those before `--` for itself. */
export const typed = (name: string): string => (name.startsWith('npm ') ? `${name} --` : name);

function helpOf<O extends DeclaredOptions>({ name, does, options, words, examples, more = [] }: ToolCommand<O>): string {
  const rows = [
    ...(words === undefined ? [] : [[words.value, words.says] as const]),
    ...Object.entries<Option>(options).map(([key, { value, says, default: fixed, usual = fixed, multiple }]) => {
      const all = [says, multiple === true && 'May be given several times.', usual !== undefined && `Default: ${usual}.`];
      return [`--${key}${value === undefined ? '' : ` ${value}`}`, all.filter((each) => each !== false).join(' ')] as const;
    }),
    ['--help', 'Prints this.'] as const,
  ];
  return [
    wrapped(`${name}: ${does}`),
    '',
    `  ${typed(name)}${words === undefined ? '' : ` [${words.value} ...]`} [options]`,
    '',
    ...rows.flatMap(described),
    ...more.flatMap((paragraph) => ['', ...paragraph.split('\n').map((line) => wrapped(line.trimStart(), /^ */.exec(line)?.[0]))]),
    '',
    'Examples:',
    ...examples.flatMap(described),
  ].join('\n');
}

const described = ([term, says]: readonly [string, string]): string[] => [`  ${term}`, wrapped(says, '      ')];

/** Breaks a text into indented lines that fit a narrow terminal. */
const wrapped = (text: string, indent = ''): string => text.replaceAll(/(.{1,90})(?: |$)\n?/g, `${indent}$1\n`).trimEnd();

/** A whole number. @throws {Misuse} */
export function whole(typed: string, name: string, from = 0, to = 999_999_999_999): number {
  if (!/^\d{1,12}$/.test(typed) || Number(typed) < from || Number(typed) > to)
    throw new Misuse(`${name} takes a whole number from ${from} to ${to}, not "${typed}".`);
  return Number(typed);
}

/** An http or https address, if one was typed. @throws {Misuse} */
export const address = <Typed extends string | undefined>(typed: Typed, option: string): Typed =>
  (typed && addressIn(typed, option)) as Typed;

/** The typed names, each argument with one or several separated by commas; all names if none was typed. @throws {Misuse} */
export function namesIn<Name extends string>(typed: readonly string[] = [], names: readonly Name[], what: string): readonly Name[] {
  const wanted = typed.flatMap((each) => each.split(','));
  const unknown = wanted.find((each) => !names.some((name) => name === each));
  if (unknown !== undefined) throw new Misuse(`There is no ${what} "${unknown}". There are: ${names.join(', ')}.`);
  return wanted.length === 0 ? names : names.filter((name) => wanted.includes(name));
}
