import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the package that a bundled file belongs to: `node_modules/luxon`, `node_modules/@scope/name`, at any depth. */
const packageOf = (file: string): string | undefined => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

/**
 * The licences of all packages within a bundle, one after another, because they must be passed on with it.
 *
 * @param files the bundled files, from `folder`
 * @throws a readable error if a package contains no licence
 */
export async function licencesOf(folder: string, files: readonly string[]): Promise<string> {
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
