import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';

const options = [
  '--declaration',
  '--emitDeclarationOnly',
  '--noCheck',
  '--stripInternal',
  '--target es2022',
  '--lib es2023',
  '--module preserve',
  '--moduleResolution bundler',
  '--resolveJsonModule',
  '--allowImportingTsExtensions',
  '--skipLibCheck',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--types node',
].flatMap((option) => option.split(' '));

const imports = /(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;

/**
 * Writes the types of the package: those files of them that its entries lead to, once for ES modules and once for CommonJS, because
 * a compiler takes each for what its name says.
 *
 * @param entries by name, where each is written, from `sdk/`
 */
export async function declarationsOf(dist: string, entries: Readonly<Record<string, string>>): Promise<void> {
  const workshop = await mkdtemp(join(dirname(dist), 'declared-'));
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const files = Object.values(entries).map((file) => join(root, 'sdk', file));
    await mustRun(process.execPath, [compiler, ...options, '--rootDir', root, '--outDir', workshop, ...files], { cwd: root });
    for (const [name, file] of Object.entries(entries)) {
      const up = '../'.repeat(name.split('/').length - 1) || './';
      for (const [ending, script] of endings)
        await write(join(dist, `${name}${ending}`), `export * from '${up}types/sdk/${file.replace(/\.ts$/, script)}';\n`);
    }
    await copyReached(
      workshop,
      join(dist, 'types'),
      Object.values(entries).map((file) => `sdk/${file}`),
    );
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

const endings = [
  ['.d.ts', '.js'],
  ['.d.cts', '.cjs'],
] as const;

async function copyReached(from: string, to: string, files: readonly string[]): Promise<void> {
  const open = [...files];
  const seen = new Set(open);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const declared = file.replace(/\.ts$/, '');
    const text = await readFile(join(from, `${declared}.d.ts`), 'utf8');
    for (const [, , , path = ''] of text.matchAll(imports)) {
      const next = normalize(join(dirname(file), `${path}.ts`)).replaceAll('\\', '/');
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
    for (const [ending, script] of endings) await write(join(to, `${declared}${ending}`), text.replaceAll(imports, `$1$2$3${script}$2`));
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
