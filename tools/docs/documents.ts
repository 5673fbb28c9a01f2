import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { programName } from '../../mcp/options.ts';
import { CHOICES, openApiDocument } from '../../sandbox/openapi/document.ts';
import { assumptions } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { root } from '../root.cjs';
import { code, page, table } from './markdown.ts';
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

/** The table of everything that the public document leaves open. */
function assumptionsPage(): string {
  const entries = Object.values(assumptions);
  return page(
    'Assumptions',
    `The service's public document leaves ${entries.length} things open. For each, this project assumes one form, which it writes, and also reads the other likely forms. All assumptions are in \`shared/assumptions.ts\`, and the names of fields in \`shared/records/fields.ts\`. If the service turns out to differ, one edit there corrects every platform.`,
    'If an answer fits none of the forms, the error names the request, the expected form and the keys that came. It never becomes an empty list or an invented record.',
    '`npm run probe` checks a real service against this table and names the form that matched each entry: see [Check the assumptions](../provider/assumptions.md).',
    table(
      ['', 'Gap', 'Assumed', 'Also read', 'What depends on it', 'How to check it'],
      entries.map(({ number, gap, assumed, alsoRead, restsOn, settle }) => [number, gap, assumed, alsoRead, restsOn, settle]),
    ),
    '## What the sandbox chooses',
    'Where the public document is silent and nothing depends on it, the sandbox makes a choice. Another service may choose differently:',
    CHOICES.map((choice) => `- ${choice}`).join(';\n') + '.',
    `${code('G1')} to ${code(`G${entries.length}`)} are used throughout the code and the documents. [OpenAPI](../openapi.json) marks everything that depends on one with \`x-assumption\`.`,
  );
}

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
