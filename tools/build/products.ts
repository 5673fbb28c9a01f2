/**
 * What the sources are built into: the n8n package, the Zapier archive, the package of the MCP server and the one for developers. Each
 * product is in a folder named after a fingerprint of its sources. One rename puts it there when it is complete, and it never changes
 * afterwards. So a path stays valid while other processes build.
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
/** A source may change while it is built, but hardly this many times in a row. */
const MOST_TRIES = 5;

interface Product {
  name: 'n8n' | 'zapier' | 'mcp' | 'sdk';
  /** The files that it is made from. If any of them changes, the product is made again. */
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

/** The n8n package: its manifest, `dist`, and npm's tarball. It is made if it does not exist for the current sources. */
export const n8nFolder = (): Promise<string> => upToDate(n8nPackage);

/**
 * The Zapier app as Zapier's tool builds it: `dist`, and the archives in `build`. It is made if it does not exist for the current sources.
 */
export const zapierFolder = (): Promise<string> => upToDate(zapierApp);

/** The package of the MCP server: its manifest, `dist`, and npm's tarball. It is made if it does not exist for the current sources. */
export const mcpFolder = (): Promise<string> => upToDate(mcpPackage);

/** The package for developers: its manifest, `dist`, and npm's tarball. It is made if it does not exist for the current sources. */
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

/** The packed n8n package, with its name and version. */
export const packedN8n = async (): Promise<Packed> => packedIn(await n8nFolder());

/** The packed MCP server, with its name and version. */
export const packedMcp = async (): Promise<Packed> => packedIn(await mcpFolder());

/** The packed package for developers, with its name and version. */
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
    // Nothing is made twice: if another process is making it, this one waits.
    if (!existsSync(place)) await alone(product, async () => existsSync(place) || make(product, place));
    if (existsSync(place)) {
      await used(place);
      return place;
    }
  }
  throw new Error(
    `The sources of the ${product.name} package changed each time while it was built. Run the same command again when they no longer change.`,
  );
}

async function alone(product: Product, work: () => Promise<unknown>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, `${product.name}.lock`), work);
}

/** Makes a product and puts it in place, unless its sources changed meanwhile: then it is not certain what it was made from. */
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
    // If one is already there, it was made from the same sources.
    if ((await placeOf(product)) === place) await rename(made, place).catch(only('ENOTEMPTY', 'EEXIST'));
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The same environment for every caller, so that all get the same product. The build also ends when this process ends. */
function plain(): Record<string, string | undefined> {
  const endWithParent = `--import=${pathToFileURL(join(root, 'tools', 'process', 'endWithParent.mjs')).href}`;
  const path = [join(process.execPath, '..'), process.env['PATH'] ?? ''].join(delimiter);
  return { NODE_ENV: undefined, NODE_OPTIONS: endWithParent, PATH: path };
}

/** A product is kept for a day after its last use, because someone who was given its path may still read it. */
async function used(place: string): Promise<void> {
  const now = new Date();
  // A product that another user made, such as root, can still be read.
  await utimes(place, now, now).catch(only('EPERM', 'EACCES', 'EROFS'));
}

/** Deletes what interrupted builds left, and products that were not used for a day. Only call it while holding the lock. */
async function clearUp({ name }: Product): Promise<void> {
  for (const entry of await readdir(folder)) {
    const [, maker] = new RegExp(`^${name}\\.making-(\\d+)-`).exec(entry) ?? [];
    const isBrokenOff = maker !== undefined && !isAlive(Number(maker));
    // A program that the build started may still write there for a second. Then the next call deletes the folder.
    if (isBrokenOff)
      await rm(join(folder, entry), { recursive: true, force: true, maxRetries: 3 }).catch(only('ENOTEMPTY', 'EBUSY', 'EPERM'));
    if (!entry.startsWith(`${name}-`) || Date.now() - (await stat(join(folder, entry))).mtimeMs < DAY_MS) continue;
    // Moved aside first, because a folder that is being deleted is no longer complete.
    const aside = join(folder, `${name}.making-${process.pid}-${entry}`);
    await rename(join(folder, entry), aside);
    await rm(aside, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function placeOf({ name, sources }: Product): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(sources, { cwd: root })) files.push(file);
  const hash = createHash('sha256');
  // A file may have disappeared since it was listed. Then the next fingerprint differs, and what was made meanwhile is not used.
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update((await readFile(join(root, file)).catch(only('ENOENT'))) || 'gone')
      .update('\0');
  return join(folder, `${name}-${hash.digest('hex').slice(0, 16)}`);
}
