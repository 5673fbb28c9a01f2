import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { brand } from '../../../shared/brand.ts';
import type { N8nInstallation } from '../n8n/install.ts';
import { freePort } from '../../process/freePort.ts';
import type { Opened } from '../../start/opened.ts';
import { findProgram, keep, reasonOf, runAs, type Keeping, type ServerOwner, type ServerOptions } from './servers.ts';

const USER = 'n8n';

/** For data that is deleted at the end anyway: nothing has to survive a crash of the machine. */
const withoutSafety = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** A database server: its address, and a way to query it. */
export interface Postgres {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
  readonly url: string;
  /** The schema that contains n8n's tables. */
  readonly schema: string;
  /** Runs one query. The rows are as the driver reads them, so parse them. */
  query(sql: string, values?: unknown[]): Promise<unknown[]>;
}

/**
 * Starts its own PostgreSQL on a free port of this machine, with a new password. If `url` is given, it uses that server instead,
 * with its own schema there.
 *
 * @throws a readable error if it is not installed or cannot be used
 */
export async function openPostgres({ folder, url, name, installation }: ServerOptions, opened: Opened): Promise<Postgres> {
  if (url !== undefined) {
    const { query, end } = connect(installation, url, name);
    opened.add('the connection to PostgreSQL', end);
    await query(`CREATE SCHEMA IF NOT EXISTS ${name}`).catch((cause: unknown) => {
      throw new Error(
        `PostgreSQL at ${new URL(url).host} cannot be used: ${reasonOf(cause)}. Start it, or correct the address that --postgres gives; its user must be allowed to create a schema.`,
        { cause },
      );
    });
    if (folder === undefined) opened.add('what is in PostgreSQL', () => query(`DROP SCHEMA ${name} CASCADE`));
    return { url, schema: name, query };
  }
  const programs = { initdb: findProgram('initdb'), postgres: findProgram('postgres') };
  const owner = await serverOwner();
  const home = await dataFolder(folder, owner, opened);
  const data = join(home, 'data');
  const passwordFile = join(home, 'password');
  if (!existsSync(data))
    await opened.start(
      'the creation of a database',
      () => initialise(programs.initdb, data, passwordFile, owner, folder !== undefined),
      () => Promise.resolve(),
    );
  const port = await freePort();
  const address = new URL(`postgres://${USER}:${await readFile(passwordFile, 'utf8')}@127.0.0.1:${port}/postgres`).href;
  const { query, end } = connect(installation, address, 'public');
  const settings = {
    // Only on loopback, without a socket in a folder that may not be ours.
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(folder === undefined ? withoutSafety : {}),
  };
  const keeping = {
    name: 'PostgreSQL',
    program: programs.postgres,
    args: ['-D', data, '-p', String(port), ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    // The signal for an orderly, quick stop. SIGTERM would wait for every client to leave.
    signal: 'SIGINT',
    owner,
    folder: home,
    isReady: () =>
      query('SELECT 1').then(
        () => true,
        () => false,
      ),
  } satisfies Keeping;
  await opened.start(
    'PostgreSQL',
    () => keep(keeping),
    (server) => end().then(() => server.stop()),
  );
  return { url: address, schema: 'public', query };
}

interface Owner extends ServerOwner {
  home: string;
}

/** PostgreSQL refuses to run as root. It then runs as the user that its Debian package created. */
async function serverOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entry = (await readFile('/etc/passwd', 'utf8')).split('\n').find((line) => line.startsWith('postgres:'));
  const [, , uid, gid, , home] = (entry ?? '').split(':');
  if (uid === undefined || gid === undefined || home === undefined) {
    throw new Error(
      "PostgreSQL does not run as root, and there is no user 'postgres' here to run it as: run the command as another user, or install Debian's package (apt-get install postgresql).",
    );
  }
  return { uid: Number(uid), gid: Number(gid), home };
}

async function dataFolder(folder: string | undefined, owner: Owner | undefined, opened: Opened): Promise<string> {
  if (folder === undefined) {
    const temporary = await opened.temporaryFolder('postgres-');
    if (owner) await chown(temporary, owner.uid, owner.gid);
    return temporary;
  }
  if (owner === undefined) {
    await mkdir(folder, { recursive: true });
    return folder;
  }
  const home = partOf(folder, owner);
  // If the data folder was deleted, this part of it should go too.
  if (!existsSync(folder)) await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  for (const each of [home, join(home, '..')]) {
    await chown(each, owner.uid, owner.gid);
    await chmod(each, 0o700);
  }
  await mkdir(folder, { recursive: true });
  return home;
}

/** The user 'postgres' cannot enter root's folders. So if root runs it, PostgreSQL's part of the data is in that user's home folder. */
const partOf = (folder: string, { home }: Owner): string =>
  join(home, `${brand.slug}-queue`, createHash('sha256').update(folder).digest('hex').slice(0, 12));

/** Deletes a data folder, and the part of it that is elsewhere. No server may still be using it. */
export async function removeData(folder: string): Promise<void> {
  const owner = await serverOwner();
  if (owner) await rm(partOf(folder, owner), { recursive: true, force: true, maxRetries: 3 });
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function initialise(initdb: string, data: string, passwordFile: string, owner: Owner | undefined, isKept: boolean): Promise<void> {
  await writeFile(passwordFile, randomBytes(18).toString('hex'), { mode: 0o600 });
  if (owner) await chown(passwordFile, owner.uid, owner.gid);
  // Under another name first, so that an interrupted start is never taken for a database.
  const begun = `${data}.begun`;
  await rm(begun, { recursive: true, force: true });
  const args = ['-D', begun, '-U', USER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  if (!isKept) args.push('--no-sync');
  await runAs(owner, initdb, args, join(data, '..'));
  await rename(begun, data);
}

const Result = z.object({ rows: z.array(z.unknown()) });

interface Driver {
  Pool: new (options: { connectionString: string; max: number; options: string }) => {
    query(sql: string, values?: unknown[]): Promise<unknown>;
    end(): Promise<void>;
    on(event: 'error', listener: () => void): void;
  };
}

function connect(installation: N8nInstallation, url: string, schema: string): { query: Postgres['query']; end: () => Promise<void> } {
  const { Pool } = createRequire(installation.bin)('pg') as Driver;
  const pool = new Pool({ connectionString: url, max: 2, options: `-c search_path=${schema},public` });
  // A broken idle connection is replaced at the next query. If the fault lasts, that query reports it.
  pool.on('error', () => undefined);
  return { query: async (sql, values) => Result.parse(await pool.query(sql, values)).rows, end: () => pool.end() };
}
