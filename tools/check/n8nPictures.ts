import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { n8nVersion } from '../rigs/n8n/install.ts';
import { root } from '../root.cjs';

const folder = join(root, 'docs', 'images');
/** For each picture, the hash of what it shows and the hash of its file. */
const list = join(folder, 'n8n-pictures.json');

/** A definition from its golden file, which its own test keeps up to date. How the file is laid out makes no difference. */
const golden = (name: string) => (): string => {
  const definition: unknown = JSON.parse(readFileSync(join(root, 'test', '__golden__', `n8n-${name}.json`), 'utf8'));
  return `${JSON.stringify(definition, null, 2)}\n`;
};
const action = golden('action');
const trigger = golden('trigger');
const polling = golden('polling-trigger');
const credential = golden('credential');

/** What each picture of n8n's editor shows of ours. */
const shown: Record<string, () => unknown> = {
  'n8n-credential': credential,
  'n8n-credential-failed': credential,
  'n8n-node-creator': () => [action(), trigger(), polling()],
  'n8n-create-booking-empty': action,
  'n8n-create-booking': action,
  'n8n-output': () => [action(), outputSchemas()],
  'n8n-create-booking-failed': action,
  'n8n-cancel-booking': action,
  'n8n-trigger': trigger,
  'n8n-trigger-failed': trigger,
  'n8n-polling-trigger': polling,
  'n8n-polling-trigger-failed': polling,
  'n8n-fields-before-the-first-run': () => [action(), outputSchemas()],
};

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** What pictures show of the golden files, which have a brand of their own. Functions are not part of a panel. */
async function fingerprint(of: () => unknown): Promise<string> {
  const sandbox = await startSandbox();
  try {
    const types = sandbox.eventTypes().map(({ id: _, account_id: _account, created_at: _made, updated_at: _changed, ...type }) => type);
    return digest(JSON.stringify([n8nVersion, of(), types]));
  } finally {
    await sandbox.stop();
  }
}

const fileOf = (name: string): string => join(folder, `${name}.png`);

const taken = async (): Promise<Record<string, string>> =>
  z.record(z.string(), z.string()).parse(JSON.parse(await readFile(list, 'utf8').catch(() => '{}')));

const mark = async (name: string, of: () => unknown): Promise<string> =>
  `${await fingerprint(of)} ${digest(await readFile(fileOf(name)).catch(() => 'missing'))}`;

/** Records what a newly taken picture shows. Pictures that are not of n8n's editor have their own tests. */
export async function noteN8nPicture(name: string): Promise<void> {
  const of = shown[name];
  if (of === undefined) return;
  await writeFile(list, `${JSON.stringify({ ...(await taken()), [name]: await mark(name, of) }, null, 2)}\n`);
}

/**
 * Checks that the pictures of n8n's editor still show what they did when they were taken. It compares what they show and not their
 * pixels, because fonts differ between machines and n8n's own part only changes with its version.
 *
 * @throws an error that names the pictures that n8n would now draw differently
 */
export async function n8nPicturesAreFresh(): Promise<void> {
  const known = await taken();
  const stale: string[] = [];
  for (const [name, of] of Object.entries(shown)) if (known[name] !== (await mark(name, of))) stale.push(`docs/images/${name}.png`);
  if (stale.length > 0)
    throw new Error(
      `Stale or missing: ${stale.join(', ')}. Take them again, and look at them: UPDATE_SCREENS=1 npm test -- test/n8n/screens`,
    );
}
