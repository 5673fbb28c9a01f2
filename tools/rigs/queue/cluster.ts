import { createHash } from 'node:crypto';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../../sandbox/service.ts';
import { freePort } from '../../process/freePort.ts';
import { Opened } from '../../start/opened.ts';
import { connectAccount, type ConnectedN8n, nodeTypes, ourPackage, testOwner } from '../n8n/connected.ts';
import { installN8n } from '../n8n/install.ts';
import { keptKey, type N8n, startN8n, type StartOptions } from '../n8n/instance.ts';
import { installPackage, N8nSession } from '../n8n/session.ts';
import { startBalancer } from './balancer.ts';
import { type Postgres, openPostgres } from './postgres.ts';
import { type Redis, openRedis } from './servers.ts';

export interface ClusterOptions extends Pick<StartOptions, 'installation' | 'unpublished' | 'extra' | 'editor' | 'lean'> {
  /** The folder for the data of the main process, PostgreSQL and Redis. Without it, they get a temporary one that is deleted at the end. */
  folder?: string | undefined;
  /** The port at which the outside reaches n8n; 0, the default, uses any free port. */
  port?: number | undefined;
  /** The addresses of servers that are already running. */
  postgresUrl?: string | undefined;
  redisUrl?: string | undefined;
  /** Three, if absent. There are two webhook processors. */
  workers?: number;
}

/** The role of an n8n process in queue mode. */
type Role = 'main' | 'webhook' | 'worker';

/** One of n8n's processes. Each start uses the same port. */
export class Member {
  /** The address of this process alone, without the balancer. */
  readonly origin: string;
  readonly #start: (signal?: AbortSignal) => Promise<N8n>;
  #starting: Promise<N8n> | undefined;
  #started: N8n[] = [];

  constructor(port: number, start: (signal?: AbortSignal) => Promise<N8n>) {
    this.origin = `http://localhost:${port}`;
    this.#start = start;
  }

  async start(signal?: AbortSignal): Promise<void> {
    this.#starting = this.#start(signal);
    this.#started.push(await this.#starting);
  }

  /** Stops it in an orderly way, once its start has ended. */
  async stop(): Promise<void> {
    const started = await this.#starting?.catch(() => undefined);
    await started?.stop();
  }

  /** Ends it without warning, as a crash or a lost machine does. */
  async kill(): Promise<void> {
    await this.#started.at(-1)?.kill();
  }

  /** Everything that it has printed, including before it was restarted. */
  log(): string {
    return this.#started.map((each) => each.log()).join('');
  }
}

/** n8n in queue mode: one main process, webhook processors and workers over PostgreSQL and Redis, behind one address. */
type Cluster = Awaited<ReturnType<typeof startCluster>>;

/**
 * Starts PostgreSQL, Redis and n8n's main process; `scaleOut` starts the rest. No two of n8n's processes share a folder. They only
 * share the database, the queue and the key that encrypts the credentials.
 *
 * @param opened receives what is started, and stops it
 * @throws a readable error that names what is missing or did not start
 */
export async function startCluster(options: ClusterOptions, opened: Opened) {
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

  const [mainPort = 0, ...others] = await Promise.all(Array.from({ length: 3 + (options.workers ?? 3) }, freePort));
  const [processorPorts, workerPorts] = [others.slice(0, 2), others.slice(2)];
  const balancer = await startBalancer(options.port ?? 0, mainPort, processorPorts);
  const { unpublished, editor, lean } = options;
  const mainFolder = join(folder, 'n8n');
  const memberOf = (role: Role, port: number, home = join(scratch, String(port))): Member =>
    new Member(port, (signal) => {
      const extra = {
        ...queueEnvironment({ role, port, encryptionKey, postgres, redis, publicOrigin: balancer.origin }),
        ...options.extra,
      };
      const command = role === 'main' ? 'start' : role;
      return startN8n({ command, folder: home, port, installation, signal, unpublished, editor, lean, extra });
    });
  const main = memberOf('main', mainPort, mainFolder);
  const processors = processorPorts.map((port) => memberOf('webhook', port));
  const workers = workerPorts.map((port) => memberOf('worker', port));
  opened.add("n8n's processes", async () => {
    // First, because a process that is asked to stop would wait for the connections that the balancer keeps open.
    await balancer.stop();
    await Promise.all([main, ...processors, ...workers].map((member) => member.stop()));
  });
  await main.start(opened.signal);
  const packages = join('.n8n', 'nodes');
  return {
    origin: balancer.origin,
    main,
    processors,
    workers,
    postgres,
    /** They get the community packages that the main process has installed so far, as they would from an image. */
    scaleOut: async (): Promise<void> => {
      for (const port of others) await cp(join(mainFolder, packages), join(scratch, String(port), packages), { recursive: true });
      await Promise.all([...processors, ...workers].map((member) => member.start(opened.signal)));
    },
  };
}

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

/** The environment of n8n's processes in queue mode: the table of docs/guides/queue-mode.md, which gives the reasons, with the values for this machine. */
export function queueEnvironment({ role, port, encryptionKey, postgres, redis, publicOrigin }: QueueSettings): Record<string, string> {
  const database = new URL(postgres.url);
  const queue = new URL(redis.url);
  return {
    EXECUTIONS_MODE: 'queue',
    N8N_ENCRYPTION_KEY: encryptionKey,
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: database.hostname,
    DB_POSTGRESDB_PORT: database.port || '5432',
    DB_POSTGRESDB_DATABASE: database.pathname.slice(1) || 'postgres',
    DB_POSTGRESDB_SCHEMA: postgres.schema,
    DB_POSTGRESDB_USER: decodeURIComponent(database.username),
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(database.password),
    DB_POSTGRESDB_POOL_SIZE: '5',
    QUEUE_BULL_REDIS_HOST: queue.hostname,
    QUEUE_BULL_REDIS_PORT: queue.port || '6379',
    QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(queue.username),
    QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(queue.password),
    QUEUE_BULL_REDIS_DB: queue.pathname.slice(1) || '0',
    QUEUE_BULL_PREFIX: redis.prefix,
    N8N_REDIS_KEY_PREFIX: redis.prefix,
    N8N_WEBHOOK_URL: `${publicOrigin}/`,
    N8N_EDITOR_BASE_URL: publicOrigin,
    N8N_PROXY_HOPS: '1',
    N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
    // Through the balancer, which passes on no WebSocket.
    N8N_PUSH_BACKEND: 'sse',
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
    const session = await N8nSession.open(cluster.origin, testOwner);
    await installPackage(session, unpublished.name);
    await cluster.scaleOut();
    return await connectAccount({ cluster, session, nodes: nodeTypes(unpublished.name), stop }, sandbox);
  } catch (error) {
    await stop();
    throw error;
  }
}
