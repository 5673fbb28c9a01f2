import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, mustRun } from '../../process/command.ts';
import { root } from '../../root.cjs';
import type { N8nInstallation } from '../n8n/install.ts';

const READY_WITHIN_MS = 120_000;
const keeper = join(root, 'tools', 'rigs', 'queue', 'keeper.mjs');

/** Where Debian keeps PostgreSQL's programs, which are not on the PATH: one folder for each major version. */
const debianPostgres = '/usr/lib/postgresql';

function usualFolders(): string[] {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).sort((a, b) => Number(b) - Number(a)) : [];
  return [...(process.env.PATH ?? '').split(delimiter), ...versions.map((version) => join(debianPostgres, version, 'bin'))];
}

/**
 * The full path of a server's program.
 *
 * @throws a readable error that says how to install it
 */
export function findProgram(name: 'redis-server' | 'postgres' | 'initdb', folders: readonly string[] = usualFolders()): string {
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const [server, debianPackage, option] =
    name === 'redis-server'
      ? ['Redis', 'redis-server', '--redis redis://HOST:PORT']
      : ['PostgreSQL', 'postgresql', '--postgres postgres://USER@HOST:PORT/DATABASE'];
  throw new Error(
    `${server} is not installed, and n8n's queue mode needs it: install it (on Debian: apt-get install ${debianPackage}), or give the address of one that runs with ${option}.`,
  );
}

/** How to get at a server that n8n needs. */
export interface ServerOptions {
  /** The folder that keeps its data for a later start. Without it, everything is deleted at the end. */
  folder?: string | undefined;
  /** The address of a server that is already running. It is used and left running. */
  url?: string | undefined;
  /** The name that separates its data from other data on the same server. */
  name: string;
  /** The installed n8n, which includes the driver. */
  installation: N8nInstallation;
}

/** Another user to run a program as. */
export interface ServerOwner {
  uid: number;
  gid: number;
}

export interface Keeping {
  /** Its name, as used in sentences. */
  name: string;
  program: string;
  args: string[];
  /** The signal that stops it in an orderly way. */
  signal: NodeJS.Signals;
  owner?: ServerOwner | undefined;
  folder: string;
  /** Whether it answers yet. */
  isReady: () => Promise<boolean>;
}

/** Runs a server until it is told to stop. It also ends when this process ends, for any reason. */
export async function keep({ name, program, args, signal, owner, folder, isReady }: Keeping): Promise<{ stop(): Promise<void> }> {
  // In its own process group: Ctrl-C in a terminal only reaches this process, which stops the server after everything that needs it.
  const child = spawn(process.execPath, [keeper, signal, program, ...args], {
    cwd: folder,
    env: { ...process.env, ...asOwner(owner) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const endNow = (): void => void child.kill('SIGTERM');
  process.once('exit', endNow);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await gone;
    process.removeListener('exit', endNow);
  };
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    if (child.exitCode !== null) break;
    if (await isReady()) return { stop };
  }
  await stop();
  throw new Error(`${name} did not start. Its log ends with:\n${lastLines(log, 10)}`);
}

/** Runs a program to its end. @throws an error with the end of its output if it fails */
export async function runAs(owner: ServerOwner | undefined, program: string, args: string[], folder: string): Promise<void> {
  await mustRun(process.execPath, [keeper, 'SIGTERM', program, ...args], { cwd: folder, env: asOwner(owner) });
}

const asOwner = (owner: ServerOwner | undefined): Record<string, string> =>
  owner ? { KEEPER_UID: String(owner.uid), KEEPER_GID: String(owner.gid) } : {};

/** Why a server cannot be used, in the words of its driver. */
export function reasonOf(fault: unknown): string {
  const { message, code } = typeof fault === 'object' && fault !== null ? (fault as { message?: unknown; code?: unknown }) : {};
  // If a name has several addresses and none answers, the error has a code but no message.
  return String(message || code || fault);
}
