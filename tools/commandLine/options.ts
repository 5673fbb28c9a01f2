/** One option of a command: how it is shown and how its value is read. */
export interface Option<Value> {
  /** The placeholder for its value in the help, such as `<port>`; a switch has none. */
  value?: string;
  says: string;
  /** The default, as the help shows it. */
  usual?: string;
  /** May be given several times. */
  multiple?: boolean;
  /**
   * @param given every typed value; a switch has `''` for each time
   * @param name with its dashes
   * @throws {Refused}
   */
  read: (given: readonly string[], name: string) => Value;
}

/** A wrong option or value. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

export const flag = (says: string): Option<boolean> => ({ says, read: (given) => given.length > 0 });

export function text(value: string, says: string, usual: string): Option<string>;
export function text(value: string, says: string): Option<string | undefined>;
export function text(value: string, says: string, usual?: string): Option<string | undefined> {
  return { value, says, ...(usual === undefined ? {} : { usual }), read: (given) => given.at(-1) ?? usual };
}

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

interface Range {
  from?: number;
  to?: number;
}

export function whole(value: string, says: string, range: Range & { usual: number }): Option<number>;
export function whole(value: string, says: string, range?: Range): Option<number | undefined>;
export function whole(
  value: string,
  says: string,
  { from = 0, to = 999_999_999_999, usual }: Range & { usual?: number } = {},
): Option<number | undefined> {
  const read = (given: readonly string[], name: string): number | undefined => {
    const typed = given.at(-1);
    if (typed === undefined) return usual;
    if (!/^\d{1,12}$/.test(typed) || Number(typed) < from || Number(typed) > to)
      throw new Refused(`${name} takes a whole number from ${from} to ${to}, not "${typed}".`);
    return Number(typed);
  };
  return { value, says, ...(usual === undefined ? {} : { usual: String(usual) }), read };
}

/** An http or https address. */
export const address = (value: string, says: string, usual?: string): Option<string | undefined> => ({
  ...text(value, says),
  ...(usual === undefined ? {} : { usual }),
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
