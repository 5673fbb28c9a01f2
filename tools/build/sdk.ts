import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import ts from 'typescript';
import { root } from '../root.cjs';
import { bundleProgram } from './program.ts';
import { importing, parted } from './parted.ts';
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

const sharedImports = /^import \{([^}]*)\} from "\.\/([^"]+)";$/gm;

/**
 * Joins what the entries share, because each file takes Node.js a while: into `core.js` what `./webhooks` needs, which is loaded alone the
 * most, and into `more.js` the rest. What only clients share stays apart.
 */
async function joinShared(dist: string, { outputs }: Metafile): Promise<void> {
  const reached = new Set(Object.keys(outputs).filter((file) => !/\b(?:index|operations|core-\w+)\.js$/.test(file)));
  for (const file of reached) for (const { path, external } of outputs[file]?.imports ?? []) if (external !== true) reached.add(path);
  const chunks = [...reached].filter((file) => outputs[file]?.entryPoint === undefined);
  const shared = new Map(chunks.map((file) => [basename(file), outputs[file]?.exports]));
  /** Two files may export one name. */
  const named = (name: string, file: string): string => `${name}$${[...shared.keys()].indexOf(file)}`;
  const all = [...shared].map(([file, names = []]) => {
    const exported = names.map((name) => `${name} as ${named(name, file)}`);
    return `export { ${exported.join(', ')} } from './${file}';`;
  });
  const stdin = { contents: all.join('\n'), resolveDir: dist };
  const together = join(dist, 'core.js');
  await build({ ...asInThePackage, absWorkingDir: dist, stdin, bundle: true, format: 'esm', external: ['#network'], outfile: together });
  for (const file of shared.keys()) await rm(join(dist, file));
  const first = new Set<string>();
  const texts = new Map<string, string>();
  for (const file of await readdir(dist)) {
    const text = (await readFile(join(dist, file), 'utf8')).replaceAll(sharedImports, (statement, names: string, from: string) => {
      const renamed = names.replaceAll(/([\w$]+)(?: as ([\w$]+))?/g, (_, name: string, local = name) => `${named(name, from)} as ${local}`);
      return shared.has(from) ? `import {${renamed}} from "./core.js";` : statement;
    });
    texts.set(file, text);
    if (['webhooks.js', 'network.js', 'page.js'].includes(file))
      for (const [, names = '', from] of text.matchAll(sharedImports))
        if (from === 'core.js') for (const [, name = ''] of names.matchAll(/([\w$]+) as/g)) first.add(name);
  }
  const { core, more } = parted(together, first);
  for (const [file, text] of texts)
    await writeFile(
      join(dist, file),
      text.replaceAll(sharedImports, (statement, names: string, from: string) => {
        if (from !== 'core.js') return statement;
        const each = names.split(',').map((name) => name.trim());
        const isCore = (name: string): boolean => core.exports.has(name.split(' as ')[0] ?? '');
        return (
          importing(each.filter(isCore), 'core') +
          importing(
            each.filter((name) => !isCore(name)),
            'more',
          )
        );
      }),
    );
  await writeFile(join(dist, 'core.js'), core.text);
  await writeFile(join(dist, 'more.js'), more.text);
}

/** First as ES modules that share their common code, so that all entries use the same error classes; then each as CommonJS. */
async function bundleEntries(dist: string, { testing = '', ...entries }: Record<string, string>): Promise<void> {
  const together = { ...entries, network: 'client/network.ts', page: 'client/page.ts' };
  // The test kit shares no class with the others. Apart, it does not cut what they share into more files, each of which takes Node a while.
  const asModules = (entryPoints: Record<string, string>) =>
    build({
      ...asInThePackage,
      absWorkingDir: sources,
      entryPoints,
      outdir: dist,
      bundle: true,
      splitting: true,
      chunkNames: 'core-[hash]',
      format: 'esm',
      metafile: true,
      plugins: [networkByRuntime, withoutTexts],
    });
  const { metafile } = await asModules(together);
  await joinShared(dist, metafile);
  await asModules({ testing });
  for (const file of await readdir(dist, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    // Loading another file for nothing but its effects is no use without effects, and bundlers warn of it.
    const module = droppable((await readFile(join(dist, file), 'utf8')).replaceAll(/^import "\.[^"]+";\n/gm, ''));
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
