import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { root } from '../root.cjs';

const sources = join(root, 'sdk');

const Manifest = z.object({ exports: z.record(z.string(), z.unknown()) });

/** The entries of the package, such as `oauth` for `./oauth`, with their source files. The manifest lists them. */
export async function entriesOf(manifest = join(sources, 'package.json')): Promise<Record<string, string>> {
  const { exports } = Manifest.parse(JSON.parse(await readFile(manifest, 'utf8')));
  const names = Object.keys(exports)
    .filter((path) => path !== './package.json')
    .map((path) => (path === '.' ? 'index' : path.slice(2)));
  return Object.fromEntries(
    names.map((name) => {
      const file = [`${name}.ts`, join(name, 'index.ts')].find((each) => existsSync(join(sources, each)));
      if (file === undefined)
        throw new Error(`sdk/package.json exports ${name}, and there is neither sdk/${name}.ts nor sdk/${name}/index.ts.`);
      return [name, file];
    }),
  );
}
