import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { brand } from '../../shared/brand.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { root } from '../root.cjs';
import { asAuthor } from './brand/replace.ts';
import { withTables } from './readmes.ts';
import { sdkTypes } from './sdkTypes.ts';
import { manifestStamped, writeStamped, type Stamped } from './stamps.ts';

const typesFolder = join(root, 'sdk', 'client', 'api');

/** The expected types of the client, by file, formatted like every other source. */
export async function wantedTypes(): Promise<[file: string, text: string][]> {
  const style = await resolveConfig(join(typesFolder, 'methods.ts'));
  const texts = Object.entries(sdkTypes([...operations, ...searches]));
  return Promise.all(
    texts.map(
      async ([name, text]): Promise<[string, string]> => [join(typesFolder, name), await format(text, { ...style, parser: 'typescript' })],
    ),
  );
}

/** The expected and the current text of every file of the package for developers that contains the brand or follows from the declarations. */
export async function sdkStamped(): Promise<Stamped[]> {
  const file = join(root, 'sdk', 'package.json');
  const { author } = JSON.parse(await readFile(file, 'utf8')) as { author: object };
  const manifest = await manifestStamped(file, {
    name: brand.slug,
    homepage: brand.docsUrl,
    author: { ...author, name: asAuthor(brand.name) },
    bin: { [brand.slug]: 'dist/cli.js' },
  });
  const readme = join(root, 'sdk', 'README.md');
  const texts = [...(await wantedTypes()), [readme, withTables(await readFile(readme, 'utf8'))] as const];
  const others = texts.map(async ([path, after]) => ({ file: path, before: await readFile(path, 'utf8').catch(() => ''), after }));
  return [manifest, ...(await Promise.all(others))];
}

/** Writes them. */
export const stampSdk = async (): Promise<void> => void (await writeStamped(await sdkStamped()));
