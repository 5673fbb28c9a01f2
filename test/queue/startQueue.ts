import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

export interface Run {
  code: number | null;
  output: string;
}

/** `npm run start:queue` itself, as far as it can be started without npm. @param interruptAt is pressed Ctrl-C at, once this has been printed */
export async function startQueue(
  args: string[],
  { temporary = tmpdir(), interruptAt }: { temporary?: string; interruptAt?: string } = {},
): Promise<Run> {
  const child = spawn(process.execPath, [join(root, 'tools', 'run.mjs'), 'tools/commands/start-queue.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
  });
  let output = '';
  let isInterrupted = false;
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    if (isInterrupted || interruptAt === undefined || child.pid === undefined || !output.includes(interruptAt)) return;
    isInterrupted = true;
    // As a terminal does: to everything that runs in the foreground.
    process.kill(-child.pid, 'SIGINT');
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', take);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
