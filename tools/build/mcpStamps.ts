import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { brand } from '../../shared/brand.ts';
import { operations } from '../../shared/operations/index.ts';
import { root } from '../root.cjs';
import { asAuthor } from './brand/replace.ts';
import { withTables } from './readmes.ts';
import type { Stamped } from './stamps.ts';

const folder = join(root, 'mcp');

const mcpName = `${brand.slug}-mcp`;

/** The bundle that desktop clients install: an archive with the manifest and the program. */
export const bundleName = `${mcpName}.mcpb`;

/**
 * The registry names a server after its publisher. With a repository at GitHub, that is the owner, which the pipeline's identity proves.
 * Without one, it is the documentation's address in reverse, which the owner must prove with a key there.
 */
export function registryName(repositoryUrl: string): string {
  const owner = /^(?:git\+)?https:\/\/github\.com\/([\w-]+)\//.exec(repositoryUrl)?.[1];
  return `${owner === undefined ? new URL(brand.docsUrl).hostname.split('.').reverse().join('.') : `io.github.${owner}`}/${mcpName}`;
}

const nameOf = ({ repository }: Json): string => registryName(String((repository as Json)['url']));

interface Json {
  [key: string]: unknown;
}

/** The summary in both lists of servers. The registry allows a hundred characters. */
const summary = 'Finds what can be booked, books it, and cancels with your consent';

const manifest = (file: Json): Json => ({
  ...file,
  name: mcpName,
  mcpName: nameOf(file),
  homepage: brand.docsUrl,
  author: { ...(file['author'] as Json), name: asAuthor(brand.name) },
  bin: { [mcpName]: 'dist/main.js' },
});

/** The entry in the registry of MCP servers. */
const registryEntry = ({ version, ...own }: Json): Json => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: nameOf(own),
  title: brand.name.slice(0, 100),
  description: summary,
  websiteUrl: brand.docsUrl,
  version,
  packages: [
    {
      registryType: 'npm',
      identifier: mcpName,
      version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      environmentVariables: [
        {
          name: 'SCHEDULING_MCP_FOLDER',
          description: 'The folder in which `login` saved the connection, if it is not the default one',
          format: 'filepath',
        },
      ],
    },
  ],
});

/** The manifest of the bundle that desktop clients install from one file. */
const bundleManifest = ({ version, author, license, keywords }: Json): Json => ({
  manifest_version: '0.3',
  name: mcpName,
  display_name: brand.name,
  version,
  description: summary,
  long_description: `Before the first use run \`npx ${mcpName} login\` in a terminal: it connects your account.`,
  author: { ...(author as Json), name: asAuthor(brand.name) },
  homepage: brand.docsUrl,
  documentation: brand.docsUrl,
  license,
  keywords,
  server: {
    type: 'node',
    entry_point: 'dist/main.js',
    mcp_config: { command: 'node', args: ['${__dirname}/dist/main.js'] },
  },
  tools: toolsOf(operations).map(({ definition: { name, description } }) => ({ name, description })),
  compatibility: { runtimes: { node: '>=20.20.0' } },
});

/** In the header of a skill, which is YAML: any name is certain to be text there in JSON's quotation marks. */
const skillDescription = `description: ${JSON.stringify(
  `How to book, find and cancel meetings with the tools of ${brand.name}. Use it when someone wants to book, move, look up or cancel a meeting.`,
)}`;

/** The expected and the current text of every file of the package that contains the brand or the core's declarations. */
export async function mcpStamped(): Promise<Stamped[]> {
  const own = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Json;
  const written = (json: Json): string => `${JSON.stringify(json, null, 2)}\n`;
  const wanted = {
    'package.json': written(manifest(own)),
    'server.json': written(registryEntry(own)),
    'manifest.json': written(bundleManifest(own)),
    'README.md': withTables(await readFile(join(folder, 'README.md'), 'utf8')),
    'skill/SKILL.md': (await readFile(join(folder, 'skill', 'SKILL.md'), 'utf8')).replace(/^description: .*$/m, () => skillDescription),
  };
  return Promise.all(
    Object.entries(wanted).map(async ([name, after]) => {
      const file = join(folder, name);
      return { file, before: await readFile(file, 'utf8').catch(() => ''), after };
    }),
  );
}
