/**
 * What the sources are built into: the n8n package, the Zapier archive, the package of the MCP server, the one for developers and the sandbox. Each
 * product is in a folder named after a fingerprint of its sources. One rename puts it there when it is complete, and it never changes
 * afterwards. So a path stays valid while other processes build.
 */
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/v4';
import { runCommand } from '../process/command.ts';
import { madeOnce } from '../process/madeOnce.mjs';
import { root } from '../root.cjs';
import { markUsed, only } from './place.ts';

const folder = join(root, '.local', 'built');

interface Product {
  name: 'n8n' | 'zapier' | 'mcp' | 'sdk' | 'sandbox';
  /** The files that it is made from. If any of them changes, the product is made again. */
  sources: string[];
}

const common = ['shared/**/*.ts', 'brand.json', 'LICENSE', 'package-lock.json', 'tsconfig.json', 'tools/build/*.ts'];

const n8nPackage: Product = {
  name: 'n8n',
  sources: ['n8n/package.json', 'n8n/README.md', 'n8n/{nodes,credentials,adapter,icons}/**/*.*', ...common],
};
const zapierApp: Product = {
  name: 'zapier',
  sources: ['zapier/*.*', 'zapier/.zapierapprc', 'zapier/.gitignore', 'zapier/adapter/**/*.*', ...common],
};

const mcpPackage: Product = {
  name: 'mcp',
  sources: ['mcp/*.*', 'mcp/{adapter,skill,.claude-plugin}/**/*.*', 'sdk/**/*.ts', ...common],
};

const sdkPackage: Product = { name: 'sdk', sources: ['sdk/*.*', 'sdk/*/**/*.ts', ...common] };

const sandboxPackage: Product = {
  name: 'sandbox',
  sources: ['sandbox/*.*', 'sandbox/*/**/*.*', 'sdk/node/options.ts', 'tools/{commandLine,process}/*.*', ...common],
};

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

/** The package of the sandbox: its manifest, `dist`, and npm's tarball. It is made if it does not exist for the current sources. */
export const sandboxFolder = (): Promise<string> => upToDate(sandboxPackage);

export interface Packed {
  name: string;
  version: string;
  tarball: string;
}

async function packedIn(made: string): Promise<Packed> {
  const { name, version } = Manifest.parse(JSON.parse(await readFile(join(made, 'package.json'), 'utf8')));
  return { name, version, tarball: join(made, `${name}-${version}.tgz`) };
}

export const packedN8n = async (): Promise<Packed> => packedIn(await n8nFolder());

export const packedMcp = async (): Promise<Packed> => packedIn(await mcpFolder());

export const packedSdk = async (): Promise<Packed> => packedIn(await sdkFolder());

export const packedSandbox = async (): Promise<Packed> => packedIn(await sandboxFolder());

/** @returns the tarball's path */
export const n8nTarball = async (): Promise<string> => (await packedN8n()).tarball;

/** @returns the path of the program that clients start */
export const mcpProgram = async (): Promise<string> => join(await mcpFolder(), 'dist', 'main.js');

/** @returns the archive's path */
export const zapierZip = async (): Promise<string> => join(await zapierFolder(), 'build', 'build.zip');

async function upToDate(product: Product): Promise<string> {
  const place = await placeOf(product);
  // Nothing is made twice: if another process is making it, this one waits.
  await madeOnce(place, async (partial) => {
    const program = join(root, 'tools', 'build', 'make.ts');
    const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', program, product.name, partial];
    const { code, output } = await runCommand(process.execPath, args, { cwd: root, env: plain() });
    if (code !== 0) throw new Error(output.trim() || `Making the ${product.name} package ended with ${code ?? 'a signal'}.`);
    if ((await placeOf(product)) !== place)
      throw new Error(`The sources of the ${product.name} package changed while it was built. Run the same command again.`);
  });
  await markUsed(place);
  return place;
}

/** The same environment for every caller, so that all get the same product. The build also ends when this process ends. */
function plain(): Record<string, string | undefined> {
  const endWithParent = `--import=${pathToFileURL(join(root, 'tools', 'process', 'endWithParent.mjs')).href}`;
  const path = [join(process.execPath, '..'), process.env['PATH'] ?? ''].join(delimiter);
  return { NODE_ENV: undefined, NODE_OPTIONS: endWithParent, PATH: path };
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
