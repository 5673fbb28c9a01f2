import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform, type BuildOptions, type Plugin } from 'esbuild';
import ts from 'typescript';
import { root } from '../root.cjs';
import { bundleProgram } from './program.ts';
import { declarationsOf, entriesOf } from './sdkDeclarations.ts';
import { withoutTexts } from './withoutTexts.ts';

const sources = join(root, 'sdk');

/** Each file that declares a form imports zod. The package contains only the part of zod that the forms use. */
export const asInThePackage = {
  alias: { 'zod/v4': join(sources, 'schemas.ts') },
  external: ['node:*'],
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'error',
  // Drops imports that only texts and types use.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
} satisfies BuildOptions;

export async function makeSdk(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  const entries = entriesOf();
  await bundleEntries(dist, entries);
  // The command line program: one file without dependencies.
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

/** The manifest's `imports` choose the runtimes that get this file, and those that get `page`. */
export const networkByRuntime: Plugin = {
  name: 'the network by runtime',
  setup(bundle) {
    bundle.onResolve({ filter: /\/(?:proxy|networkFaults|unreachable)\.ts$/ }, ({ importer }) =>
      /^$|\/(?:network|proxy|networkFaults|unreachable)\.ts$/.test(importer.replaceAll('\\', '/'))
        ? undefined
        : { path: '#network', external: true, sideEffects: false },
    );
  },
};

/**
 * Marks values as free of side effects, so that bundlers can leave out unused ones. The manifest already says so for whole files, but the
 * package's files contain many values, of which an application needs only some.
 */
function droppable(code: string): string {
  /** Values that a bundler itself sees to have no effect: texts, numbers, functions, classes, and lists and objects of them. */
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
 * Joins the entries' common code, because Node.js takes a while for each file. `core.js` has what `./webhooks` needs, which is the entry
 * most often loaded alone; `client.js` has what only clients need, and `more.js` the rest.
 */
async function joinShared(input: Readonly<Record<string, string>>, dist: string): Promise<void> {
  // It is only an ES module, which tests that need just `asInThePackage` cannot load.
  const { rolldown } = await import('rolldown');
  const open = (files: Readonly<Record<string, string>>) =>
    rolldown({
      input: files,
      external: [/^#network$/, /^node:/],
      platform: 'neutral',
      preserveEntrySignatures: 'allow-extension',
      plugins: [{ name: 'values without effects', transform: droppable }],
      treeshake: { moduleSideEffects: false },
    });
  /** The files that each entry needs when it is loaded, by the entry's name. Files that it loads later are entries, too. */
  const needs = new Map<string, ReadonlySet<string>>();
  for (const [name, file] of Object.entries(input)) {
    const bundle = await open({ [name]: file });
    const chunks = (await bundle.generate()).output.filter((each) => each.type === 'chunk');
    await bundle.close();
    const atOnce = new Set(chunks.filter((chunk) => chunk.name === name));
    for (const { imports } of atOnce) for (const each of chunks) if (imports.includes(each.fileName)) atOnce.add(each);
    needs.set(name, new Set([...atOnce].flatMap(({ modules }) => Object.keys(modules))));
  }
  const neededBy = (file: string): string[] => [...needs].filter(([, files]) => files.has(file)).map(([name]) => name);
  const isShared = (file: string): boolean => neededBy(file).length > 1;
  const isOfMore = (name: string): boolean => !['index', 'operations', 'network', 'page'].includes(name);
  const bundle = await open(input);
  await bundle.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    codeSplitting: {
      groups: [
        { name: 'core', test: (file) => isShared(file) && neededBy(file).includes('webhooks'), priority: 3 },
        { name: 'more', test: (file) => isShared(file) && neededBy(file).some(isOfMore), priority: 2 },
        { name: 'client', test: isShared, priority: 1 },
      ],
    },
  });
  await bundle.close();
}

/** Builds ES modules that share their common code, so that all entries use the same error classes; then makes each CommonJS as well. */
async function bundleEntries(dist: string, { testing = '', ...entries }: Record<string, string>): Promise<void> {
  const library: Record<string, string> = { ...entries, network: 'client/network.ts', page: 'client/page.ts', keep: 'webhooks/keep.ts' };
  const parts = join(dist, 'parts');
  const asModules = (entryPoints: NonNullable<BuildOptions['entryPoints']>, write = true) =>
    build({
      ...asInThePackage,
      absWorkingDir: sources,
      entryPoints,
      outdir: parts,
      outbase: root,
      bundle: true,
      splitting: true,
      format: 'esm',
      metafile: true,
      write,
      plugins: [networkByRuntime, withoutTexts],
    });
  // Each file becomes its own module. A shared one would load everything that any entry needs, and everything that a folder's index
  // exports.
  const { inputs } = (await asModules(Object.values(library), false)).metafile;
  await asModules(Object.keys(inputs).filter((file) => /\.[jt]s$/.test(file)));
  // The test kit shares no class with the others. It is made separately, because it includes the samples.
  await asModules({ testing });
  const moduleOf = (file: string): string => join(parts, 'sdk', file.replace(/\.ts$/, '.js'));
  const named = Object.fromEntries(Object.entries(library).map(([name, file]) => [name, moduleOf(file)]));
  await joinShared({ ...named, testing: join(parts, 'testing.js') }, dist);
  await rm(parts, { recursive: true });
  for (const file of await readdir(dist, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    // Removes the names of the parts' files, which no longer exist, and imports for side effects only, because there are none.
    const module = (await readFile(join(dist, file), 'utf8')).replaceAll(/^(?:\/\/ \S+\/parts\/\S+|import "\.[^"]+";)\n/gm, '');
    await writeFile(join(dist, file), module);
    const { code } = await transform(module, {
      format: 'cjs',
      platform: 'neutral',
      target: 'es2022',
      // A dynamic import becomes a `require`, so that a program has only one copy of the package.
      supported: { 'dynamic-import': false },
      charset: 'utf8',
      // People who read the code read the ES modules.
      minifyWhitespace: true,
    });
    await writeFile(join(dist, `${file.slice(0, -3)}.cjs`), code.replaceAll(/require\("(\.{1,2}\/[^"]+)\.js"\)/g, 'require("$1.cjs")'));
  }
}
