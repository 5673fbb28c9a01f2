import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { n8nVersion } from '../rigs/n8n/install.ts';
import { root } from '../root.cjs';

const folder = join(root, 'docs', 'images');
/** Of each picture: what it was taken of, and which file it is. */
const list = join(folder, 'n8n-pictures.json');

const action = () => new Scheduler().description;
const trigger = () => new SchedulerTrigger().description;
const polling = () => new SchedulerPollingTrigger().description;

/** What each picture of n8n's editor shows of ours. */
const shown: Record<string, () => unknown> = {
  'n8n-credential': () => new SchedulerOAuth2Api(),
  'n8n-node-creator': () => [action(), trigger(), polling()],
  'n8n-create-booking-empty': action,
  'n8n-create-booking': action,
  'n8n-output': () => [action(), outputSchemas()],
  'n8n-create-booking-failed': action,
  'n8n-cancel-booking': action,
  'n8n-trigger': trigger,
  'n8n-polling-trigger': polling,
  'n8n-fields-before-the-first-run': () => [action(), outputSchemas()],
};

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** What pictures show, without the brand, which is the maker's; a function is no part of a panel. */
async function fingerprint(of: () => unknown): Promise<string> {
  const sandbox = await startSandbox();
  try {
    const types = sandbox.eventTypes().map(({ id: _, created_at: _made, updated_at: _changed, ...type }) => type);
    return digest(JSON.stringify([n8nVersion, of(), types]).replaceAll(brand.name, 'brand').replaceAll(brand.slug, 'brand'));
  } finally {
    await sandbox.stop();
  }
}

const fileOf = (name: string): string => join(folder, `${name}.png`);

const taken = async (): Promise<Record<string, string>> =>
  z.record(z.string(), z.string()).parse(JSON.parse(await readFile(list, 'utf8').catch(() => '{}')));

const mark = async (name: string, of: () => unknown): Promise<string> => `${await fingerprint(of)} ${digest(await readFile(fileOf(name)))}`;

/** Notes what a picture that was just taken shows. Others than those of n8n's editor are left to their own tests. */
export async function noteN8nPicture(name: string): Promise<void> {
  const of = shown[name];
  if (of === undefined) return;
  await writeFile(list, `${JSON.stringify({ ...(await taken()), [name]: await mark(name, of) }, null, 2)}\n`);
}

/**
 * Holds the pictures of n8n's editor against what they were taken of: draws differ from machine to machine by their fonts, and
 * n8n's own part changes with its version alone.
 *
 * @throws naming the pictures that show something else than n8n would now
 */
export async function n8nPicturesAreFresh(): Promise<void> {
  const known = await taken();
  const stale: string[] = [];
  for (const [name, of] of Object.entries(shown))
    if (known[name] !== (await mark(name, of).catch(() => ''))) stale.push(`docs/images/${name}.png`);
  if (stale.length > 0)
    throw new Error(
      `Stale or missing: ${stale.join(', ')}. Take them again, and look at them: UPDATE_SCREENS=1 npm test -- test/n8n/screens`,
    );
}
