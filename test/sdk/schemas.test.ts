import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import type { Operation } from '../../shared/operations/define.ts';
import { operations, searches } from '../../shared/operations/displayOrder.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import { isServiceError } from '../../sdk/errors.ts';
import { asInThePackage } from '../../tools/build/sdk.ts';
import { root } from '../../tools/root.cjs';

interface Parser {
  parseInput: typeof parseInput;
  all: readonly Operation[];
}

/** What the forms of the package say, which has schemas of its own in place of zod. */
async function ofThePackage(): Promise<Parser> {
  const contents = `export { parseInput } from './parseInput.ts';
    import { operations, searches } from './displayOrder.ts';
    export const all = [...operations, ...searches];`;
  const { outputFiles } = await build({
    ...asInThePackage,
    stdin: { contents, resolveDir: join(root, 'shared', 'operations'), loader: 'ts' },
    format: 'cjs',
    bundle: true,
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  expect(text).not.toMatch(/require\("zod/);
  const exported = { exports: {} as Parser };
  (compileFunction(text, ['module']) as (module: object) => void)(exported);
  return exported.exports;
}

/** What a person gets for these fields. */
function outcome({ parseInput: parse }: Pick<Parser, 'parseInput'>, operation: Operation, raw: Record<string, unknown>): unknown {
  try {
    return parse(operation, raw, { timeZone: 'Europe/Berlin' });
  } catch (error) {
    if (!isServiceError(error) && (error as Error).name !== 'ServiceError') throw error;
    return (error as Error).message;
  }
}

const texts = [
  '',
  ' ',
  'x',
  ' ada@example.com ',
  'ada@localhost',
  'ädä@exämple.org',
  'https://example.com/a',
  'ftp://example.com',
  'http:',
  ' https://a.example ',
];
const others = [
  '..',
  'a/b',
  'Europe/Berlin',
  'Mars/Base',
  'CONFIRMED',
  'canceled',
  'en',
  'xx',
  'BOOKING_CREATED',
  '2031-03-04T09:00:00Z',
  '2031-03-04',
  'yes',
];
const value = fc.oneof(
  fc.constantFrom(...texts, ...others),
  fc.constantFrom(undefined, null, 0, 12, 1e21, NaN, true, false, new Date(0)),
  fc.array(fc.constantFrom<unknown>(...others, 3, null), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'constructor', '__proto__'), fc.constantFrom('x', 1), { maxKeys: 2 }),
  fc.string({ maxLength: 6 }),
);

test('the package, which has no zod, takes and refuses every form as the other platforms do, in the same words', async () => {
  const own = await ofThePackage();
  const pairs = [...operations, ...searches].map((operation, index) => [operation, own.all[index] ?? operation] as const);
  expect(pairs.every(([one, other]) => one !== other && one.name === other.name)).toBe(true);
  for (const [operation, other] of pairs) {
    const form = fc.record(Object.fromEntries(Object.keys(operation.input).map((key) => [key, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(form, (raw) => {
        expect(outcome(own, other, raw)).toEqual(outcome({ parseInput }, operation, raw));
      }),
      { numRuns: 400 },
    );
  }
});
