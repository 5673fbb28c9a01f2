import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../../sandbox/service.ts';
import { freePort } from '../../process/freePort.ts';
import { Opened } from '../../start/opened.ts';
import { type ConnectedN8n, connectToSandbox, nodeTypes, ourPackage, testOwner } from '../n8n/connected.ts';
import { installN8n } from '../n8n/install.ts';
import { keptKey, type N8n, startN8n, type StartOptions } from '../n8n/instance.ts';
import { installPackage, N8nSession } from '../n8n/session.ts';
import { startBalancer } from './balancer.ts';
import { type Postgres, openPostgres } from './postgres.ts';
import { type Redis, openRedis } from './servers.ts';

export interface ClusterOptions extends Pick<StartOptions, 'installation' | 'unpublished' | 'extra' | 'lean'> {
  /** The folder for the data of the main process, PostgreSQL and Redis. Without it, they get a temporary one that is deleted at the end. */
  folder?: string | undefined;
  /** The port at which the outside reaches n8n; 0, the default, uses any free port. */
  port?: number | undefined;
  /** The addresses of servers that are already running. */
  postgresUrl?: string | undefined;
  redisUrl?: string | undefined;
  processors?: number;
  workers?: number;
}

/** One of n8n's processes. */
export interface Member {
  readonly name: string;
  /** The address of this process alone, without the balancer. */
  readonly origin: string;
  /** Everything that it has printed, including before it was restarted. */
  log(): string;
  /** Ends it without warning, as a crash or a lost machine does. */
  kill(): Promise<void>;
  /** Stops it in an orderly way. */
  stop(): Promise<void>;
  /** Starts it. Later starts use the same port again. */
  start(signal?: AbortSignal): Promise<void>;
}

/** n8n in queue mode: one main process, webhook processors and workers over PostgreSQL and Redis, behind one address. */
export interface Cluster {
  readonly origin: string;
  readonly main: Member;
  readonly processors: readonly Member[];
  readonly workers: readonly Member[];
  readonly postgres: Postgres;
  readonly redis: Redis;
  /**
   * Starts the webhook processors and the workers. They get the community packages that the main process has installed so far, as they
   * would from an image.
   */
  scaleOut(): Promise<void>;
}

/**
 * Starts PostgreSQL, Redis and n8n's main process; `scaleOut` starts the rest. No two of n8n's processes share a folder. They only
 * share the database, the queue and the key that encrypts the credentials.
 *
 * @param opened receives what is started, and stops it
 * @throws a readable error that names what is missing or did not start
 */
export async function startCluster(options: ClusterOptions, opened: Opened): Promise<Cluster> {
  const installation = options.installation ?? (await installN8n());
  const scratch = await opened.temporaryFolder('n8n-queue-');
  const folder = options.folder ?? scratch;
  const keptIn = (name: string) => (options.folder === undefined ? undefined : join(options.folder, name));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Every process must share it.
  const encryptionKey = await keptKey(folder);
  // On servers that other programs also use, everything that belongs to this folder has this name.
  const name = `queue_${createHash('sha256').update(encryptionKey).digest('hex').slice(0, 12)}`;

  const redis = await openRedis({ folder: keptIn('redis'), url: options.redisUrl, name, installation }, opened);
  const postgres = await openPostgres({ folder: keptIn('postgres'), url: options.postgresUrl, name, installation }, opened);

  const members: { role: Role; member: Member; port: number }[] = [];
  const membersOf = (role: Role) => members.filter((each) => each.role === role).sort((a, b) => a.member.name.localeCompare(b.member.name));
  const balancer = await startBalancer({
    port: options.port ?? 0,
    main: () => membersOf('main')[0]?.port ?? 0,
    processors: () => membersOf('webhook').map(({ port }) => port),
  });
  const mainFolder = join(folder, 'n8n');
  const add = async (role: Role, number = 0): Promise<Member> => {
    const home = role === 'main' ? mainFolder : join(scratch, `${role}-${number}`);
    const packages = join('.n8n', 'nodes');
    if (role !== 'main' && existsSync(join(mainFolder, packages)))
      await cp(join(mainFolder, packages), join(home, packages), { recursive: true });
    const port = await freePort();
    const environment = queueEnvironment({ role, port, encryptionKey, postgres, redis, publicOrigin: balancer.origin });
    const member = memberOf(role === 'main' ? role : `${role} ${number}`, (signal) =>
      startN8n({
        command: role === 'main' ? 'start' : role,
        folder: home,
        port,
        installation,
        signal,
        unpublished: options.unpublished,
        lean: options.lean,
        extra: { ...environment, ...options.extra },
      }),
    );
    opened.signal.throwIfAborted();
    members.push({ role, member, port });
    await member.start(opened.signal);
    return member;
  };
  opened.add("n8n's processes", async () => {
    // First, because a process that is asked to stop would wait for the connections that the balancer keeps open.
    await balancer.stop();
    await Promise.all(members.map(({ member }) => member.stop()));
  });

  const main = await add('main');
  const others = async (): Promise<void> => {
    const several = (role: Role, count: number) => Array.from({ length: count }, (_, index) => add(role, index + 1));
    const starting = [...several('webhook', options.processors ?? 2), ...several('worker', options.workers ?? 3)];
    await Promise.allSettled(starting);
    await Promise.all(starting);
  };
  return {
    origin: balancer.origin,
    main,
    get processors() {
      return membersOf('webhook').map(({ member }) => member);
    },
    get workers() {
      return membersOf('worker').map(({ member }) => member);
    },
    postgres,
    redis,
    // Waits until they have started. They are stopped with all the others.
    scaleOut: () => opened.start('the start of the other processes', others, () => Promise.resolve()),
  };
}

