import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import ts from 'typescript';
import { root } from '../root.cjs';
import { bundleProgram } from './program.ts';
import { declarationsOf, entriesOf } from './sdkDeclarations.ts';
import { withoutTexts } from './withoutTexts.ts';

const sources = join(root, 'sdk');

/** Each file that declares a form imports zod, of which the package contains only what the forms use. */
export const asInThePackage = {
  alias: { 'zod/v4': join(sources, 'schemas.ts') },
  external: ['node:*'],
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'error',
  // What only texts and types use is not imported any more.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
} satisfies BuildOptions;

export async function makeSdk(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  const entries = await entriesOf();
  await bundleEntries(dist, entries);
  // The program of the command line: one file, which needs nothing else.
  const program = join(dist, 'cli.js');
  await bundleProgram(program, sources, {
    entryPoints: ['cli/main.ts'],
    outfile: program,
    target: 'node20',
    format: 'esm',
    alias: asInThePackage.alias,
    banner: { js: '#!/usr/bin/env node' },
  });
  await declarationsOf(dist, entries);
}

/** The manifest's `imports` say in which runtimes it is this file, and where it is `page`. */
export const networkByRuntime: Plugin = {
  name: 'the network by runtime',
  setup(bundle) {
    bundle.onResolve({ filter: /\/(?:proxy|networkFaults|unreachable)\.ts$/ }, ({ importer }) =>
      /\/(?:network|proxy|networkFaults|unreachable)\.ts$/.test(importer.replaceAll('\\', '/'))
        ? undefined
        : { path: '#network', external: true, sideEffects: false },
    );
  },
};

/**
 * The manifest says that the package has no side effects: nothing happens where a value is made. Here each value says so itself, because
 * the files of the package hold many, of which an application needs some: a bundler leaves out the others.
 */
function droppable(code: string): string {
  /** What a bundler sees to have no effect: texts, numbers, functions, classes, and lists and objects of them. */
  const isPlain = (node: ts.Node): boolean =>
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isLiteralExpression(node) ||
    ts.isIdentifier(node) ||
    (ts.isArrayLiteralExpression(node) && node.elements.every(isPlain)) ||
    (ts.isObjectLiteralExpression(node) &&
      node.properties.every((each) => (ts.isPropertyAssignment(each) ? isPlain(each.initializer) : ts.isMethodDeclaration(each))));
  const made = ts
    .createSourceFile('chunk.js', code, ts.ScriptTarget.ES2022)
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer === undefined || isPlain(initializer) ? [] : initializer));
  return made.reduceRight(
    (text, { pos, end }) => `${text.slice(0, pos)} /* @__PURE__ */ (() => (${text.slice(pos, end).trim()}))()${text.slice(end)}`,
    code,
  );
}

/**
 * Joins what the entries share, because each file takes Node.js a while: into `core.js` what `./webhooks` needs, which is loaded alone the
 * most, and into `more.js` the rest. What only clients share stays apart.
 *
 * @param parts the folder of the files as esbuild cut them
 */
async function joinShared(parts: string, dist: string, outputs: Metafile['outputs']): Promise<void> {
  // An ES module alone, which tests that only need `asInThePackage` cannot load.
  const { rolldown } = await import('rolldown');
  const files = new Map(Object.entries(outputs).map(([file, output]) => [basename(file), output]));
  const entries = [...files].filter(([, { entryPoint }]) => entryPoint !== undefined).map(([name]) => name);
  /** The shared files that these entries need. */
  const sharedBy = (names: readonly string[]): readonly string[] => {
    const reached = new Set(names);
    for (const name of reached)
      for (const { path } of files.get(name)?.imports ?? []) if (files.has(basename(path))) reached.add(basename(path));
    return [...reached].filter((name) => !entries.includes(name)).map((name) => join(parts, name));
  };
  const isOneOf = (those: readonly string[]) => (file: string) => those.includes(file);
  const onlyClients = ['index.js', 'operations.js'];
  const bundle = await rolldown({
    input: entries.map((name) => join(parts, name)),
    external: [/^#network$/, /^node:/],
    platform: 'neutral',
    preserveEntrySignatures: 'allow-extension',
    plugins: [{ name: 'values without effects', transform: droppable }],
    treeshake: { moduleSideEffects: false },
  });
  await bundle.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'core', test: isOneOf(sharedBy(['webhooks.js', 'network.js', 'page.js'])), priority: 2 },
        { name: 'more', test: isOneOf(sharedBy(entries.filter((name) => !onlyClients.includes(name)))), priority: 1 },
      ],
    },
  });
  await bundle.close();
}

/** First as ES modules that share their common code, so that all entries use the same error classes; then each as CommonJS. */
async function bundleEntries(dist: string, { testing = '', ...entries }: Record<string, string>): Promise<void> {
  const together = { ...entries, network: 'client/network.ts', page: 'client/page.ts' };
  // The test kit shares no class with the others. Apart, it does not cut what they share into more files, each of which takes Node a while.
  const asModules = (entryPoints: Record<string, string>, outdir: string) =>
    build({
      ...asInThePackage,
      absWorkingDir: sources,
      entryPoints,
      outdir,
      bundle: true,
      splitting: true,
      chunkNames: 'core-[hash]',
      format: 'esm',
      metafile: true,
      plugins: [networkByRuntime, withoutTexts],
    });
  const parts = join(dist, 'parts');
  const [library, kit] = [await asModules(together, parts), await asModules({ testing }, parts)];
  await joinShared(parts, dist, { ...library.metafile.outputs, ...kit.metafile.outputs });
  await rm(parts, { recursive: true });
  for (const file of await readdir(dist, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    // The bundler names the file of each part, which is gone. And loading another for nothing but its effects is no use without effects.
    const module = (await readFile(join(dist, file), 'utf8')).replaceAll(/^(?:\/\/ \S+\/parts\/\S+|import "\.[^"]+";)\n/gm, '');
    await writeFile(join(dist, file), module);
    const { code } = await transform(module, {
      format: 'cjs',
      platform: 'neutral',
      target: 'es2022',
      charset: 'utf8',
      // Whoever reads the code reads the ES modules.
      minifyWhitespace: true,
    });
    await writeFile(join(dist, `${file.slice(0, -3)}.cjs`), code.replaceAll(/require\("(\.{1,2}\/[^"]+)\.js"\)/g, 'require("$1.cjs")'));
  }
}
