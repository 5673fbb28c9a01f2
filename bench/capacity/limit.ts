import type { Limits } from '../../sandbox/limits.ts';
import { createClient, type Client } from '../../shared/client/client.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { LimitedAccount } from '../../tools/rigs/simulation/account.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';

export interface Sharing {
  /** Processes. Each has its own limiter for each account and knows nothing of the others. */
  workers: number;
  /** Executions that run at the same time in each process, per account. */
  executions: number;
  /** Accounts of the service, each with its own limit. */
  accounts?: number;
  /** How the service counts its 1,000 requests a minute. */
  kind: Limits['kind'];
}

export interface Shared {
  /** Items carried out per minute from the fifth minute on, when everything has settled. */
  perMinute: number;
  /** Items that ended in an error that a person would see, counted from the start. */
  lost: number;
  /** The share of requests that were answered with 429, counted from the start. Their items came through later. */
  refused: number;
}

/** How many requests one execution sends at a time, like the node. */
const WIDTH = 12;
const MINUTE_MS = 60_000;
const MINUTES = 10;
const UNSETTLED_MINUTES = 4;

/**
 * What happens to bulk items when several processes send without end and do not know of each other. The core's own client, retries and
 * limiter run against the service's own request count, in virtual time.
 */
export async function shareTheLimit({ workers, executions, accounts = 1, kind }: Sharing): Promise<Shared> {
  const time = new VirtualTime(7);
  const started = time.now();
  const passed = (): number => time.now() - started;
  const count = { settled: 0, lost: 0 };

  const keepSending = async (client: Client): Promise<void> => {
    await time.sleep(3_000 * time.random());
    while (passed() < MINUTES * MINUTE_MS) {
      try {
        await client.read({ method: 'POST', path: ['bookings'], body: {}, scope: 'bookings:write', resourceName: 'booking' });
        if (passed() >= UNSETTLED_MINUTES * MINUTE_MS && passed() < MINUTES * MINUTE_MS) count.settled += 1;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        count.lost += 1;
      }
    }
  };
  const times = (number: number): number[] => Array.from({ length: number }, (_, index) => index);
  const services = times(accounts).map(() => new LimitedAccount(kind, time));
  const clients = services.flatMap(({ transport }) =>
    times(workers).flatMap(() => {
      const ports = {
        baseUrl: 'https://service.invalid/api/v1',
        transport,
        clock: time,
        retryPolicy: backgroundPolicy,
        limiter: accountLimiter().for('bulk'),
      };
      return times(executions).map(() => createClient(ports));
    }),
  );
  await time.during(Promise.all(clients.flatMap((client) => times(WIDTH).map(() => keepSending(client)))));
  const sum = (which: 'done' | 'refused'): number => services.reduce((all, service) => all + service[which], 0);
  return {
    perMinute: count.settled / (MINUTES - UNSETTLED_MINUTES),
    lost: count.lost,
    refused: sum('refused') / (sum('done') + sum('refused')),
  };
}
