import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../../sandbox/openapi/document.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { root } from '../root.cjs';
import { type Manifest, pluginFiles, withInstallLinks } from './agentHosts.ts';
import { assumptionsPage } from './assumptions.ts';
import { fieldsPage } from './fields.ts';
import { packageReference } from './packageReference.ts';
import { withTables } from './readmes.ts';
import { sdkTypes } from './sdkTypes.ts';
import { triggersPage } from './triggers.ts';

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

/** The types of the client of the package for developers, formatted like every other source. */
async function types(): Promise<[file: string, text: string][]> {
  const folder = 'sdk/client/api';
  const style = { ...(await resolveConfig(join(root, folder, 'methods.ts'))), parser: 'typescript' };
  const texts = Object.entries(sdkTypes([...operations, ...searches]));
  return Promise.all(texts.map(async ([name, text]): Promise<[string, string]> => [`${folder}/${name}`, await format(text, style)]));
}

const manifest = async (file: string) => JSON.parse(await read(file)) as Manifest;

async function documents(): Promise<[file: string, text: string][]> {
  const readmes = ['n8n/README.md', 'mcp/README.md', 'sdk/README.md'];
  return [
    ...(await Promise.all(readmes.map(async (file): Promise<[string, string]> => [file, withTables(await read(file))]))),
    ...pluginFiles(await manifest('mcp/package.json'), await manifest('mcp/server.json')),
    ['docs/use/agents.md', withInstallLinks(await read('docs/use/agents.md'))],
    [
      'docs/openapi.json',
      await format(JSON.stringify(openApiDocument()), { ...(await resolveConfig(import.meta.filename)), parser: 'json' }),
    ],
    ['docs/reference/assumptions.md', assumptionsPage()],
    ['docs/reference/fields.md', fieldsPage()],
    ['docs/reference/package.md', await packageReference()],
    ['docs/reference/triggers.md', triggersPage()],
  ];
}

/** Everything that follows from the declarations and is committed: the types first, because the reference of the package describes them. */
export const parts = [types, documents];
