/**
 * `node tools/build/make.ts <n8n, zapier, mcp, sdk or sandbox> <folder>`: makes a product in an empty folder. It runs in its own process, so that
 * the result depends only on the sources as they are now, and not on anything that the caller has loaded or set.
 */
import { makeMcp } from './mcp.ts';
import { makeN8n } from './n8n.ts';
import { makeSandbox } from './sandbox.ts';
import { makeSdk } from './sdk.ts';
import { makeZapier } from './zapier.ts';

const makers: Partial<Record<string, (folder: string) => Promise<void>>> = {
  n8n: makeN8n,
  zapier: makeZapier,
  mcp: makeMcp,
  sdk: makeSdk,
  sandbox: makeSandbox,
};

process.umask(0o022);
const [name = '', folder = ''] = process.argv.slice(2);
try {
  await makers[name]?.(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
