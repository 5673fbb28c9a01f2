import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { brand } from '../../shared/brand.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { root } from '../root.cjs';
import { asAuthor } from './brand/replace.ts';
import { stampManifest } from './manifest.ts';
import { writeWhole } from './place.ts';
import { withTables } from './readmes.ts';
import { sdkTypes } from './sdkTypes.ts';

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

/** Writes what follows from the brand and the declarations into the package for developers. */
export async function stampSdk(): Promise<void> {
  const file = join(root, 'sdk', 'package.json');
  const { author } = JSON.parse(await readFile(file, 'utf8')) as { author: object };
  await stampManifest(file, {
    name: brand.slug,
    homepage: brand.docsUrl,
    author: { ...author, name: asAuthor(brand.name) },
    bin: { [brand.slug]: 'dist/cli.js' },
  });
  const readme = join(root, 'sdk', 'README.md');
  const wanted = [...(await wantedTypes()), [readme, withTables(await readFile(readme, 'utf8'))] as const];
  for (const [path, text] of wanted) if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeWhole(path, text);
}
