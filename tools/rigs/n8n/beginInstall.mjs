import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../root.cjs';

/** Starts the installation of n8n in a process of its own, which ends with this one. If it fails, the code that needs n8n reports it. */
export function beginInstall() {
  const from = (/** @type {string[]} */ ...path) => pathToFileURL(join(root, 'tools', ...path)).href;
  const program = `(await import('${from('rigs', 'n8n', 'install.ts')}')).installN8n()`;
  const args = [`--import=${from('process', 'endWithParent.mjs')}`, '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  child.on('error', () => undefined);
  // Whoever starts it need not wait for it.
  child.unref();
}
