/** `npm run build`: the Zapier archive and the n8n package, ready to be published. */
import { relative } from 'node:path';
import { buildAll } from './bundle/products.ts';
import { root } from './root.cjs';

try {
  const { n8n, zapier } = await buildAll();
  console.log(`Zapier archive: ${relative(root, zapier)}`);
  console.log(`n8n package:    ${relative(root, n8n)} (or \`npm pack\` in n8n/)`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
