/**
 * `node tools/build/make.ts <n8n, zapier or mcp> <folder>`: makes a product in an empty folder. A process of its own, so that what comes out depends
 * on the sources as they lie there now, and on nothing that whoever asks for it has loaded or set.
 */
import { makeMcp } from './mcp.ts';
import { makeN8n } from './n8n.ts';
import { makeZapier } from './zapier.ts';

process.umask(0o022);
const [name, folder = ''] = process.argv.slice(2);
try {
  await (name === 'n8n' ? makeN8n : name === 'mcp' ? makeMcp : makeZapier)(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
