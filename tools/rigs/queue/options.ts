import { join } from 'node:path';
import { Refused, type Values, text } from '../../commandLine/command.ts';
import { optionsOf, startOptions, type Options } from '../../start/options.ts';

const examples = { postgres: 'postgres://USER@HOST:PORT/DATABASE', redis: 'redis://HOST:PORT' };

export interface QueueOptions extends Options {
  /** Whether the data is kept for a later start. */
  keepsData: boolean;
  postgresUrl: string | undefined;
  redisUrl: string | undefined;
}

const folder = join('.local', 'queue');

export const queueCommand = {
  name: 'npm run start:queue',
  does: 'does the main job of npm start on n8n in queue mode: PostgreSQL, Redis, a main process, two webhook processors and three workers.',
  options: {
    ...startOptions(folder),
    postgres: text('<address>', `A running PostgreSQL: ${examples.postgres}. With a password, set QUEUE_POSTGRES_URL instead.`),
    redis: text('<address>', `A running Redis: ${examples.redis}. With a password, set QUEUE_REDIS_URL instead.`),
  },
  examples: [
    ['npm run start:queue', 'Keeps running and keeps its data.'],
    ['npm run start:queue -- --once', 'Uses free ports and new data, then exits.'],
  ],
} as const;

/**
 * The options, with defaults for those that were not typed.
 *
 * @throws a readable error for an address that cannot be used
 */
export async function queueOptions(
  values: Values<(typeof queueCommand)['options']>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<QueueOptions> {
  const own = {
    keepsData: values.data !== undefined || !values.once,
    postgresUrl: address('--postgres', /^postgres(ql)?:$/, values.postgres, environment),
    redisUrl: address('--redis', /^redis:$/, values.redis, environment),
  };
  // Last, because it makes the temporary folder.
  return { ...(await optionsOf(values, folder)), ...own };
}

const variables = { '--postgres': 'QUEUE_POSTGRES_URL', '--redis': 'QUEUE_REDIS_URL' } as const;

/**
 * The typed address, otherwise the one in the environment. Only the environment may contain a password, because npm prints what is typed.
 */
function address(
  option: keyof typeof variables,
  protocol: RegExp,
  typed: string | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const variable = variables[option];
  const given = typed ?? environment[variable];
  if (given === undefined || given === '') return undefined;
  const example = option === '--redis' ? examples.redis : examples.postgres;
  if (!URL.canParse(given) || !protocol.test(new URL(given).protocol))
    throw new Refused(`${typed === undefined ? variable : option} takes an address, such as ${example}.`);
  if (typed !== undefined && new URL(typed).password !== '')
    throw new Refused(
      `${option} must not contain a password, because npm prints what you type. Set the whole address as ${variable} instead.`,
    );
  return given;
}
