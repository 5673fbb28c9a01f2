import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import { root } from '../root.cjs';

/**
 * Properties that are only for polls and for people who fill in forms, choose from a menu or map fields. Clients and receivers in code
 * never read them.
 */
const forPeople: readonly [files: RegExp, names: readonly string[]][] = [
  [
    /^shared\/operations\/(?:booking|contact|eventType|subscription|user)\//,
    ['action', 'description', 'help', 'offsetHelp', 'example', 'sample', 'endpoint', 'choices'],
  ],
  [/^shared\/events\.ts$/, ['noun', 'description', 'sample', 'source', 'fits', 'shown']],
  [/^shared\/records\/resources\.ts$/, ['filters']],
  [/^shared\/records\/fields\.ts$/, ['label', 'main', 'children']],
];

/** Marks the copy of the events that keeps `shown`: how a list shows each event. */
const forPolls = '?polls';

/** Removes from a source what is only for people, because a worker loads all of its code at each start. */
export const lean: Plugin = {
  name: 'without what is for people',
  setup(bundle) {
    // Polls get their own table of events, so that the one that every client loads stays small.
    bundle.onResolve({ filter: /^(?:\.\.\/|\.\.\/\.\.\/shared\/)events\.ts$/ }, ({ importer, resolveDir, path }) =>
      /[\\/](?:shared[\\/]polling|sdk[\\/]changes)[\\/]/.test(importer) ? { path: join(resolveDir, path), suffix: forPolls } : undefined,
    );
    bundle.onLoad({ filter: /[\\/]shared[\\/].*\.ts$/ }, async ({ path, suffix }) => {
      const file = relative(root, path).replaceAll(sep, '/');
      const names = forPeople.find(([files]) => files.test(file))?.[1];
      if (names === undefined) return undefined;
      const left = suffix === forPolls ? names.filter((name) => name !== 'shown') : names;
      return { contents: without(left, await readFile(path, 'utf8')), loader: 'ts', resolveDir: dirname(path) };
    });
    bundle.onLoad({ filter: /[\\/]shared[\\/]brand\.ts$/ }, async () => {
      // The brand is checked when the package is made, not at every start.
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
