import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import { rows } from '../../shared/reading/index.ts';

/** Properties that only forms, lists of fields and operations, documentation and examples use, by the files that contain them. */
const texts: readonly [files: RegExp, properties: readonly string[]][] = [
  [/\/shared\/operations\//, ['action', 'description', 'effect', 'endpoint', 'help', 'offsetHelp', 'example', 'group', 'sample']],
  [/\/shared\/events\.ts$/, ['description', 'fits', 'note', 'noun', 'sample', 'source', 'tells']],
  [/\/shared\/records\/fields\.ts$/, ['label', 'children', 'main']],
];

/**
 * Removes these texts, and the check of the brand, from the package's library. It shows no forms, its types and documentation were already
 * made from them, and an application would send them to every browser. Only the test kit sends samples.
 */
export const withoutTexts: Plugin = {
  name: 'without texts for forms',
  setup(bundle) {
    bundle.onResolve({ filter: /\/events\.ts$/ }, ({ path, importer, kind, resolveDir, pluginData }) =>
      pluginData === 'whole' || !/\/sdk\/testing\//.test(posix(importer))
        ? undefined
        : bundle.resolve(path, { importer, kind, resolveDir, pluginData: 'whole' }).then((found) => ({ ...found, suffix: '?whole' })),
    );
    bundle.onLoad({ filter: /\.ts$/ }, async ({ path, suffix }) => {
      // The build has already checked the brand.
      if (/\/shared\/brand\.ts$/.test(posix(path)))
        return {
          contents: (await readFile(path, 'utf8')).replace('= checkBrand(file)', '= Object.assign({ oauth: {} }, file)'),
          loader: 'ts',
        };
      if (/\/shared\/reading\/rows\.ts$/.test(posix(path))) return { contents: asText(await readFile(path, 'utf8')), loader: 'ts' };
      const [, left] = texts.find(([files]) => files.test(posix(path))) ?? [];
      if (left === undefined) return undefined;
      const unused = left.filter((name) => suffix === '' || name !== 'sample');
      return { contents: without(unused, await readFile(path, 'utf8')), loader: 'ts' };
    });
  },
};

/**
 * The table of forms as text, which is a third of its size, with the name of a fact only once. The reasons for the rows, and the services
 * that use them, matter only to people who edit the table.
 */
function asText(source: string): string {
  let before = '';
  const lines = rows.map(({ fact, at, value, beside, without }) => {
    const name = fact === before ? '' : fact;
    before = fact;
    return [name, value, at, beside ?? (without && ''), without].filter((part) => part !== undefined).join(' ');
  });
  return `${source.slice(0, source.indexOf('const row ='))}
let before = '';
const rowOf = ([fact, value, at, beside, without]) => ({ fact: (before = fact || before), at, value, ...(beside && { beside }), ...(without && { without }) });
export const rows = ${JSON.stringify(lines.join('\n'))}.split('\\n').map((line) => rowOf(line.split(' ')));
`;
}

const posix = (path: string): string => path.replaceAll('\\', '/');

/** The source without these properties of its object literals. */
function without(names: readonly string[], source: string): string {
  const left: ts.ObjectLiteralElementLike[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && names.includes(node.name.text)) left.push(node);
    else ts.forEachChild(node, look);
  };
  look(ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022));
  return left.reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(text[end] === ',' ? end + 1 : end), source);
}
