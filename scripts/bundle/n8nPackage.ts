import { cp, glob, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** What n8n itself provides: bundled, zod would fail n8n's package scan, and a second n8n-workflow would not be n8n's. */
const providedByN8n = ['n8n-workflow', 'zod/v4', 'luxon'];

/** Every module that takes zod as a whole would otherwise copy its three hundred names again when it is loaded. */
const zodOnce = (folder: string): Plugin => ({
  name: 'zod once',
  setup(bundle) {
    bundle.onResolve({ filter: /^zod\/v4$/ }, ({ path, namespace }) => (namespace === 'once' ? undefined : { path, namespace: 'once', sideEffects: false }));
    bundle.onLoad({ filter: /.*/, namespace: 'once' }, ({ path }) => ({ contents: `export * from '${path}';`, resolveDir: folder }));
  },
});

/** n8n loads a class by its file's base name, and finds codex and icons beside it. */
const assets = ['nodes/**/*.node.json', 'icons/*', 'nodes/**/*.{svg,png}', 'credentials/*.{svg,png}'];

/**
 * Builds `dist` in the package's folder. The package on its own, split off into a repository, builds by this very file.
 *
 * @param folder where the package's manifest lies, with nodes, credentials and icons
 * @param schemas what comes out of the nodes, by the file below `dist/nodes` in which n8n looks for it
 */
export async function buildPackage(folder: string, schemas: Record<string, object>): Promise<void> {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await build({
    absWorkingDir: folder,
    entryPoints: ['credentials/*.credentials.ts', 'nodes/**/*.node.ts'],
    outbase: '.',
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: providedByN8n,
    plugins: [zodOnce(folder)],
    minify: true,
    charset: 'utf8',
    logLevel: 'error',
  });
  for await (const asset of glob(assets, { cwd: folder })) {
    const target = join(folder, 'dist', asset);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(folder, asset), target);
  }
  for (const [file, schema] of Object.entries(schemas)) {
    const target = join(folder, 'dist', 'nodes', file);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, JSON.stringify(schema));
  }
}
