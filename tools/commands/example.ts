/**
 * `npm run example -- --to <folder>`: the example application in a separate folder, with the package in the form in which it is published.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod/v4';
import { packedSdk } from '../build/products.ts';
import { Misuse, runProgram, text } from '../commandLine/command.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run example',
  does: 'copies the example application and its package to a folder of your choice.',
  options: { to: text('<folder>', 'The folder to write to. It must be empty or not exist.') },
  examples: [['npm run example -- --to ../my-site', 'Beside this project.']],
} as const;

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

async function place(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Misuse(`${folder} is not empty. Name another folder or empty it.`);
  const { name, tarball } = await packedSdk();
  await cp(join(root, 'examples', 'custom-app'), folder, { recursive: true });
  await cp(tarball, join(folder, basename(tarball)));
  const file = join(folder, 'package.json');
  const manifest = Manifest.parse(JSON.parse(await readFile(file, 'utf8')));
  // The package has its published form, although it may not be published yet.
  manifest.dependencies[name] = `file:${basename(tarball)}`;
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

await runProgram(command, async ({ values: { to } }) => {
  if (to === undefined) throw new Misuse('Name a folder.');
  await place(resolve(to));
  console.log(`The application is in ${to}. In that folder, run npm install and npm start.`);
});
