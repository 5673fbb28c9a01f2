import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { brand } from '../../shared/brand.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { root } from '../root.cjs';
import { stampManifest } from './manifest.ts';
import { writeWhole } from './place.ts';
import { sdkTypes } from './sdkTypes.ts';

const typesFile = join(root, 'sdk', 'client', 'api.ts');

/** The types of the client as they have to be, in the form of every other source. */
export const wantedTypes = async (): Promise<string> =>
  format(sdkTypes([...operations, ...searches]), { ...(await resolveConfig(typesFile)), parser: 'typescript' });

/** Writes what follows from the brand and from the declarations into the package for developers. */
export async function stampSdk(): Promise<void> {
  const file = join(root, 'sdk', 'package.json');
  const { bin } = JSON.parse(await readFile(file, 'utf8')) as { bin: Record<string, string> };
  await stampManifest(file, { name: brand.slug, homepage: brand.docsUrl });
  if (Object.keys(bin)[0] !== brand.slug)
    throw new Error(`sdk/package.json installs ${Object.keys(bin).join(', ')}, and not ${brand.slug}: run npm run brand.`);
  const wanted = await wantedTypes();
  if ((await readFile(typesFile, 'utf8').catch(() => '')) !== wanted) await writeWhole(typesFile, wanted);
}
