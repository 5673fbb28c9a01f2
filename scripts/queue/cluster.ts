import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { N8nSettings } from '../n8n/environment.ts';
import { installN8n, type N8nInstallation } from '../n8n/install.ts';
import { freePort, startN8n, type N8n } from '../n8n/instance.ts';
import { Opened } from '../start/opened.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { openRedis, type Redis } from './redis.ts';
import { queueEnvironment, type Role } from './settings.ts';

export interface ClusterOptions {
  /** Where main, PostgreSQL and Redis keep their data; without one a temporary folder, which is deleted at the end. */
  folder?: string | undefined;
  /** Where n8n is reached from outside; 0, the default, takes any free one. */
  port?: number | undefined;
  unpublished?: N8nSettings['unpublished'];
  installation?: N8nInstallation | undefined;
  /** Servers that run already, by address. */
  postgresUrl?: string | undefined;
  redisUrl?: string | undefined;
  processors?: number;
  workers?: number;
  /** Anything else that all of n8n's processes read from their environment. */
  extra?: Record<string, string>;
}

/** One of n8n's processes. */
export interface Member {
  readonly name: string;
  /** Of this process alone: past the balancer. */
  readonly origin: string;
  /** Everything that it has printed since the beginning, its earlier lives included. */
  log(): string;
  /** Ends it as a crash or a lost machine does: without a word. */
  kill(): Promise<void>;
  /** Stops it in an orderly way. */
  stop(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
}

/** n8n in queue mode: one main process, webhook processors and workers over PostgreSQL and Redis, behind one address. */
export interface Cluster {
  readonly origin: string;
  readonly main: Member;
  readonly processors: readonly Member[];
  readonly workers: readonly Member[];
  readonly postgres: Postgres;
  readonly redis: Redis;
  /** What was answered to production webhooks, by status. */
  readonly answers: Balancer['answers'];
  /** Starts the webhook processors and the workers. They get the community packages that the main process has installed by now, as an image carries them. */
  scaleOut(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, Redis and n8n's main process; `scaleOut` starts the rest. No two of n8n's processes share a folder:
 * all that they have in common is the database, the queue and the key that the credentials are encrypted with.
 *
 * @throws one sentence that names what is missing or did not start; what had started is stopped then
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const opened = new Opened();
  try {
    return await assemble(options, opened);
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
}

async function assemble(options: ClusterOptions, opened: Opened): Promise<Cluster> {
  const installation = options.installation ?? (await installN8n());
  const scratch = await mkdtemp(join(tmpdir(), 'n8n-queue-'));
  opened.add('the temporary folder', () => rm(scratch, { recursive: true, force: true, maxRetries: 3 }));
  const folder = options.folder ?? scratch;
  const inFolder = (name: string) => (options.folder === undefined ? undefined : join(options.folder, name));

  const redis = await openRedis({ folder: inFolder('redis'), url: options.redisUrl });
  opened.add('Redis', () => redis.stop());
  const postgres = await openPostgres({ folder: inFolder('postgres'), url: options.postgresUrl, installation });
  opened.add('PostgreSQL', () => postgres.stop());

  const members: { role: Role; member: Member; port: number }[] = [];
  const portsOf = (role: Role) => members.filter((each) => each.role === role).map(({ port }) => port);
  const balancer = await startBalancer({ port: options.port ?? 0, main: () => portsOf('main')[0] ?? 0, processors: () => portsOf('webhook') });
  const encryptionKey = await keptKey(folder);
  const mainFolder = join(folder, 'n8n');
  const add = async (role: Role, number: number, home: string): Promise<Member> => {
    const port = await freePort();
    const settings = { role, port, encryptionKey, postgresUrl: postgres.url, redisUrl: redis.url, publicOrigin: balancer.origin };
    const member = memberOf(number === 0 ? role : `${role} ${number}`, () =>
      startN8n({ command: role === 'main' ? 'start' : role, folder: home, port, installation, ...(options.unpublished ? { unpublished: options.unpublished } : {}), extra: { ...queueEnvironment(settings), ...options.extra } }),
    );
    members.push({ role, member, port });
    await member.start();
    return member;
  };
  opened.add("n8n's processes", async () => {
    // The connections that it keeps open are what a process that is asked to stop would wait for.
    await balancer.stop();
    await Promise.all(members.map(({ member }) => member.stop()));
  });

  const main = await add('main', 0, mainFolder);
  const processors: Member[] = [];
  const workers: Member[] = [];
  const another = async (role: Role, number: number, list: Member[]): Promise<void> => {
    const home = join(scratch, `${role}-${number}`);
    const packages = join(mainFolder, '.n8n', 'nodes');
    if (existsSync(packages)) await cp(packages, join(home, '.n8n', 'nodes'), { recursive: true });
    list.push(await add(role, number, home));
  };
  return {
    origin: balancer.origin,
    answers: balancer.answers,
    main,
    processors,
    workers,
    postgres,
    redis,
    async scaleOut() {
      const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
      const started = await Promise.allSettled([
        ...numbers(options.processors ?? 2).map((number) => another('webhook', number, processors)),
        ...numbers(options.workers ?? 3).map((number) => another('worker', number, workers)),
      ]);
      for (const result of started) if (result.status === 'rejected') throw result.reason;
      for (const list of [processors, workers]) list.sort((a, b) => a.name.localeCompare(b.name));
    },
    async stop() {
      const complaints = await opened.closeAll();
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
  };
}

function memberOf(name: string, start: () => Promise<N8n>): Member {
  let n8n: N8n | undefined;
  let before = '';
  const last = (): N8n => {
    if (n8n === undefined) throw new Error(`n8n's ${name} was not started.`);
    return n8n;
  };
  return {
    name,
    get origin() {
      return last().origin;
    },
    log: () => before + (n8n?.log() ?? ''),
    kill: () => last().kill(),
    stop: async () => n8n?.stop(),
    async start() {
      before += n8n?.log() ?? '';
      n8n = await start();
    },
  };
}

/** The key that every process must be given alike: made once a folder. */
async function keptKey(folder: string): Promise<string> {
  const file = join(folder, 'encryption-key');
  if (existsSync(file)) return readFile(file, 'utf8');
  await mkdir(folder, { recursive: true });
  const key = randomBytes(24).toString('hex');
  await writeFile(file, key, { mode: 0o600 });
  return key;
}
