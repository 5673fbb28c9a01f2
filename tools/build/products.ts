/**
 * Builds the products: the n8n package, the Zapier archive, the packages of the MCP server and of the one for many users, the package for
 * developers and the sandbox. Each product is in a folder named after a fingerprint of its sources. It is moved there when it is complete,
 * and never changes afterwards, so a path stays valid while other processes build.
 */
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brand } from '../../shared/brand.ts';
import { runCommand } from '../process/command.ts';
import { madeOnce } from '../process/lock.ts';
import { root } from '../root.cjs';

/** The bundle for desktop clients: an archive with the manifest and the program of the MCP server. */
export const bundleName = `${brand.slug}-mcp.mcpb`;

export const sandboxName = `${brand.slug}-sandbox`;

const folder = join(root, '.local', 'built');

const common = ['shared/**/*.ts', 'brand.json', 'LICENSE', 'package-lock.json', 'tsconfig.json', 'tools/build/*.ts'];

/** The files from which each product is made. If any of them changes, the product is made again. */
const products = {
  n8n: ['n8n/package.json', 'n8n/README.md', 'n8n/{nodes,credentials,adapter,icons}/**/*.*', ...common],
  zapier: ['zapier/*.*', 'zapier/.zapierapprc', 'zapier/.gitignore', 'zapier/adapter/**/*.*', ...common],
  mcp: ['mcp/*.*', 'mcp/{adapter,skill,.claude-plugin}/**/*.*', 'sdk/**/*.ts', ...common],
  hosted: ['hosted/*.*', 'hosted/{database,signIn}/*.ts', '{mcp/adapter,sdk}/**/*.ts', ...common],
  sdk: ['sdk/*.*', 'sdk/*/**/*.ts', ...common],
  sandbox: [
    'sandbox/*.*',
    'sandbox/*/**/*.*',
    'sdk/node/options.ts',
    'tools/{commandLine,process}/*.*',
    'tools/commands/sandbox.ts',
    ...common,
  ],
};

type Product = keyof typeof products;

export type Packed = Awaited<ReturnType<typeof builtPackage>>;

/** Each product except the Zapier app is a package: a folder with the manifest, `dist`, and npm's tarball. */
export async function builtPackage(product: Exclude<Product, 'zapier'>) {
  const made = await builtFolder(product);
  const { name, version } = JSON.parse(await readFile(join(made, 'package.json'), 'utf8')) as Record<'name' | 'version', string>;
  return { name, version, tarball: join(made, `${name}-${version}.tgz`) };
}

export const mcpProgram = async (): Promise<string> => join(await builtFolder('mcp'), 'dist', 'main.js');

/**
 * The folder of a product, which is made if it does not exist for the current sources. That of the Zapier app has the results of Zapier's
 * tool: `dist`, and the archives in `build`.
 */
export async function builtFolder(product: Product): Promise<string> {
  const place = await placeOf(product);
  // Nothing is made twice: if another process is making the product, this one waits.
  await madeOnce(place, async (partial) => {
    const program = join(root, 'tools', 'build', 'make.ts');
    const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', program, product, partial];
    const { code, output } = await runCommand(process.execPath, args, { cwd: root, env: plain() });
    if (code !== 0) throw new Error(output.trim() || `Making the ${product} package ended with ${code ?? 'a signal'}.`);
    if ((await placeOf(product)) !== place)
      throw new Error(`The sources of the ${product} package changed while it was built. Run the same command again.`);
  });
  await markUsed(place);
  return place;
}

/** The same environment for every caller, so that all get the same product. The build also ends when this process does. */
function plain(): Record<string, string | undefined> {
  const endWithParent = `--import=${pathToFileURL(join(root, 'tools', 'process', 'endWithParent.mjs')).href}`;
  const path = [join(process.execPath, '..'), process.env['PATH'] ?? ''].join(delimiter);
  return { NODE_ENV: undefined, NODE_OPTIONS: endWithParent, PATH: path };
}

async function placeOf(product: Product): Promise<string> {
  const hash = createHash('sha256');
  // A file may have disappeared since it was listed. The next fingerprint then differs, so what was made meanwhile is not used.
  for (const file of globSync(products[product], { cwd: root }).sort())
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)).catch(() => 'gone'))
      .update('\0');
  return join(folder, `${product}-${hash.digest('hex').slice(0, 16)}`);
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Marks a folder as used, and deletes its siblings that were not used for a day. Until then, somebody who got a path may still read there.
 */
async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  // A folder that another user made, such as root, can still be read.
  await utimes(folder, now, now).catch(() => undefined);
  for (const entry of await readdir(dirname(folder))) {
    const path = join(dirname(folder), entry);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
