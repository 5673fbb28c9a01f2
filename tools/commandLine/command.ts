import { readOptions, type TypedOptions } from '../../sdk/node/options.ts';
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
  const known = Object.entries(command.options);
  const refuse = (why: string): never => {
    throw new Refused(`${why} \`${helpCommand(command.name)}\` shows how to use it.`);
  };
  if (args.includes(`--${help}`) || args.includes('-h')) return undefined;
  let read: TypedOptions;
  try {
    read = readOptions(
      args,
      Object.fromEntries(known.map(([name, { value, multiple = false }]) => [name, { value, multiple }])),
      (_, near, typed) => `Unknown option '${typed}'.${near === undefined ? '' : ` Did you mean '--${near}'?`}`,
    );
  } catch (error) {
    return refuse(sentenceOf(error));
  }
  const { given, words } = read;
  const [first] = words;
  if (first !== undefined && command.words === undefined)
    return refuse(
      `"${first}" is not understood.${command.name.startsWith('npm ') ? ` Options come after \`--\`: ${command.name} -- --option value.` : ''}`,
    );
  try {
    const values = Object.fromEntries(known.map(([name, option]) => [name, option.read(given.get(name) ?? [], `--${name}`)]));
    return { values: values as Values<O>, words: [...words] };
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
