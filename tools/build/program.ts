import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { root } from '../root.cjs';

/** A program runs on Node.js, so it does not need the substitute for Node's cryptography. */
const cryptoOfNode: Plugin = {
  name: "Node's own cryptography",
  setup(bundle) {
    bundle.onResolve({ filter: /\/crypto\.ts$/ }, () => ({ path: join(root, 'sdk', 'node', 'crypto.ts') }));
  },
};

/** Bundles a program and its imports into one file, which loads faster. The licences of all bundled packages are written next to it. */
export async function bundleProgram(program: string, sources: string, options: BuildOptions): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: sources,
    bundle: true,
    platform: 'node',
    minify: true,
    charset: 'utf8',
    logLevel: 'error',
    ...options,
    plugins: [cryptoOfNode, ...(options.plugins ?? [])],
    metafile: true,
  });
  await chmod(program, 0o755);
  const licences = await licencesOf(sources, Object.keys(metafile.inputs));
  if (licences !== '') await writeFile(join(dirname(program), 'LICENSES.txt'), licences);
}

/** The package folder of a bundled file: `node_modules/luxon`, `node_modules/@scope/name`, at any depth. */
const packageOf = (file: string): string | undefined => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

/** @param files the bundled files, relative to `folder` @throws a readable error if a package contains no licence */
async function licencesOf(folder: string, files: readonly string[]): Promise<string> {
  const packages = [...new Set(files.flatMap((file) => packageOf(file) ?? []))].sort();
  const texts = await Promise.all(packages.map((path) => licenceIn(join(folder, path))));
  return [...new Set(texts)].join(`\n\n${'-'.repeat(80)}\n\n`);
}

async function licenceIn(folder: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name: string; version: string };
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} is bundled but contains no licence.`);
  return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
}
