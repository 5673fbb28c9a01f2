import { globSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Provided by n8n itself. A bundled zod would fail n8n's package scan, and a second n8n-workflow would not be the one that n8n uses. */
const providedByN8n = ['n8n-workflow', 'zod/v4', 'luxon'];

/** Otherwise, every module that imports all of zod would copy its three hundred names again when loaded. */
const zodOnce = (folder: string): Plugin => ({
  name: 'zod once',
  setup(bundle) {
    bundle.onResolve({ filter: /^zod\/v4$/ }, ({ path, namespace }) =>
      namespace === 'once' ? undefined : { path, namespace: 'once', sideEffects: false },
    );
    bundle.onLoad({ filter: /.*/, namespace: 'once' }, ({ path }) => ({ contents: `export * from '${path}';`, resolveDir: folder }));
  },
});

/** n8n loads a class by its file's base name, and expects the codex and the icons in the same folder. */
const assets = ['nodes/**/*.node.json', 'icons/*', 'nodes/**/*.{svg,png}', 'credentials/*.{svg,png}'];

/**
 * Builds `dist` and moves it into place when it is complete. The split-off repository of the package builds with this same file.
 *
 * @param schemas the output schemas of the nodes, by the path below `dist/nodes` at which n8n looks for them
 */
export async function buildPackage(folder: string, schemas: Record<string, object>, dist = join(folder, 'dist')): Promise<void> {
  const partial = `${dist}.partial`;
  await rm(partial, { recursive: true, force: true });
  const classes = globSync(['credentials/*.credentials.ts', 'nodes/**/*.node.ts'], { cwd: folder }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  await build({
    absWorkingDir: folder,
    // A single file, so that all nodes share one limiter and one lock for refreshes.
    stdin: {
      contents: classes
        .sort()
        .map((file) => `export * from './${file}';`)
        .join('\n'),
      resolveDir: folder,
    },
    outfile: join(partial, 'index.js'),
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
  const placed = async (file: string): Promise<string> => {
    const target = join(partial, file);
    await mkdir(dirname(target), { recursive: true });
    return target;
  };
  for (const file of classes)
    await writeFile(
      await placed(file.replace(/ts$/, 'js')),
      `module.exports = require('${'../'.repeat(file.split('/').length - 1)}index.js');\n`,
    );
  for (const asset of globSync(assets, { cwd: folder })) await cp(join(folder, asset), await placed(asset));
  for (const [file, schema] of Object.entries(schemas)) await writeFile(await placed(join('nodes', file)), JSON.stringify(schema));
  await rm(dist, { recursive: true, force: true });
  await rename(partial, dist);
}
