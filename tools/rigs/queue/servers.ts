import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { lastLines } from '../../process/command.ts';
import { freePort } from '../../process/freePort.ts';
import { Program } from '../../process/program.ts';
import { root } from '../../root.cjs';
import type { OpenedParts } from '../../process/opened.ts';

/** Where Debian keeps PostgreSQL's programs, which are not on the PATH: a folder for each major version. */
const debianPostgres = '/usr/lib/postgresql';

type ServerProgram = 'redis-server' | 'postgres' | 'initdb';

function pathOf(name: ServerProgram): string | undefined {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions.map((version) => join(debianPostgres, version, 'bin'))];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export const isInstalled = (name: ServerProgram): boolean => pathOf(name) !== undefined;

/** The full path of a server's program. @throws a readable error that says how to install it */
export function findProgram(name: ServerProgram): string {
  const found = pathOf(name);
  if (found !== undefined) return found;
  const [server, debianPackage] = name === 'redis-server' ? ['Redis', 'redis-server'] : ['PostgreSQL', 'postgresql'];
  throw new Error(
    `${server} is not installed, and n8n's queue mode needs it: install it (on Debian: apt-get install ${debianPackage}), and start again.`,
  );
}

/** Another user to run a program as. */
export type ServerOwner = Record<'uid' | 'gid', number>;

interface Keeping {
  program: string;
  args: string[];
  /** The signal for an orderly stop. */
  signal: NodeJS.Signals;
  owner?: ServerOwner | undefined;
  folder: string;
  /** Rejects until the server responds. */
  ask: () => Promise<unknown>;
}

/** Runs a server until it is told to stop. It also ends when this process does, for any reason. */
export async function keep({ program, args, signal, owner, folder, ask }: Keeping): Promise<Program> {
  const keeper = join(root, 'tools', 'rigs', 'queue', 'keeper.mjs');
  // In its own process group: Ctrl-C in a terminal only reaches this process, which stops the server last.
  const server = new Program(process.execPath, [keeper, JSON.stringify({ signal, ...owner }), program, ...args], {
    cwd: folder,
    detached: true,
  });
  if (await server.answers(ask)) return server;
  await server.stop();
  throw new Error(`${program} did not start. Its log ends with:\n${lastLines(server.printed, 10)}`);
}

/**
 * Starts Redis, through which n8n's processes pass executions to each other, on a free port of this machine, with new data and a new
 * password.
 *
 * @returns `redis://:PASSWORD@HOST:PORT`
 */
export async function openRedis(opened: OpenedParts): Promise<string> {
  const program = findProgram('redis-server');
  const home = await opened.temporaryFolder('redis-');
  const port = await freePort();
  const password = randomBytes(18).toString('hex');
  // In a file, because everybody on the machine can read command lines.
  const settings = { port, bind: '127.0.0.1', requirepass: password, appendonly: 'no', save: '""' };
  const file = join(home, 'redis.conf');
  const lines = Object.entries(settings).map(([key, value]) => `${key} ${value}\n`);
  await writeFile(file, lines, { mode: 0o600 });
  const url = `redis://:${password}@127.0.0.1:${port}`;
  await opened.start('Redis', () => keep({ program, args: [file], signal: 'SIGTERM', folder: home, ask: () => reached(port) }));
  return url;
}

async function reached(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
}
