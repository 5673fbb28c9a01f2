import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../process/freePort.ts';
import type { OpenedParts } from '../../process/opened.ts';
import { installN8n } from '../n8n/install.ts';
import { type N8n, startN8n, type StartOptions } from '../n8n/instance.ts';
import { inQueueMode, startBalancer } from './balancer.ts';
import { openPostgres } from './postgres.ts';
import { openRedis } from './servers.ts';

/** The options of a single process; `port` is where the outside reaches n8n. */
type ClusterOptions = Pick<StartOptions, 'installation' | 'unpublished' | 'extra' | 'editor' | 'lean' | 'port'>;

/** The role of an n8n process in queue mode, which is also the command that starts it. */
type Role = NonNullable<StartOptions['command']>;

/**
 * Starts n8n in queue mode: PostgreSQL, Redis and the main process, at one address. `scaleOut` starts two webhook processors and three
 * workers. n8n's processes share no folders, only the database, the queue and the key that encrypts the credentials.
 *
 * @param opened receives everything that is started, and stops it
 * @throws a readable error that names what is missing or did not start
 */
export async function startCluster(options: ClusterOptions, opened: OpenedParts) {
  const installation = options.installation ?? (await installN8n());
  const scratch = await opened.temporaryFolder('n8n-queue-');
  // Every process needs the same key.
  const encryptionKey = randomBytes(24).toString('hex');
  const redisUrl = await openRedis(opened);
  const { url: postgresUrl } = await openPostgres(installation, opened);

  const [mainPort = 0, ...others] = await Promise.all(Array.from({ length: 6 }, freePort));
  const [processorPorts, workerPorts] = [others.slice(0, 2), others.slice(2)];
  const balancer = await startBalancer(options.port ?? 0, inQueueMode(mainPort, processorPorts));
  const { unpublished, editor, lean } = options;
  const mainFolder = join(scratch, 'main');
  const started: Promise<N8n>[] = [];
  const startOne = (role: Role, port: number, home = join(scratch, String(port))): Promise<N8n> => {
    const extra = {
      ...queueEnvironment(role, port, { encryptionKey, postgresUrl, redisUrl, publicOrigin: balancer.origin }),
      ...options.extra,
    };
    const { signal } = opened;
    const starting = startN8n({ command: role, folder: home, port, installation, signal, unpublished, editor, lean, extra });
    started.push(starting);
    return starting;
  };
  opened.add("n8n's processes", async () => {
    // First, because a process that is asked to stop would wait for the connections that the balancer keeps open.
    await balancer.stop();
    const running = (await Promise.allSettled(started)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    await Promise.all(running.map((each) => each.stop()));
  });
  await startOne('start', mainPort, mainFolder);
  const packages = join('.n8n', 'nodes');
  return {
    origin: balancer.origin,
    /** The new processes get the community packages that the main process has installed so far, as they would from an image. */
    scaleOut: async (): Promise<void> => {
      for (const port of others) await cp(join(mainFolder, packages), join(scratch, String(port), packages), { recursive: true });
      await Promise.all([
        ...processorPorts.map((port) => startOne('webhook', port)),
        ...workerPorts.map((port) => startOne('worker', port)),
      ]);
    },
  };
}

/**
 * The environment of n8n's processes in queue mode: the table of docs/guides/queue-mode.md, which gives the reasons, with values for this
 * machine.
 *
 * @param port of this process alone
 * @param shared includes `publicOrigin`, the address at which the outside reaches everything
 */
export function queueEnvironment(
  role: Role,
  port: number,
  { encryptionKey, postgresUrl, redisUrl, publicOrigin }: Record<'encryptionKey' | 'postgresUrl' | 'redisUrl' | 'publicOrigin', string>,
): Record<string, string> {
  const database = new URL(postgresUrl);
  const queue = new URL(redisUrl);
  return {
    EXECUTIONS_MODE: 'queue',
    N8N_ENCRYPTION_KEY: encryptionKey,
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: database.hostname,
    DB_POSTGRESDB_PORT: database.port,
    DB_POSTGRESDB_DATABASE: database.pathname.slice(1),
    DB_POSTGRESDB_USER: database.username,
    DB_POSTGRESDB_PASSWORD: database.password,
    DB_POSTGRESDB_POOL_SIZE: '5',
    QUEUE_BULL_REDIS_HOST: queue.hostname,
    QUEUE_BULL_REDIS_PORT: queue.port,
    QUEUE_BULL_REDIS_PASSWORD: queue.password,
    N8N_WEBHOOK_URL: `${publicOrigin}/`,
    N8N_EDITOR_BASE_URL: publicOrigin,
    N8N_PROXY_HOPS: '1',
    N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
    // The balancer does not pass on WebSockets.
    N8N_PUSH_BACKEND: 'sse',
    // The log shows which execution ran where, and what was refused.
    N8N_LOG_LEVEL: 'info',
    // No limit on kept executions, so that the execution of every delivery can be found afterwards.
    EXECUTIONS_DATA_PRUNE_MAX_COUNT: '0',
    ...(role === 'worker'
      ? { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port), N8N_WORKER_SERVER_ADDRESS: '127.0.0.1' }
      : {}),
  };
}
