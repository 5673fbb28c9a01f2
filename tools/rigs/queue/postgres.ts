import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { brand } from '../../../shared/brand.ts';
import { mustRun } from '../../process/command.ts';
import { freePort } from '../../process/freePort.ts';
import type { Program } from '../../process/program.ts';
import type { OpenedParts } from '../../process/opened.ts';
import type { N8nInstallation } from '../n8n/install.ts';
import { findProgram, keep, type ServerOwner } from './servers.ts';

const USER = 'n8n';

/** A database server: its address, and a way to query it. */
export type Postgres = Awaited<ReturnType<typeof openPostgres>>;

/**
 * Starts PostgreSQL on a free port of this machine, with new data and a new password. Its data is deleted at the end.
 *
 * @param installation where its driver is found
 * @param isSmall limits each file to 16 MB, the size of its log files, so that a test can fill it like a full disk
 * @throws a readable error if it is not installed or cannot be used
 */
export async function openPostgres(installation: N8nInstallation, opened: OpenedParts, isSmall = false) {
  const initdb = findProgram('initdb');
  const program = findProgram('postgres');
  const owner = await serverOwner();
  const scratch = await opened.temporaryFolder('postgres-');
  // The user 'postgres' cannot enter root's folders, so for root, the data is in that user's home folder. The folder's name is new each
  // time, so that two runs at once have two databases.
  const home = owner ? join(owner.home, `${brand.slug}-${basename(scratch)}`) : scratch;
  opened.add('the database', () => rm(home, { recursive: true, force: true, maxRetries: 3 }));
  const port = await freePort();
  const password = await initialise(initdb, home, owner, opened);
  const address = new URL(`postgres://${USER}:${password}@127.0.0.1:${port}/postgres`).href;
  const { query, end } = connect(installation, address);
  // Only on loopback, without a socket in a folder that may not be ours. The data need not survive a crash.
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'fsync=off'];
  // What is full stays full.
  if (isSmall) settings.push('autovacuum=off');
  const args = ['-D', join(home, 'data'), '-p', String(port), ...settings.flatMap((each) => ['-c', each])];
  // SIGINT stops it quickly and in order. SIGTERM would wait for every client to leave.
  const command = isSmall ? { program: 'sh', args: ['-c', 'ulimit -f 32768 && exec "$0" "$@"', program, ...args] } : { program, args };
  const run = (): Promise<Program> => keep({ ...command, signal: 'SIGINT', owner, folder: home, ask: () => query('SELECT 1') });
  let server: Program = await opened.start('PostgreSQL', run, () => end().then(() => server.stop()));
  return {
    /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
    url: address,
    query,
    /** Stops the server in order, and starts it again. */
    async restart(): Promise<void> {
      await server.stop();
      server = await run();
    },
  };
}

/** PostgreSQL refuses to run as root, so it then runs as the user that its Debian package created. */
async function serverOwner(): Promise<(ServerOwner & { home: string }) | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entry = (await readFile('/etc/passwd', 'utf8')).split('\n').find((line) => line.startsWith('postgres:'));
  const [, , uid, gid, , home] = (entry ?? '').split(':');
  if (home !== undefined) return { uid: Number(uid), gid: Number(gid), home };
  throw new Error(
    "PostgreSQL does not run as root, and there is no user 'postgres' here to run it as: run the command as another user, or install Debian's package (apt-get install postgresql).",
  );
}

/** Creates the database. @returns its password */
async function initialise(initdb: string, home: string, owner: ServerOwner | undefined, opened: OpenedParts): Promise<string> {
  const password = randomBytes(18).toString('hex');
  const file = join(home, 'password');
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFile(file, password, { mode: 0o600 });
  if (owner) for (const each of [home, file]) await chown(each, owner.uid, owner.gid);
  const args = ['-U', USER, `--pwfile=${file}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const creating = mustRun(initdb, ['-D', join(home, 'data'), ...args], { cwd: home, ...owner });
  opened.add('the creation of a database', () => creating.catch(() => undefined));
  await creating;
  return password;
}

interface Driver {
  Pool: new (options: { connectionString: string; max: number }) => {
    query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
    end(): Promise<void>;
    on(event: 'error', listener: () => void): void;
  };
}

function connect(installation: N8nInstallation, url: string) {
  const { Pool } = createRequire(installation.bin)('pg') as Driver;
  const pool = new Pool({ connectionString: url, max: 2 });
  // A broken idle connection is replaced at the next query. If the fault lasts, that query reports it.
  pool.on('error', () => undefined);
  return {
    /** Runs one query. The rows are unparsed, as the driver reads them. */
    query: async (sql: string, values?: unknown[]): Promise<unknown[]> => (await pool.query(sql, values)).rows,
    end: () => pool.end(),
  };
}
