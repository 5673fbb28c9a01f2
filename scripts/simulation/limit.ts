import { Refusal } from '../../sandbox/errors.ts';
import { DEFAULT_LIMITS, RateLimits, type Limits } from '../../sandbox/limits.ts';
import { createClient, type Client } from '../../shared/api/client.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { rollingLimiter } from '../../shared/api/limiter.ts';
import { patient } from '../../shared/api/retry.ts';
import type { ApiResponse } from '../../shared/api/transport.ts';
import { VirtualTime } from './virtualTime.ts';

export interface Sharing {
  /** Processes. Each has a limiter of its own for each account, and knows nothing of the others. */
  workers: number;
  /** Executions at a time in each process, for each account. */
  executions: number;
  /** Accounts of the service, each with the limit of its own. */
  accounts?: number;
  /** How the service counts its 1,000 a minute. */
  kind: Limits['kind'];
  /** From a request to its answer. */
  latencyMs?: number;
}

export interface Shared {
  /** Items carried out in each minute from the fifth on, when all have settled. */
  perMinute: number;
  /** Items that ended in an error which a person would see, from the beginning on. */
  lost: number;
  /** The share of requests that were answered with 429, from the beginning on. Their items came through later. */
  refused: number;
}

/** Requests at a time of one execution, as the node sends them. */
const WIDTH = 12;
const MINUTE_MS = 60_000;
const MINUTES = 10;
const UNSETTLED_MINUTES = 4;

/**
 * What becomes of bulk items that several processes send without end, none of which knows of the others: the core's own
 * client, patience and limiter against the service's own count of requests, in virtual time.
 */
export async function shareTheLimit({ workers, executions, accounts = 1, kind, latencyMs = 120 }: Sharing): Promise<Shared> {
  const time = new VirtualTime(7);
  const service = new RateLimits({ ...DEFAULT_LIMITS, kind }, 'retry-after');
  const started = time.now();
  const passed = (): number => time.now() - started;
  const count = { settled: 0, lost: 0, refused: 0, sent: 0 };

  const transportTo = (account: string) => async (): Promise<ApiResponse> => {
    // Half on the way there, half for the answer, and never twice the same.
    const way = latencyMs * (0.35 + 0.3 * time.random());
    await time.sleep(way);
    const answer = take(service, account, time.now());
    count.sent += 1;
    if (answer.status === 429) count.refused += 1;
    await time.sleep(way);
    return answer;
  };
  const keepSending = async (client: Client): Promise<void> => {
    await time.sleep(3_000 * time.random());
    while (passed() < MINUTES * MINUTE_MS) {
      try {
        await client.send({ method: 'POST', path: ['bookings'], body: {}, scope: 'bookings:write', thing: 'booking' });
        if (passed() >= UNSETTLED_MINUTES * MINUTE_MS && passed() < MINUTES * MINUTE_MS) count.settled += 1;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        count.lost += 1;
      }
    }
  };
  const times = (number: number): number[] => Array.from({ length: number }, (_, index) => index);
  const clients = times(accounts).flatMap((account) =>
    times(workers).flatMap(() => {
      const limiter = rollingLimiter();
      const ports = { baseUrl: 'https://service.invalid/api/v1', transport: transportTo(`account ${account}`), clock: time, patience: patient, limiter };
      return times(executions).map(() => createClient(ports));
    }),
  );
  await time.during(Promise.all(clients.flatMap((client) => times(WIDTH).map(() => keepSending(client)))));
  return { perMinute: count.settled / (MINUTES - UNSETTLED_MINUTES), lost: count.lost, refused: count.refused / count.sent };
}

function take(service: RateLimits, account: string, now: number): ApiResponse {
  try {
    service.take('api', account, now);
    return { status: 201, headers: {}, body: { id: 'booking' } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 429, headers: error.headers, body: { error: 'Rate limit exceeded', code: error.code } };
  }
}
