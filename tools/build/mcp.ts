import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import * as z from 'zod/v4';
import { operations } from '../../shared/operations/index.ts';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { brand, publicClientId } from '../../shared/brand.ts';
import { root } from '../root.cjs';
import { bundleName } from './products.ts';
import { bundleProgram } from './program.ts';
import { zipOf, type ZipEntry } from './zip.ts';

const sources = join(root, 'mcp');

/** A shell runs the file by its name. CommonJS code in the bundle uses `require` for Node's own modules. */
export const head =
  "#!/usr/bin/env node\nimport { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Each package of the protocol contains the same zod. Only one copy is bundled and loaded. */
export const protocolsZodOnce: Plugin = {
  name: "the protocol's zod once",
  setup(bundle) {
    const home = join(root, 'node_modules', '@modelcontextprotocol', 'core');
    bundle.onResolve({ filter: /^zod(?:\/|$)/ }, ({ path, kind, resolveDir, pluginData }) =>
      pluginData === 'once' || !resolveDir.includes('@modelcontextprotocol')
        ? undefined
        : bundle.resolve(path, { kind, resolveDir: home, pluginData: 'once' }),
    );
  },
};

/** The files of the bundle that desktop clients install. */
const bundled = ['manifest.json', 'icon.png', 'dist/main.js', 'dist/LICENSES.txt', 'README.md', 'LICENSE'];

const Manifest = z.looseObject({
  long_description: z.string(),
  user_config: z.unknown(),
  server: z.looseObject({ mcp_config: z.looseObject({}) }),
});

/** The manifest without its questions, if the service's maker has registered an application for everybody. */
function asking(manifest: z.infer<typeof Manifest>): object {
  if (publicClientId(brand.baseUrl) === undefined) return manifest;
  const { user_config: _asked, long_description: described, server, ...others } = manifest;
  const { env: _answers, ...config } = server.mcp_config;
  return {
    ...others,
    long_description: described.replace(/^Enter [^.]*\. The first question then/, 'The first question'),
    server: { ...server, mcp_config: config },
  };
}

const entryOf = async (folder: string, name: string): Promise<ZipEntry> => ({
  name,
  content: await readFile(join(folder, name)),
  isProgram: name.endsWith('.js'),
});

/** Makes `dist` of the MCP server and what else its package has, and the bundle for desktop clients. */
export async function makeMcp(folder: string): Promise<void> {
  for (const file of ['icon.png', 'skill', '.claude-plugin']) await cp(join(sources, file), join(folder, file), { recursive: true });
  const manifest = Manifest.parse(JSON.parse(await readFile(join(sources, 'manifest.json'), 'utf8')));
  // What a client shows before it has started the server.
  const tools = toolsOf(operations).map(({ definition: { name, description } }) => ({ name, description }));
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ ...asking(manifest), tools }, null, 2)}\n`);
  const main = join(folder, 'dist', 'main.js');
  await bundleProgram(main, sources, {
    entryPoints: ['main.ts'],
    outfile: main,
    target: 'node20',
    format: 'esm',
    banner: { js: head },
    plugins: [protocolsZodOnce],
  });
  await writeFile(join(folder, bundleName), zipOf(await Promise.all(bundled.map((name) => entryOf(folder, name)))));
}
