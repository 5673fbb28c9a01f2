import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/v4';
import { withLock } from '../lock.cjs';
import { root } from '../root.cjs';
import { buildN8n, packN8n } from './n8n.ts';
import { buildZapierArchive, zapierArchive } from './zapier.ts';

const local = join(root, '.local');

const Stamp = z.object({ fingerprint: z.string(), file: z.string() });
type Stamp = z.infer<typeof Stamp>;

interface Product {
  name: 'n8n' | 'zapier';
  /** What it is made from; a change in any of these makes it stale. */
  sources: string[];
  /** Builds it and gives the file that people use. */
  make: () => Promise<string>;
}

const common = ['shared/**/*.ts', 'brand.json', 'package-lock.json', 'scripts/bundle/*.ts'];

const n8nPackage: Product = {
  name: 'n8n',
  sources: ['n8n/package.json', 'n8n/README.md', 'n8n/{nodes,credentials,adapter,icons}/**/*.*', ...common],
  make: async () => {
    await buildN8n();
    return packN8n(join(local, 'package'));
  },
};

const zapierApp: Product = {
  name: 'zapier',
  sources: ['zapier/*.*', 'zapier/.zapierapprc', 'zapier/adapter/**/*.*', ...common],
  make: async () => {
    await buildZapierArchive();
    return zapierArchive;
  },
};

/** The packed n8n package, built when its sources changed since. @returns the tarball's path */
export const n8nTarball = (): Promise<string> => upToDate(n8nPackage);

/** The Zapier archive, built when its sources changed since. @returns the archive's path */
export const zapierZip = (): Promise<string> => upToDate(zapierApp);

/** Builds both anew, whatever was there. */
export async function buildAll(): Promise<{ n8n: string; zapier: string }> {
  return { n8n: await alone('n8n', () => make(n8nPackage)), zapier: await alone('zapier', () => make(zapierApp)) };
}

async function upToDate(product: Product): Promise<string> {
  return (await built(product)) ?? alone(product.name, async () => (await built(product)) ?? make(product));
}

/** Two that build at once would delete each other's files: the second waits for the first. */
export async function alone<Result>(product: Product['name'], work: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(stampOf(product)), { recursive: true });
  return withLock(`${stampOf(product)}.lock`, work);
}

async function make(product: Product): Promise<string> {
  // Taken first: a source that changes during the build makes the product stale again.
  const before = await fingerprint(product);
  const file = await product.make();
  await writeFile(stampOf(product.name), JSON.stringify({ fingerprint: before, file } satisfies Stamp));
  return file;
}

/** The product's file, when it was made from exactly the sources that lie there now. */
async function built(product: Product): Promise<string | undefined> {
  if (!existsSync(stampOf(product.name))) return undefined;
  const stamp = Stamp.parse(JSON.parse(await readFile(stampOf(product.name), 'utf8')));
  return existsSync(stamp.file) && stamp.fingerprint === (await fingerprint(product)) ? stamp.file : undefined;
}

function stampOf(product: Product['name']): string {
  return join(local, 'built', `${product}.json`);
}

async function fingerprint(product: Product): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(product.sources, { cwd: root })) files.push(file);
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file).update('\0').update(await readFile(join(root, file))).update('\0');
  return hash.digest('hex');
}
