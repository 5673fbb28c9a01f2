/** `npm run split-n8n -- --to <folder>`: the n8n package as a repository of its own, as n8n asks of packages that it verifies. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { orRefuse } from '../process/orRefuse.ts';
import { root } from '../root.cjs';
import { splitN8n } from '../build/split/repository.ts';

const { values } = orRefuse(() => parseArgs({ options: { to: { type: 'string' } } }));
if (values.to === undefined || resolve(values.to) === resolve(root)) {
  console.error('Say where the repository is to be, outside of this folder itself: npm run split-n8n -- --to ../n8n-package');
  process.exitCode = 1;
} else {
  await splitN8n(resolve(values.to));
  console.log(`Written to ${values.to}. There: node scripts/install.mjs, then npm run build, npm run types, npm run lint, npm run scan.`);
}
