import { parseArgs } from 'node:util';
import { sentenceOf } from '../process/sentence.cjs';
import { helpOf } from './help.ts';
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

const help = 'help';

/**
 * Reads what was typed after a command.
 *
 * @returns `undefined` if help was requested
 * @throws {Refused} with a pointer to the help
 */
export function readCommandLine<O extends Options>(command: Command<O>, args: readonly string[]): Given<O> | undefined {
  const known = new Map(Object.entries(command.options));
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries([...known].map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' } as const])),
      [help]: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const typed = new Map<string, string[]>();
  const words: string[] = [];
  const refuse = (why: string): never => {
    throw new Refused(`${why} \`${helpCommand(command.name)}\` shows how to use it.`);
  };
  if (tokens.some((token) => token.kind === 'option' && token.name === help)) return undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, value, inlineValue } = token;
    const option = known.get(token.name);
    if (option === undefined) return refuse(`Unknown option '${rawName}'.${suggestion(token.name, [...known.keys()])}`);
    if (option.value === undefined && value !== undefined) return refuse(`${rawName} takes no value.`);
    const isMissing = value === undefined || value === '' || (value.startsWith('-') && inlineValue !== true);
    if (option.value !== undefined && isMissing) return refuse(`${rawName} needs a value: ${rawName} ${option.value}.`);
    typed.set(token.name, [...(typed.get(token.name) ?? []), value ?? '']);
  }
  const [first] = words;
  if (first !== undefined && command.words === undefined)
    return refuse(
      `"${first}" is not understood.${command.name.startsWith('npm ') ? ` Options come after \`--\`: ${command.name} -- --option value.` : ''}`,
    );
  try {
    const values = Object.fromEntries([...known].map(([name, { read }]) => [name, read(typed.get(name) ?? [], `--${name}`)]));
    return { values: values as Values<O>, words };
  } catch (error) {
    return refuse(sentenceOf(error));
  }
}

/**
 * Runs a command: reads its options, prints its help, and reports wrong options with exit code 2. It ends with the code that `work`
 * returns, or 0. Errors of `work` are printed as a sentence, with exit code 1.
 */
export async function carryOutCommand<O extends Options>(
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

const helpCommand = (name: string): string => `${name}${name.startsWith('npm ') ? ' --' : ''} --help`;

/** The known name that differs in the fewest letters: at most two, and fewer than half of them. */
function suggestion(name: string, known: readonly string[]): string {
  const [nearest] = known.map((each) => ({ each, far: distance(name, each) })).sort((one, other) => one.far - other.far);
  return nearest === undefined || nearest.far > Math.min(2, name.length / 2) ? '' : ` Did you mean '--${nearest.each}'?`;
}

/** How many letters must be added, removed or changed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, against] of [...other].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === against ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