function memberOf(name: string, start: (signal: AbortSignal | undefined) => Promise<N8n>): Member {
  let n8n: N8n | undefined;
  let starting: Promise<N8n> | undefined;
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
    async stop() {
      await starting?.then(
        (started) => started.stop(),
        () => undefined,
      );
    },
    async start(signal) {
      before += n8n?.log() ?? '';
      starting = start(signal);
      n8n = await starting;
    },
  };
}

/** The role of an n8n process in queue mode. */
type Role = 'main' | 'webhook' | 'worker';

interface QueueSettings {
  role: Role;
  /** The port of this process alone. */
  port: number;
  encryptionKey: string;
  postgres: Pick<Postgres, 'url' | 'schema'>;
  redis: Redis;
  /** The address at which the outside reaches everything. */
  publicOrigin: string;
}

/** The environment of n8n's processes in queue mode: the table of docs/guides/queue-mode.md, with the values for this machine. */
export function queueEnvironment({ role, port, encryptionKey, postgres, redis, publicOrigin }: QueueSettings): Record<string, string> {
  const database = new URL(postgres.url);
  const queue = new URL(redis.url);
  return {
    EXECUTIONS_MODE: 'queue',
    // It encrypts the stored credentials: a process with another key cannot read them.
    N8N_ENCRYPTION_KEY: encryptionKey,
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: database.hostname,
    DB_POSTGRESDB_PORT: database.port || '5432',
    DB_POSTGRESDB_DATABASE: database.pathname.slice(1) || 'postgres',
    DB_POSTGRESDB_SCHEMA: postgres.schema,
    DB_POSTGRESDB_USER: decodeURIComponent(database.username),
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(database.password),
    // More than n8n's default of two simultaneous queries.
    DB_POSTGRESDB_POOL_SIZE: '5',
    QUEUE_BULL_REDIS_HOST: queue.hostname,
    QUEUE_BULL_REDIS_PORT: queue.port || '6379',
    QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(queue.username),
    QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(queue.password),
    QUEUE_BULL_REDIS_DB: queue.pathname.slice(1) || '0',
    // With the same prefix, another n8n on the same Redis would take these executions for its own.
    QUEUE_BULL_PREFIX: redis.prefix,
    N8N_REDIS_KEY_PREFIX: redis.prefix,
    // Triggers subscribe with the balancer's address, and the service also sends people back to it.
    N8N_WEBHOOK_URL: `${publicOrigin}/`,
    N8N_EDITOR_BASE_URL: publicOrigin,
    N8N_PROXY_HOPS: '1',
    // The processors handle production webhooks and the workers handle manual runs, so that the main process stays free.
    N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
    // The log shows which execution ran where, and what was refused.
    N8N_LOG_LEVEL: 'info',
    // Keeps executions however many there are, so that the one of every delivery can be found afterwards.
    EXECUTIONS_DATA_PRUNE_MAX_COUNT: '0',
    ...(role === 'worker'
      ? { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port), N8N_WORKER_SERVER_ADDRESS: '127.0.0.1' }
      : {}),
  };
}

/** n8n in queue mode with our package in every process and its credential connected to a sandbox. */
export interface ConnectedCluster extends Omit<ConnectedN8n, 'n8n'> {
  cluster: Cluster;
}

/** The start of every test of queue mode. The first call ever also installs n8n: allow twenty minutes. */
export async function openConnectedCluster(sandbox: Sandbox, options: ClusterOptions = {}): Promise<ConnectedCluster> {
  const unpublished = await ourPackage();
  const opened = new Opened();
  const stop = async (): Promise<void> => {
    const complaints = await opened.closeAll();
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  };
  try {
    const cluster = await startCluster({ unpublished, lean: true, ...options }, opened);
    const session = await N8nSession.setUp(cluster.origin, testOwner);
    await installPackage(session, unpublished.name);
    await cluster.scaleOut();
    const credential = await connectToSandbox(session, sandbox);
    const credentials = { [credential.type]: { id: credential.id, name: credential.name } };
    return { cluster, session, credential, credentials, nodes: nodeTypes(unpublished.name), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
