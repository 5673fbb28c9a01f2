import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import manifest from '../../sdk/package.json' with { type: 'json' };
import compiler from '../../tsconfig.json' with { type: 'json' };
import { root } from '../root.cjs';

/** The project's compiler options, with those for writing declarations. */
const options: ts.CompilerOptions = {
  ...ts.convertCompilerOptionsFromJson(compiler.compilerOptions, root).options,
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  // `npm run check` has already checked them.
  noCheck: true,
  stripInternal: true,
  types: ['node'],
  rootDir: root,
};

const imports = /(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;

/** The compiler's program for some files, such as `sdk/index.ts`, and all their imports. */
export const programOf = (files: readonly string[]): ts.Program =>
  ts.createProgram(
    files.map((file) => join(root, file)),
    options,
  );

const endings = [
  ['.d.ts', '.js'],
  ['.d.cts', '.cjs'],
] as const;

/**
 * Writes the types of a package, but only those that its entries use: once for ES modules and once for CommonJS, because the compiler tells
 * the two apart by file name.
 *
 * @param entries the source file of each entry by its name, relative to the package's folder
 */
export async function declarationsOf(dist: string, entries: Readonly<Record<string, string>>, part = 'sdk'): Promise<void> {
  for (const [name, file] of Object.entries(entries)) {
    const up = '../'.repeat(name.split('/').length - 1) || './';
    for (const [ending, script] of endings)
      await write(join(dist, `${name}${ending}`), `export * from '${up}types/${part}/${file.replace(/\.ts$/, script)}';\n`);
  }
  const files = Object.values(entries).map((file) => `${part}/${file}`);
  const program = programOf(files);
  const reached = new Set(files);
  // One by one: most files of the program are not needed, and the core's form types take the compiler longest.
  for (const file of reached) {
    const source = program.getSourceFile(join(root, file));
    let text = '';
    if (source !== undefined) program.emit(source, (_, declared) => (text = declared), undefined, true);
    if (text === '') throw new Error(`The compiler declared nothing for ${file}.`);
    for (const [, , , path = ''] of text.matchAll(imports)) reached.add(normalize(join(dirname(file), `${path}.ts`)).replaceAll('\\', '/'));
    for (const [ending, script] of endings)
      await write(join(dist, 'types', file.replace(/\.ts$/, ending)), text.replaceAll(imports, `$1$2$3${script}$2`));
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const sources = join(root, 'sdk');

/** The package's entries, such as `oauth` for `./oauth`, with their source files. The manifest lists them. */
export function entriesOf(): Record<string, string> {
  const names = Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => (path === '.' ? 'index' : path.slice(2)));
  return Object.fromEntries(
    names.map((name) => {
      const file = [`${name}.ts`, join(name, 'index.ts')].find((each) => existsSync(join(sources, each)));
      if (file === undefined)
        throw new Error(`sdk/package.json exports ${name}, and there is neither sdk/${name}.ts nor sdk/${name}/index.ts.`);
      return [name, file];
    }),
  );
}
