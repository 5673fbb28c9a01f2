import { brand } from '../../shared/brand.ts';
import { programName } from '../../mcp/options.ts';

/** How every client starts the server, as the guide for agents shows it. */
const server = { command: 'npx', args: ['-y', programName] };

/** What the plugin takes over from the package of the server, whose folder it is, and from its entry in the registry. */
export interface Manifest {
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
export function pluginFiles(ofPackage: Manifest, { description }: Pick<Manifest, 'description'>): [file: string, text: string][] {
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
export const withInstallLinks = (document: string): string =>
  document.replaceAll(/\[(Add to [^\]]+)\]\([^)]*\)/g, (link, label: string) =>
    links[label] === undefined ? link : `[${label}](${links[label]})`,
  );
