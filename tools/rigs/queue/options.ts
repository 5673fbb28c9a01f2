import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../root.cjs';
import { readOptions, type Options } from '../../start/options.ts';

export const help = `npm run start:queue                  the main job of npm start on n8n in queue mode: PostgreSQL, Redis, a main process,
                                     two webhook processors and three workers
npm run start:queue -- --once        the same on free ports with data of its own, then the end: 0 when everything held

  --deliveries <number>              also sends this many deliveries as fast as they are taken, and says what became of each,
                                     and a tenth as many to n8n's own Cal.com trigger
  --postgres <address>               a PostgreSQL that runs already: postgres://USER:PASSWORD@HOST:PORT/DATABASE (or QUEUE_POSTGRES_URL)
  --redis <address>                  a Redis that runs already: redis://:PASSWORD@HOST:PORT (or QUEUE_REDIS_URL)
  --data <folder>                    where the data is kept                (.local/queue; with --once a temporary folder)
  --sandbox-port <port>              where the scheduling service listens  (4010)
  --n8n-port <port>                  where n8n is reached                  (5678)
  --zapier-port <port>               where Zapier's side listens           (4020)`;

export interface QueueOptions extends Options {
  /** Whether the data is for a later start as well. */
  keepsData: boolean;
  /** How many deliveries are sent after the main job; 0 for none. */
  deliveries: number;
  postgresUrl: string | undefined;
  redisUrl: string | undefined;
}

/**
 * Reads the command line: its own options, and those of `npm start`.
 *
 * @returns undefined when help was asked for
 * @throws a sentence for an option that does not exist or cannot be used
 */
export async function readQueueOptions(args: string[], environment: NodeJS.ProcessEnv = process.env): Promise<QueueOptions | undefined> {
  const additional = { deliveries: { type: 'string' }, postgres: { type: 'string' }, redis: { type: 'string' } } as const;
  const { values, tokens } = parseArgs({ args, options: additional, strict: false, allowPositionals: true, tokens: true });
  const taken = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && token.name in additional ? [token.index, ...(token.inlineValue ? [] : [token.index + 1])] : [],
    ),
  );
  const others = args.filter((_, index) => !taken.has(index));
  const namesFolder = others.some((each) => each.startsWith('--data'));
  const isOnce = others.includes('--once');
  const deliveries = values.deliveries ?? '0';
  if (typeof deliveries !== 'string' || !/^\d{1,7}$/.test(deliveries)) throw new Error('--deliveries takes a number: --deliveries 20000');
  const own = {
    keepsData: namesFolder || !isOnce,
    deliveries: Number(deliveries),
    postgresUrl: address('--postgres', /^postgres(ql)?:$/, values.postgres ?? environment['QUEUE_POSTGRES_URL']),
    redisUrl: address('--redis', /^redis:$/, values.redis ?? environment['QUEUE_REDIS_URL']),
  };
  // Last, because it makes the temporary folder.
  const options = await readOptions(namesFolder || isOnce ? others : ['--data', join(root, '.local', 'queue'), ...others]);
  return options && { ...options, ...own };
}

function address(option: string, protocol: RegExp, given: string | boolean | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  const example = option === '--redis' ? 'redis://:PASSWORD@HOST:PORT' : 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';
  if (typeof given !== 'string' || !URL.canParse(given) || !protocol.test(new URL(given).protocol))
    throw new Error(`${option} takes an address: ${option} ${example}`);
  return given;
}
