/** `npm run example -- --to <folder>`: the example application in a folder of its own, with the package as it would be published. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/v4';
import { packedSdk } from '../build/products.ts';
import { root } from '../root.cjs';

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

async function place(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty: name another folder, or empty it.`);
  const { name, tarball } = await packedSdk();
  await cp(join(root, 'examples', 'custom-app'), folder, { recursive: true });
  await cp(tarball, join(folder, basename(tarball)));
  const file = join(folder, 'package.json');
  const manifest = Manifest.parse(JSON.parse(await readFile(file, 'utf8')));
  // As it is published, and before it is.
  manifest.dependencies[name] = `file:${basename(tarball)}`;
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

try {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
  if (to === undefined) throw new Error('Say where it is to be: npm run example -- --to ../my-site');
  await place(resolve(to));
  console.log(`The application lies in ${to}. There: npm install, then npm start.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
