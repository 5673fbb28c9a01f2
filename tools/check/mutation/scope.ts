import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startsPrograms } from '../../jest/startsPrograms.ts';

/** The folders that ship. */
export const folders = ['shared', 'zapier', 'n8n', 'mcp', 'sdk'];

/** Their sources, in Stryker's words. */
export const shipped = [...folders.map((folder) => `${folder}/**/*.ts`), '!**/*.d.ts', '!**/dist/**', '!**/build/**'];

/** Where a write or a delivery is decided. A change that slips through here books twice, or lets in what is forged. */
export const decisive = [
  'shared/carryOut.ts',
  'shared/runs.ts',
  'shared/renewal.ts',
  'shared/api/limiter.ts',
  'shared/api/looked.ts',
  'shared/api/pages.ts',
  'shared/api/pendingWrites.ts',
  'shared/api/reconcile.ts',
  'shared/api/retry.ts',
  'shared/operations/booking/cancel.ts',
  'shared/operations/booking/create.ts',
  'shared/webhooks/accountSubscriptions.ts',
  'shared/webhooks/delivery.ts',
  'shared/webhooks/key.ts',
  'shared/webhooks/memory.ts',
  'shared/webhooks/signature.ts',
  'shared/webhooks/signatureHeader.ts',
  'shared/webhooks/subscriptions.ts',
  'n8n/adapter/accounts.ts',
  'n8n/adapter/claims.ts',
  'n8n/adapter/pendingWrites.ts',
  'n8n/adapter/renewal.ts',
  'zapier/adapter/claims.ts',
  'zapier/adapter/pendingWrites.ts',
];

/** Tests of what does not ship, and those that read the sources as texts or compile them. */
const others = /^test[\\/](bench|docs|queue|sandbox|soak|tools|attacks[\\/]regularExpressions|shared[\\/]recordTypes)/;

/**
 * The tests that judge: those that start no other program.
 *
 * @param named parts of their paths; by default all of them, or what `MUTATION_TESTS` names
 */
export async function testFiles(root: string, named = process.env['MUTATION_TESTS']?.split(',') ?? ['']): Promise<string[]> {
  const files = (await readdir(join(root, 'test'), { recursive: true })).map((file) => join('test', file));
  const isNamed = (file: string): boolean => named.some((part) => file.includes(part));
  return files
    .filter((file) => file.endsWith('.test.ts') && isNamed(file) && !others.test(file) && !startsPrograms(join(root, file)))
    .sort();
}
