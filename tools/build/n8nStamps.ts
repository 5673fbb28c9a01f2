import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialType } from '../../n8n/adapter/identity.ts';
import { brand } from '../../shared/brand.ts';
import { root } from '../root.cjs';
import { asAuthor } from './brand/replace.ts';
import { withTables } from './readmes.ts';
import type { Stamped } from './stamps.ts';

const folder = join(root, 'n8n');

export const packageName = `n8n-nodes-${brand.slug}`;

interface Json {
  [key: string]: unknown;
}

interface Example extends Json {
  nodes: (Json & { type: string; credentials?: object })[];
}

const documentation = [{ url: brand.docsUrl }];

const codex =
  (node: string) =>
  (file: Json): Json => ({
    ...file,
    node: `${packageName}.${node}`,
    resources: { credentialDocumentation: documentation, primaryDocumentation: documentation },
  });

/** Our nodes are recognised by the end of their type, whatever brand they had before. */
const example = (file: Json): Json => ({
  ...file,
  nodes: (file as Example).nodes.map((node) => ({
    ...node,
    type: node.type.replace(/^n8n-nodes-(?!base\.).*\.(scheduler(?:(?:Polling)?Trigger)?)$/, `${packageName}.$1`),
    ...(node.credentials && { credentials: { [credentialType]: { id: '', name: `${brand.name} account` } } }),
  })),
});

const manifest = (file: Json): Json => ({
  ...file,
  name: packageName,
  homepage: brand.docsUrl,
  author: { ...(file['author'] as Json), name: asAuthor(brand.name) },
});

/** The files of the n8n package that contain the brand, and how it is written into each. */
const stamps: Record<string, (file: Json) => Json> = {
  'package.json': manifest,
  'nodes/Scheduler/Scheduler.node.json': codex('scheduler'),
  'nodes/SchedulerTrigger/SchedulerTrigger.node.json': codex('schedulerTrigger'),
  'nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.json': codex('schedulerPollingTrigger'),
  'examples/create-booking.json': example,
  'examples/each-change-once.json': example,
  'examples/each-delivery-once.json': example,
  'examples/on-events.json': example,
};

/** The expected and the current text of every such file. */
export async function n8nStamped(): Promise<Stamped[]> {
  const stamped = Object.entries(stamps).map(async ([name, stamp]) => {
    const before = await readFile(join(folder, name), 'utf8');
    return { file: join(folder, name), before, after: `${JSON.stringify(stamp(JSON.parse(before) as Json), null, 2)}\n` };
  });
  const file = join(folder, 'README.md');
  const before = await readFile(file, 'utf8');
  return [...(await Promise.all(stamped)), { file, before, after: withTables(before) }];
}
