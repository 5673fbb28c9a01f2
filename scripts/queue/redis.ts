import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../n8n/instance.ts';
import { findProgram, keep } from './programs.ts';

/** The server through which n8n's processes hand executions to each other. */
export interface Redis {
  /** `redis://:PASSWORD@HOST:PORT` */
  readonly url: string;
  stop(): Promise<void>;
}

export interface RedisOptions {
  /** Where it writes down what waits; without one a temporary folder, which is deleted at the end. */
  folder?: string | undefined;
  /** One that runs already. It is used and left alone. */
  url?: string | undefined;
}

/**
 * Starts a Redis of its own, on a free port of this machine and with a password made for it, or takes the one at `url`.
 *
 * @throws one sentence where it is not installed
 */
export async function openRedis({ folder, url }: RedisOptions): Promise<Redis> {
  if (url !== undefined) return { url, stop: () => Promise.resolve() };
  const program = findProgram('redis-server');
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'redis-')));
  await mkdir(home, { recursive: true });
  const port = await freePort();
  const password = randomBytes(18).toString('hex');
  const settings = join(home, 'redis.conf');
  // In a file, because what stands on the command line can be read by everybody on the machine.
  await writeFile(settings, `port ${port}\nbind 127.0.0.1\nrequirepass ${password}\nappendonly yes\nsave ""\nloglevel warning\n`, { mode: 0o600 });
  const server = await keep({ name: 'Redis', program, args: [settings], signal: 'SIGTERM', folder: home, isReady: () => answers(port, password) });
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    async stop() {
      await server.stop();
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Whether it takes the password and says that it has read its data. */
function answers(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    let answer = '';
    const done = (): void => {
      socket.destroy();
      resolve(answer.includes('+PONG'));
    };
    socket.setTimeout(2_000, done);
    socket.on('error', done).on('close', done);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      if (/PONG|-/.test(answer)) done();
    });
  });
}
