import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort } from '../../process/freePort.ts';
import type { Opened } from '../../start/opened.ts';
import { findProgram, keep, reasonOf, type ServerOptions } from './programs.ts';

/** The server through which n8n's processes pass executions to each other. */
export interface Redis {
  /** `redis://:PASSWORD@HOST:PORT` */
  readonly url: string;
  /** The prefix of every key. */
  readonly prefix: string;
}

/**
 * Starts its own Redis on a free port of this machine, with a new password, or uses the one at `url`.
 *
 * @throws a readable error if it is not installed or cannot be reached
 */
export async function openRedis({ folder, url, name, installation }: ServerOptions, opened: Opened): Promise<Redis> {
  const Client = createRequire(installation.bin)('ioredis') as Driver;
  if (url !== undefined) {
    await ask(Client, url, (client) => client.ping()).catch((cause: unknown) => {
      throw new Error(
        `Redis at ${new URL(url).host} does not answer: ${reasonOf(cause)}. Start it, or correct the address that --redis gives.`,
        { cause },
      );
    });
    if (folder === undefined) opened.add('what is in Redis', () => ask(Client, url, (client) => removeAll(client, name)));
    return { url, prefix: name };
  }
  const program = findProgram('redis-server');
  const home = folder ?? (await opened.temporaryFolder('redis-'));
  await mkdir(home, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const password = randomBytes(18).toString('hex');
  const settings = join(home, 'redis.conf');
  // In a file, because everybody on the machine can read the command line.
  await writeFile(
    settings,
    `port ${port}\nbind 127.0.0.1\nrequirepass ${password}\nappendonly ${folder === undefined ? 'no' : 'yes'}\nsave ""\nloglevel warning\n`,
    {
      mode: 0o600,
    },
  );
  const own = `redis://:${password}@127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    ask(Client, own, (client) => client.ping()).then(
      () => true,
      () => false,
    );
  await opened.start(
    'Redis',
    () => keep({ name: 'Redis', program, args: [settings], signal: 'SIGTERM', folder: home, isReady }),
    (server) => server.stop(),
  );
  return { url: own, prefix: name };
}

interface Client {
  connect(): Promise<void>;
  ping(): Promise<unknown>;
  scanStream(options: { match: string; count: number }): AsyncIterable<string[]>;
  del(...keys: string[]): Promise<number>;
  on(event: 'error', listener: (error: unknown) => void): void;
  disconnect(): void;
}
type Driver = new (
  url: string,
  options: { lazyConnect: true; connectTimeout: number; maxRetriesPerRequest: number; retryStrategy: () => null },
) => Client;

/** Connects, asks, and disconnects. */
async function ask<T>(Client: Driver, url: string, question: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url, { lazyConnect: true, connectTimeout: 5_000, maxRetriesPerRequest: 0, retryStrategy: () => null });
  let fault: unknown;
  client.on('error', (error) => (fault ??= error));
  try {
    await client.connect();
    return await question(client);
  } catch (error) {
    // The driver's own error only says that the connection is closed. It reported the reason earlier.
    throw fault ?? error;
  } finally {
    client.disconnect();
  }
}

async function removeAll(client: Client, prefix: string): Promise<void> {
  for await (const keys of client.scanStream({ match: `*${prefix}*`, count: 1_000 })) if (keys.length > 0) await client.del(...keys);
}
