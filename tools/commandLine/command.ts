import { readOptions } from '../../sdk/node/options.ts';
import { sentenceOf } from '../process/sentence.cjs';

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

/** Reads what was typed after a command. @returns `undefined` if help was requested @throws {Refused} with a pointer to the help */
export function readCommandLine<O extends Options>(command: Command<O>, args: readonly string[]): Given<O> | undefined {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const known = Object.entries(command.options);
  try {
    const { values: given, positionals: words } = readOptions(
      args,
      Object.fromEntries(
        known.map(([name, { value, multiple = false }]) => [name, { type: value === undefined ? 'boolean' : 'string', multiple }]),
      ),
    );
    if (words.length > 0 && command.words === undefined)
      throw new Refused(`"${words[0]}" is not understood. Write options like this: ${typed(command.name)} --option value.`);
    const values = Object.fromEntries(
      known.map(([name, option]) => [name, option.read([given[name] ?? []].flat().map(String), `--${name}`)]),
    );
    return { values: values as Values<O>, words: [...words] };
  } catch (error) {
    throw new Refused(`${sentenceOf(error)} \`${typed(command.name)} --help\` shows how to use it.`);
  }
}

/** The command as it is typed before its options: npm takes those that come before `--`. */
export const typed = (name: string): string => (name.startsWith('npm ') ? `${name} --` : name);

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

/** Breaks a text into indented lines, as wide as a narrow terminal. */
const wrapped = (text: string, indent = ''): string => text.replaceAll(/(.{1,90})(?: |$)\n?/g, `${indent}$1\n`).trimEnd();

/** One option of a command: how it is shown and how its value is read. */
export interface Option<Value> {
  /** The placeholder for its value in the help, such as `<port>`; a switch has none. */
  value?: string;
  says: string;
  /** The default, as the help shows it. */
  usual?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** @param given every typed value @param name with its dashes @throws {Refused} */
  read: (given: readonly string[], name: string) => Value;
}

/** A wrong option or value. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

export const flag = (says: string): Option<boolean> => ({ says, read: (given) => given.length > 0 });

const shown = (usual: string | number | undefined): { usual?: string } => (usual === undefined ? {} : { usual: String(usual) });

export const text = <Usual extends string | undefined = undefined>(value: string, says: string, usual?: Usual): Option<string | Usual> => ({
  value,
  says,
  ...shown(usual),
  read: (given) => given.at(-1) ?? (usual as Usual),
});

/** An option that may be given several times. @param check throws if a value cannot be used */
export const list = (value: string, says: string, check: (each: string, name: string) => void = () => undefined): Option<string[]> => ({
  value,
  says,
  multiple: true,
  read(given, name) {
    for (const each of given) check(each, name);
    return [...given];
  },
});

export const whole = <Usual extends number | undefined = undefined>(
  value: string,
  says: string,
  { from = 0, to = 999_999_999_999, usual }: { from?: number; to?: number; usual?: Usual } = {},
): Option<number | Usual> => ({
  value,
  says,
  ...shown(usual),
  read(given, name) {
    const typed = given.at(-1);
    if (typed === undefined) return usual as Usual;
    if (!/^\d{1,12}$/.test(typed) || Number(typed) < from || Number(typed) > to)
      throw new Refused(`${name} takes a whole number from ${from} to ${to}, not "${typed}".`);
    return Number(typed);
  },
});

/** An http or https address. */
export const address = (value: string, says: string, usual?: string): Option<string | undefined> => ({
  ...text(value, says),
  ...shown(usual),
  read(given, name) {
    for (const each of given) checkAddress(each, name);
    return given.at(-1) ?? usual;
  },
});

/** @throws {Refused} */
export function checkAddress(typed: string, name: string): void {
  if (!URL.canParse(typed) || !/^https?:$/.test(new URL(typed).protocol))
    throw new Refused(`${name} takes a URL that begins with http:// or https://, not "${typed}".`);
}

/** One of these names, or several separated by commas. */
export const oneOf = <Name extends string>(value: string, says: string, names: readonly Name[], what: string): Option<Name[]> => ({
  value,
  says,
  multiple: true,
  read: (given) =>
    given
      .flatMap((each) => each.split(','))
      .map((each) => {
        const known = names.find((name) => name === each);
        if (known === undefined) throw new Refused(`There is no ${what} "${each}". There are: ${names.join(', ')}.`);
        return known;
      }),
});
