import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import { root } from '../root.cjs';

/** What is declared for people who fill in forms, choose from a menu or map fields, and for polls: nothing that a client or a receiver in code ever reads. */
const forPeople: readonly [files: RegExp, names: readonly string[]][] = [
  [/^shared\/operations\//, ['action', 'description', 'help', 'offsetHelp', 'example', 'sample', 'endpoint', 'choices']],
  [/^shared\/events\.ts$/, ['noun', 'description', 'sample', 'source', 'fits', 'shown']],
  [/^shared\/api\/resources\.ts$/, ['filters']],
  [/^shared\/api\/fields\.ts$/, ['label', 'main', 'children', 'isMade']],
];

/** Marks what keeps how a list shows each event. */
const forPolls = '?polls';

/** Leaves out of a source what is only for people; a worker loads the rest for each start. */
export const lean: Plugin = {
  name: 'without what is for people',
  setup(bundle) {
    // A second table of the events, for polls alone: the one that every client loads stays as small as it is.
    bundle.onResolve({ filter: /^\.\.\/events\.ts$/ }, ({ importer, resolveDir, path }) =>
      /[\\/]shared[\\/]changes[\\/]/.test(importer) ? { path: join(resolveDir, path), suffix: forPolls } : undefined,
    );
    bundle.onLoad({ filter: /[\\/]shared[\\/].*\.ts$/ }, async ({ path, suffix }) => {
      const file = relative(root, path).replaceAll(sep, '/');
      const names = forPeople.find(([files]) => files.test(file))?.[1];
      if (names === undefined) return undefined;
      const left = suffix === forPolls ? names.filter((name) => name !== 'shown') : names;
      return { contents: without(left, await readFile(path, 'utf8')), loader: 'ts', resolveDir: dirname(path) };
    });
    bundle.onLoad({ filter: /[\\/]shared[\\/]brand\.ts$/ }, async () => {
      // Checked when the package is made, and not at every start.
      const { brand } = await import('../../shared/brand.ts');
      return { contents: `export const brand = ${JSON.stringify(brand)};`, loader: 'ts' };
    });
  },
};

/** @param names the properties of objects to leave out */
export function without(names: readonly string[], source: string): string {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest);
  const cuts: [from: number, to: number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && names.includes(node.name.text)) {
      const comma = /^\s*,/.exec(source.slice(node.end))?.[0].length ?? 0;
      cuts.push([node.pos, node.end + comma]);
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  let text = source;
  for (const [from, to] of cuts.reverse()) text = text.slice(0, from) + text.slice(to);
  return text;
}
