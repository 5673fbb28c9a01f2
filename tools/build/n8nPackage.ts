import { cp, glob, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

type Panels = Record<string, () => unknown>;

/** What n8n itself provides. A bundled zod would fail n8n's package scan, and a second n8n-workflow would not be the one that n8n uses. */
const providedByN8n = ['n8n-workflow', 'zod/v4', 'luxon'];

/** Otherwise every module that imports all of zod would copy its three hundred names again when it is loaded. */
const zodOnce = (folder: string): Plugin => ({
  name: 'zod once',
  setup(bundle) {
    bundle.onResolve({ filter: /^zod\/v4$/ }, ({ path, namespace }) =>
      namespace === 'once' ? undefined : { path, namespace: 'once', sideEffects: false },
    );
    bundle.onLoad({ filter: /.*/, namespace: 'once' }, ({ path }) => ({ contents: `export * from '${path}';`, resolveDir: folder }));
  },
});

/** Replaces what `adapter/panels.ts` computes with data. Each call returns a new object, because n8n adds to a panel. */
const computed = (panels: Panels): Plugin => ({
  name: 'panels as data',
  setup(bundle) {
    const functions = Object.entries(panels).map(
      ([name, panel]) => `export const ${name} = () => JSON.parse(${JSON.stringify(JSON.stringify(panel()))});`,
    );
    bundle.onLoad({ filter: /[\\/]adapter[\\/]panels\.ts$/ }, () => ({ contents: functions.join('\n') }));
  },
});

/** What the nodes import at first use stays in its own file and is only loaded then. */
const atFirstUse = (folder: string): Plugin => ({
  name: 'at first use',
  setup(bundle) {
    // Turns the path in the source into the path in the package, where the node that asks for it is two folders deep.
    const fromNode = (file: string) =>
      relative(join(folder, 'nodes', 'Node'), file)
        .replaceAll('\\', '/')
        .replace(/ts$/, 'js');
    bundle.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: fromNode(join(resolveDir, path)), external: true } : undefined,
    );
  },
});

/** n8n loads a class by its file's base name, and expects the codex and icons beside it. */
const assets = ['nodes/**/*.node.json', 'icons/*', 'nodes/**/*.{svg,png}', 'credentials/*.{svg,png}'];

/**
 * Builds `dist` and puts it in place when it is complete. The repository that the package is split off into builds with this same file.
 *
 * @param folder the folder with the package's sources: nodes, credentials and icons
 * @param panels the functions of `adapter/panels.ts`
 * @param schemas what the nodes return, by the file below `dist/nodes` in which n8n looks for it
 * @param dist the folder to build
 */
export async function buildPackage(
  folder: string,
  { panels, schemas }: { panels: Panels; schemas: Record<string, object> },
  dist = join(folder, 'dist'),
): Promise<void> {
  const partial = `${dist}.partial`;
  await rm(partial, { recursive: true, force: true });
  await build({
    absWorkingDir: folder,
    entryPoints: ['credentials/*.credentials.ts', 'nodes/**/*.node.ts', 'adapter/run.ts'],
    outbase: '.',
    outdir: partial,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: providedByN8n,
    plugins: [zodOnce(folder), computed(panels), atFirstUse(folder)],
    // Uses n8n's own `require`, whose cache n8n clears when it updates a package.
    supported: { 'dynamic-import': false },
    minify: true,
    charset: 'utf8',
    logLevel: 'error',
  });
  for await (const asset of glob(assets, { cwd: folder })) {
    const target = join(partial, asset);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(folder, asset), target);
  }
  for (const [file, schema] of Object.entries(schemas)) {
    const target = join(partial, 'nodes', file);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, JSON.stringify(schema));
  }
  await rm(dist, { recursive: true, force: true });
  await rename(partial, dist);
}
