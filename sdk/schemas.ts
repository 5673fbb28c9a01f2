/**
 * Replaces zod in the package: the few schemas that the core's declarations use, under the names of `zod/v4`. Zod would take half of the
 * package's loading time, and a fifth of what an application sends to a browser. `test/sdk/schemas.test.ts` compares the two, form by form.
 */

/** A fault of a value, in zod's form. */
interface Issue {
  code: 'invalid_type' | 'custom';
  expected?: string;
  message: string;
  path: PropertyKey[];
}

/** Reads a value and adds its faults to `issues`. @returns the value that was read */
type ReadValue = (value: unknown, issues: Issue[]) => unknown;

type Said = string | { error: string | ((issue: { input: unknown }) => string) };
const sentence = (said: Said, input: unknown): string =>
  typeof said === 'string' ? said : typeof said.error === 'string' ? said.error : said.error({ input });

class Schema {
  readonly read: ReadValue;

  constructor(read: ReadValue) {
    this.read = read;
  }

  optional(): ZodOptional {
    return new ZodOptional((value, issues) => (value === undefined ? undefined : this.read(value, issues)));
  }

  /** `next` only receives values of the right type. */
  then(next: ReadValue): Schema {
    return new Schema((value, issues) => {
      const before = issues.length;
      const read = this.read(value, issues);
      return issues.slice(before).some(({ code }) => code === 'invalid_type') ? read : next(read, issues);
    });
  }

  refine(isRight: (value: never) => boolean, said: Said): Schema {
    return this.then((value, issues) => {
      if (!isRight(value as never)) issues.push({ code: 'custom', message: sentence(said, value), path: [] });
      return value;
    });
  }

  trim(): Schema {
    return this.then((value) => (value as string).trim());
  }

  min(least: number, said: Said): Schema {
    return this.refine((value: ArrayLike<unknown>) => value.length >= least, said);
  }

  regex(pattern: RegExp): Schema {
    return this.refine((value: string) => pattern.test(value), 'Invalid string');
  }

  /** Only values without a fault are passed to `next`. */
  pipe(next: Schema): Schema {
    return new Schema((value, issues) => {
      const before = issues.length;
      const read = this.read(value, issues);
      return issues.length > before ? read : next.read(read, issues);
    });
  }

  safeParse(
    value: unknown,
  ): { success: true; data: unknown; error?: never } | { success: false; data?: never; error: { issues: Issue[] } } {
    const issues: Issue[] = [];
    const data = this.read(value, issues);
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  }
}

export class ZodOptional extends Schema {}

const typed = (expected: string, isRight: (value: unknown) => boolean, said: Said = 'Invalid input'): Schema =>
  new Schema((value, issues) => {
    if (!isRight(value)) issues.push({ code: 'invalid_type', expected, message: sentence(said, value), path: [] });
    return value;
  });

/** Like zod, adds a member's key to the path of each of its faults. */
const within = (key: PropertyKey, schema: Schema, value: unknown, issues: Issue[]): unknown => {
  const own: Issue[] = [];
  const read = schema.read(value, own);
  issues.push(...own.map((issue) => ({ ...issue, path: [key, ...issue.path] })));
  return read;
};

export const string = (said?: Said): Schema => typed('string', (value) => typeof value === 'string', said);
export const boolean = (): Schema => typed('boolean', (value) => typeof value === 'boolean');
export const custom = (isRight: (value: unknown) => boolean, said: Said): Schema => new Schema((value) => value).refine(isRight, said);
const oneOf = (values: readonly string[], said: Said): Schema => custom((value) => values.includes(value as string), said);
export { oneOf as enum };
export const email = ({ pattern, error }: { pattern: RegExp; error: string }): Schema =>
  string(error).refine((value: string) => pattern.test(value), error);
export const url = ({ protocol, error }: { protocol: RegExp; error: string }): Schema =>
  string(error)
    .trim()
    .refine((value: string) => URL.canParse(value) && protocol.test(new URL(value).protocol.slice(0, -1)), error);
export const array = (each: Schema): Schema =>
  typed('array', Array.isArray).then((list, issues) => (list as unknown[]).map((value, index) => within(index, each, value, issues)));
export const object = (shape: Readonly<Record<string, Schema>>): Schema =>
  typed('object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)).then((value, issues) =>
    Object.fromEntries(
      Object.entries(shape).flatMap(([key, schema]) => {
        const given = (value as Record<string, unknown>)[key];
        const read = within(key, schema, given, issues);
        return read === undefined && !Object.hasOwn(value as object, key) ? [] : [[key, read]];
      }),
    ),
  );
