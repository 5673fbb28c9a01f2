import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { brand } from '../../shared/brand.ts';
import { root } from '../../tools/root.cjs';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const json = (file: string): unknown => JSON.parse(read(file));

const Server = z.strictObject({ command: z.string(), args: z.array(z.string()) });
const Servers = z.strictObject({ mcpServers: z.record(z.string(), Server) });
const inFolder = z.string().startsWith('./');
const Author = z.strictObject({ name: z.string(), email: z.email() });

/** The format of Claude Code's plugins, as far as this one uses it. */
const Plugin = Servers.extend({
  name: z.string().regex(/^[a-z0-9-]+$/),
  version: z.string(),
  description: z.string(),
  author: Author,
  homepage: z.url(),
  license: z.string(),
  keywords: z.array(z.string()),
  skills: z.array(inFolder),
});
const Marketplace = z.strictObject({
  name: z.string(),
  owner: Author,
  metadata: z.strictObject({ description: z.string() }),
  plugins: z.array(z.strictObject({ name: z.string(), source: inFolder, description: z.string() })),
});

const guide = read('docs/use/agents.md');
/** What the guide tells people to put into their client's file. */
const shown = Servers.parse(JSON.parse(/```json\n([^]*?)```/.exec(guide)?.[1] ?? '')).mcpServers;

/** The name and the configuration in a link of the guide. */
function linked(label: string): { name: string | null; config: string } {
  const address = new URL(new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(guide)?.[1] ?? '');
  return { name: address.searchParams.get('name'), config: address.searchParams.get('config') ?? '' };
}

test('the buttons of Cursor and VS Code install exactly what the guide shows', () => {
  const { name, config } = linked('Add to Cursor');
  expect({ [String(name)]: JSON.parse(Buffer.from(config, 'base64').toString('utf8')) as unknown }).toEqual(shown);
  const { type, ...server } = JSON.parse(linked('Add to VS Code').config) as Record<string, unknown>;
  expect([type, { [String(linked('Add to VS Code').name)]: server }]).toEqual(['stdio', shown]);
});

test('the plugin starts the same server, has its version and brings the skill, and the marketplace leads to it', () => {
  const marketplace = Marketplace.parse(json('.claude-plugin/marketplace.json'));
  const [entry, ...others] = marketplace.plugins;
  const folder = join('.', entry?.source ?? '');
  const plugin = Plugin.parse(json(join(folder, '.claude-plugin', 'plugin.json')));
  expect([others, plugin.mcpServers, plugin.name]).toEqual([[], shown, entry?.name]);
  expect(plugin).toMatchObject(z.object({ version: z.string() }).parse(json(join(folder, 'package.json'))));
  for (const skill of plugin.skills) expect(existsSync(join(root, folder, skill, 'SKILL.md'))).toBe(true);
  expect(guide).toContain(`claude plugin install ${plugin.name}@${marketplace.name}\n`);
  expect(plugin.name).toBe(brand.slug);
});
