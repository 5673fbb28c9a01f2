import { parseArgs } from 'node:util';

/** A mistake on the command line, with what to type instead. */
export class Misuse extends Error {}

/** One option of a command, by its name without dashes. */
export interface OptionSpec {
  /** What stands for its value in a message, such as `<port>`; a switch has none. */
  value?: string | undefined;
  /** May be given several times. */
  multiple?: boolean;
  /** One letter that means the same. */
  short?: string;
}

export interface TypedOptions {
  /** Every value of each option that was given; a switch has `''`. */
  values: ReadonlyMap<string, readonly string[]>;
  /** What was typed besides options. */
  words: readonly string[];
}

/**
 * Reads what was typed after a command. Every command line of this project uses it.
 *
 * @param unknown the sentence about an unknown option, with the known name that is closest to it, if one is close
 * @throws Misuse for an unknown option, a missing value, a value of a switch, or an option that was given twice. It names the option but
 *   never its value, which may be a secret
 */
export function readOptions(
  args: readonly string[],
  specs: Readonly<Record<string, OptionSpec>>,
  unknown: (name: string, near: string | undefined, typed: string) => string,
): TypedOptions {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(specs).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (spec === undefined) throw new Misuse(unknown(name, nearest(name, Object.keys(specs)), rawName));
    if (spec.value === undefined && value !== undefined) throw new Misuse(`${rawName} takes no value.`);
    // The next option stands where the value should be.
    const isMissing = value === undefined || (inlineValue === false && value.startsWith('--'));
    if (spec.value !== undefined && isMissing) throw new Misuse(`${rawName} needs a value, such as ${rawName} ${spec.value}.`);
    values.set(name, [...(values.get(name) ?? []), value ?? '']);
  }
  for (const [name, { length }] of values)
    if (length > 1 && specs[name]?.multiple !== true) throw new Misuse(`--${name} was given ${length} times. Give it once.`);
  return { values, words };
}

/** The name closest to a misspelt one, if one is close. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ name, far }) => far <= Math.max(2, Math.floor(name.length / 4)) && far < name.length / 2 + 1)
    .sort((a, b) => a.far - b.far);
  return near[0]?.name;
}

/** The number of letters in which two words differ. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one.slice(0, 80)].entries()) {
    const line = [row + 1];
    for (const [column, wanted] of [...other].entries())
      line.push(Math.min((above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1, (above[column] ?? 0) + (letter === wanted ? 0 : 1)));
    above = line;
  }
  return above.at(-1) ?? 0;
}
