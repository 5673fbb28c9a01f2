/**
 * What is made of the sources: the n8n package, the Zapier archive, the package of the MCP server and the one for developers. Each lies in a folder that is named after a fingerprint of what it was made from, comes
 * there by one rename when it is whole, and is never changed afterwards. So a path that was given out stays good while others build.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/v4';
import { runCommand } from '../process/command.ts';
import { isAlive, withLock } from '../process/lock.cjs';
import { root } from '../root.cjs';
import { only } from './place.ts';

const folder = join(root, '.local', 'built');

const DAY_MS = 24 * 60 * 60_000;
/** Somebody may write a source while it is built; nobody does so again and again. */
const MOST_TRIES = 5;

interface Product {
  name: 'n8n' | 'zapier' | 'mcp' | 'sdk';
  /** What it is made from; a change in any of these makes another one. */
  sources: string[];
}

const common = ['shared/**/*.ts', 'brand.json', 'package-lock.json', 'tsconfig.json', 'tools/build/*.ts'];

const n8nPackage: Product = {
  name: 'n8n',
  sources: ['n8n/package.json', 'n8n/README.md', 'n8n/LICENSE', 'n8n/{nodes,credentials,adapter,icons}/**/*.*', ...common],
};
const zapierApp: Product = {
  name: 'zapier',
  sources: ['zapier/*.*', 'zapier/.zapierapprc', 'zapier/.gitignore', 'zapier/adapter/**/*.*', ...common],
};

const mcpPackage: Product = {
  name: 'mcp',
  sources: ['mcp/*.*', 'mcp/LICENSE', 'mcp/{adapter,skill}/**/*.*', 'sdk/**/*.ts', ...common],
};

const sdkPackage: Product = { name: 'sdk', sources: ['sdk/*.*', 'sdk/LICENSE', 'sdk/*/**/*.ts', ...common] };

const Manifest = z.object({ name: z.string(), version: z.string() });

/** The n8n package: its manifest, `dist`, and the tarball that npm makes of them. Made when there is none of these sources yet. */
export const n8nFolder = (): Promise<string> => upToDate(n8nPackage);

/** The Zapier app as Zapier's tool has built it: `dist`, and the archives in `build`. Made when there is none of these sources yet. */
export const zapierFolder = (): Promise<string> => upToDate(zapierApp);

/** The package of the MCP server: its manifest, `dist`, and the tarball that npm makes of them. Made when there is none of these sources yet. */
export const mcpFolder = (): Promise<string> => upToDate(mcpPackage);

/** The package for developers: its manifest, `dist`, and the tarball that npm makes of them. Made when there is none of these sources yet. */
export const sdkFolder = (): Promise<string> => upToDate(sdkPackage);

export interface Packed {
  name: string;
  version: string;
  tarball: string;
}

async function packedIn(made: string): Promise<Packed> {
  const { name, version } = Manifest.parse(JSON.parse(await readFile(join(made, 'package.json'), 'utf8')));
  return { name, version, tarball: join(made, `${name}-${version}.tgz`) };
}

/** The packed n8n package, and what its manifest calls it. */
export const packedN8n = async (): Promise<Packed> => packedIn(await n8nFolder());

/** The packed MCP server, and what its manifest calls it. */
export const packedMcp = async (): Promise<Packed> => packedIn(await mcpFolder());

/** The packed package for developers, and what its manifest calls it. */
export const packedSdk = async (): Promise<Packed> => packedIn(await sdkFolder());

/** @returns the tarball's path */
export const n8nTarball = async (): Promise<string> => (await packedN8n()).tarball;

/** @returns the path of the program that clients start */
export const mcpProgram = async (): Promise<string> => join(await mcpFolder(), 'dist', 'main.js');

/** @returns the archive's path */
export const zapierZip = async (): Promise<string> => join(await zapierFolder(), 'build', 'build.zip');

async function upToDate(product: Product): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const place = await placeOf(product);
    // Nothing is made twice: whoever asks for the same one waits for whoever makes it.
    if (!existsSync(place)) await alone(product, async () => existsSync(place) || make(product, place));
    if (existsSync(place)) {
      await used(place);
      return place;
    }
  }
  throw new Error(
    `The sources of the ${product.name} package changed each time while it was built. Run the same command again when nobody writes them any more.`,
  );
}

async function alone(product: Product, work: () => Promise<unknown>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, `${product.name}.lock`), work);
}

/** Makes a product and puts it in its place, unless its sources have changed meanwhile: then nobody knows what it was made of. */
async function make(product: Product, place: string): Promise<void> {
  await clearUp(product);
  const workshop = await mkdtemp(join(folder, `${product.name}.making-${process.pid}-`));
  try {
    const made = join(workshop, product.name);
    const program = join(root, 'tools', 'build', 'make.ts');
    const { code, output } = await runCommand(
      process.execPath,
      ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', program, product.name, made],
      { cwd: root, env: plain() },
    );
    if (code !== 0) throw new Error(output.trim() || `Making the ${product.name} package ended with ${code ?? 'a signal'}.`);
    // One that lies there already is of the same sources.
    if ((await placeOf(product)) === place) await rename(made, place).catch(only('ENOTEMPTY', 'EEXIST'));
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The environment in which everybody gets the same product; and none of what works on it outlives us. */
function plain(): Record<string, string | undefined> {
  const endWithParent = `--import=${pathToFileURL(join(root, 'tools', 'process', 'endWithParent.mjs')).href}`;
  const path = [join(process.execPath, '..'), process.env['PATH'] ?? ''].join(delimiter);
  return { NODE_ENV: undefined, NODE_OPTIONS: endWithParent, PATH: path };
}

/** A product is kept for a day after its last use: whoever was given its path may still read it. */
async function used(place: string): Promise<void> {
  const now = new Date();
  // Somebody else's, such as root's, can be read all the same.
  await utimes(place, now, now).catch(only('EPERM', 'EACCES', 'EROFS'));
}

/** Takes away what was broken off, and products that nobody has asked for in a day. Only whoever holds the lock does so. */
async function clearUp({ name }: Product): Promise<void> {
  for (const entry of await readdir(folder)) {
    const [, maker] = new RegExp(`^${name}\\.making-(\\d+)-`).exec(entry) ?? [];
    const isBrokenOff = maker !== undefined && !isAlive(Number(maker));
    // What was started for it may still write there for a second: then it goes the next time.
    if (isBrokenOff)
      await rm(join(folder, entry), { recursive: true, force: true, maxRetries: 3 }).catch(only('ENOTEMPTY', 'EBUSY', 'EPERM'));
    if (!entry.startsWith(`${name}-`) || Date.now() - (await stat(join(folder, entry))).mtimeMs < DAY_MS) continue;
    // Aside first: what is being deleted is not whole any more.
    const aside = join(folder, `${name}.making-${process.pid}-${entry}`);
    await rename(join(folder, entry), aside);
    await rm(aside, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function placeOf({ name, sources }: Product): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(sources, { cwd: root })) files.push(file);
  const hash = createHash('sha256');
  // One that was there a moment ago may be gone: the next fingerprint is another then, and what was made meanwhile is not taken.
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update((await readFile(join(root, file)).catch(only('ENOENT'))) || 'gone')
      .update('\0');
  return join(folder, `${name}-${hash.digest('hex').slice(0, 16)}`);
}
