import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

export interface Started {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}

/** `npm start` itself, as closely as it can be started without npm. @param env in addition to this process's own */
export function launch(args: string[], env: Record<string, string> = {}): Started {
  const asUsual = ['-c', 'umask 022; exec "$@"', 'sh'];
  const command = [process.execPath, join(root, 'tools', 'run.mjs'), 'tools/commands/start.ts', ...args];
  const child = spawn('sh', [...asUsual, ...command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
}
