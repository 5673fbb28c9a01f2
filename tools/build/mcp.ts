import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import manifest from '../../mcp/manifest.json' with { type: 'json' };
import { operations } from '../../shared/operations/index.ts';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { brand, publicClientId } from '../../shared/brand.ts';
import { root } from '../root.cjs';
import { bundleName } from './products.ts';
import { bundleProgram } from './program.ts';
import { zipOf } from './zip.ts';

const sources = join(root, 'mcp');

/** A shell runs the file by its name, hence the first line. CommonJS code in the bundle uses `require` for Node's own modules. */
const head =
  "#!/usr/bin/env node\nimport { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Each package of the protocol contains the same zod. Only one copy is bundled and loaded. */
const protocolsZodOnce: Plugin = {
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

/** Bundles a server's program, `main.ts`, into `dist` of its folder. */
export const bundleServer = (folder: string, sources: string, options: Pick<BuildOptions, 'target' | 'external'>): Promise<void> =>
  bundleProgram(join(folder, 'dist', 'main.js'), sources, {
    ...options,
    entryPoints: ['main.ts'],
    outfile: join(folder, 'dist', 'main.js'),
    format: 'esm',
    banner: { js: head },
    plugins: [protocolsZodOnce],
  });

/** The files of the bundle that desktop clients install. */
const bundled = ['manifest.json', 'icon.png', 'dist/main.js', 'dist/LICENSES.txt', 'README.md', 'LICENSE'];

/** The manifest, without its questions if the service's maker has registered an application for everybody. */
function asking(): object {
  if (publicClientId(brand.baseUrl) === undefined) return manifest;
  const { user_config: _asked, long_description: described, server, ...others } = manifest;
  const { env: _answers, ...config } = server.mcp_config;
  return {
    ...others,
    long_description: described.replace(/^Enter [^.]*\. The first question then/, 'The first question'),
    server: { ...server, mcp_config: config },
  };
}

/** Makes `dist` and the other files of the MCP server's package, and the bundle for desktop clients. */
export async function makeMcp(folder: string): Promise<void> {
  for (const file of ['icon.png', 'skill', '.claude-plugin']) await cp(join(sources, file), join(folder, file), { recursive: true });
  // Clients show these before they have started the server.
  const tools = toolsOf(operations).map(({ definition: { name, description } }) => ({ name, description }));
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ ...asking(), tools }, null, 2)}\n`);
  await bundleServer(folder, sources, { target: 'node20' });
  await writeFile(join(folder, bundleName), await zipOf(folder, bundled, (name) => name.endsWith('.js')));
}
