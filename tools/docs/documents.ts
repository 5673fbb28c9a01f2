import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { programName } from '../../mcp/options.ts';
import { openApiDocument } from '../../sandbox/openapi/document.ts';
import { brand } from '../../shared/brand.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { root } from '../root.cjs';
import { assumptionsPage } from './assumptions.ts';
import { packageReference } from './packageReference.ts';
import { withTables } from './readmes.ts';
import { sdkTypes } from './sdkTypes.ts';
import { fieldsPage, triggersPage } from './reference.ts';

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

/** How every client starts the server, as the guide for agents shows it. */
const server = { command: 'npx', args: ['-y', programName] };

/** What the plugin takes over from the package of the server, whose folder it is, and from its entry in the registry. */
interface Manifest {
  version: string;
  description: string;
  license: string;
  homepage: string;
  keywords: readonly string[];
  author: object;
}

/** The plugin of the server and its skill, for Claude Code and every other host with its format. */
const pluginOf = ({ version, description, license, homepage, keywords, author }: Manifest) => ({
  name: brand.slug,
  version,
  description,
  author,
  homepage,
  license,
  keywords,
  skills: ['./skill'],
  mcpServers: { [brand.slug]: server },
});

/** This repository as a marketplace with that one plugin. */
const marketplaceOf = ({ description, author }: Manifest) => ({
  name: brand.slug,
  owner: author,
  metadata: { description },
  plugins: [{ name: brand.slug, source: './mcp', description }],
});

/** The files by which hosts of agents find the plugin. It is described as its entry in the registry is. */
function pluginFiles(ofPackage: Manifest, { description }: Pick<Manifest, 'description'>): [file: string, text: string][] {
  const manifest = { ...ofPackage, description };
  const files = { 'mcp/.claude-plugin/plugin.json': pluginOf(manifest), '.claude-plugin/marketplace.json': marketplaceOf(manifest) };
  return Object.entries(files).map(([file, content]) => [file, `${JSON.stringify(content, null, 2)}\n`]);
}

/** Addresses that open a client and let it add the server. A page may link to them, unlike to the clients' own schemes. */
const links: Readonly<Record<string, string>> = {
  'Add to Cursor': `https://cursor.com/en/install-mcp?${query(Buffer.from(JSON.stringify(server)).toString('base64'))}`,
  'Add to VS Code': `https://vscode.dev/redirect/mcp/install?${query(JSON.stringify({ type: 'stdio', ...server }))}`,
};

function query(config: string): string {
  return `name=${encodeURIComponent(brand.slug)}&config=${encodeURIComponent(config)}`;
}

/** A document with these links as they should be. Their texts are their names. */
const withInstallLinks = (document: string): string =>
  document.replaceAll(/\[(Add to [^\]]+)\]\([^)]*\)/g, (link, label: string) =>
    links[label] === undefined ? link : `[${label}](${links[label]})`,
  );
