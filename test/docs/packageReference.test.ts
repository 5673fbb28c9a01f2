import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

const folder = join(root, 'docs', 'reference', 'package');

interface Described {
  page: string;
  name: string;
  words: string;
  declaration: string;
}

const described: Described[] = [];
beforeAll(async () => {
  for await (const page of glob('*.md', { cwd: folder })) {
    const text = await readFile(join(folder, page), 'utf8');
    for (const section of text.split(/^## /m).slice(1)) {
      const [, name = '', words = '', declaration = ''] = /^(\w+)\n([^]*?)```ts\n([^]*?)```/.exec(section) ?? [];
      described.push({ page, name, words: words.trim(), declaration });
    }
  }
});

/** Types that every TypeScript program knows. */
const known =
  'AbortSignal AsyncIterable Date Error Exclude Extract Partial Pick Promise Readonly Record Request RequestInit Required Response URL URLSearchParams Uint8Array';

it('explains the purpose of everything', () => {
  expect(described.filter(({ words }) => words === '').map(({ page, name }) => `${page}: ${name}`)).toEqual([]);
});

it('names nothing that is not described', () => {
  const names = new Set([...described.map(({ name }) => name), ...known.split(' ')]);
  const unknown = described.flatMap(({ page, name, declaration }) => {
    const plain = declaration.replaceAll(/\/\*[^]*?\*\/|'[^'\n]*'/g, '');
    const parameters = /[<[]([A-Z]\w*) (?:extends|in) |<([A-Z]\w*)>\(|^(?:interface|type) \w+<([A-Z]\w*)/g;
    const own = [...plain.matchAll(parameters)].flatMap(([, ...each]) => each);
    const named = [...plain.matchAll(/(?<![\w.])[A-Z]\w*/g)].map(([each]) => each);
    return named.filter((each) => !names.has(each) && !own.includes(each)).map((each) => `${page}: ${name}: ${each}`);
  });
  expect(unknown).toEqual([]);
});
