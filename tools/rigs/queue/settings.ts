import type { Postgres } from './postgres.ts';
import type { Redis } from './servers.ts';

/** The role of an n8n process in queue mode. */
export type Role = 'main' | 'webhook' | 'worker';

export interface QueueSettings {
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
