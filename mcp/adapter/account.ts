import { setTimeout as sleep } from 'node:timers/promises';
import { runOperation, getCurrentUser } from '../../shared/operations/index.ts';
import {
  clientOfCall,
  type Client,
  type ClientPorts,
  ServiceError,
  accountLimiter,
  type AccountLimiter,
  backgroundPolicy,
  type RetryPolicy,
  NotSent,
  type Clock,
  type Sender,
  type Transport,
  checkBaseUrl,
} from '../../shared/client/index.ts';
import { PendingWrites, type PendingStore, type WriteCoordination } from '../../shared/writes/index.ts';
import { isZone } from '../../shared/time/index.ts';
import { zoneOf } from '../../shared/records/index.ts';
import { brand } from '../../shared/brand.ts';
import { limits } from '../../shared/limits.ts';
import { type CallLedger, GivenUp, memoryLedger, SingleFlight } from './singleFlight.ts';
import { nowText } from './texts.ts';

/** The core's transport for one call. @param leftMs how much time the call has left */
export type TransportFor = (leftMs: () => number) => Transport;

/** How an account is reached. */
export interface AccountPorts {
  baseUrl: string;
  transport: TransportFor;
  clock: Clock;
  /** A wait that does not keep the program running. Default: this process's own. */
  pause?: (milliseconds: number) => Promise<void>;
  state: AccountState;
  /** Tells this account apart from others: where a client is in a list of one is no place in a list of another. */
  owner?: string;
  /** Who sends the requests of the next call. Default: a person. */
  sender?: () => Sender;
}

/** The clock of this process. @param now the time, in milliseconds since the epoch. Default: this machine's */
export const clockWith = (now: () => number = () => Date.now()): Clock => ({
  now,
  sleep: (milliseconds) => sleep(milliseconds),
  random: () => Math.random(),
});

const ownPause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

/** What all connections of one account share. */
export interface AccountState {
  limiter: AccountLimiter;
  pending: PendingWrites;
  flights: SingleFlight;
}

/**
 * What all connections of one account share: by default those of this process.
 *
 * @param store where open writes are saved
 * @param coordination,ledger tell this process of the writes and the calls of the others
 */
export function accountState(
  clock: Pick<Clock, 'now'>,
  store: PendingStore,
  coordination?: WriteCoordination,
  ledger: CallLedger = memoryLedger(() => clock.now()),
): AccountState {
  const pending = new PendingWrites(store, coordination);
  return { limiter: accountLimiter(), pending, flights: new SingleFlight(pending, ledger) };
}

/** Clients of this protocol give up after a minute, so an answer must come before that. Milliseconds. */
const callMs = 55_000;

/** How long the host's time zone is kept before it is read again. Milliseconds. */
const zoneMs = 60 * 60 * 1000;

/** How long a running call waits for the time zone. Milliseconds. */
const zonePatienceMs = 2_000;

/** Waits as long as a call may take, and looks for the result of a lost write for as long. */
const conversational: RetryPolicy = { ...backgroundPolicy, totalWaitMs: 20_000 };

/** One connection to an account: everything that its calls share. */
export class CallingAccount {
  readonly flights: SingleFlight;
  readonly owner: string;
  readonly #ports: AccountPorts;
  readonly #base: string;
  #zone: { is: string; at: number } | undefined;
  #asked: Promise<string | undefined> | undefined;

  /** @throws ServiceError `invalid` if the base URL cannot be used */
  constructor(ports: AccountPorts) {
    this.#ports = ports;
    this.#base = checkBaseUrl(ports.baseUrl);
    this.flights = ports.state.flights;
    this.owner = ports.owner ?? '';
  }

  /**
   * Does the work of one call. Its requests wait only where the service's rate limit wants it, and no longer than the call may take. If the
   * call is cancelled, or its time is over, before anything that changes something was sent, it ends. After that, it continues to its end,
   * so that its result is known.
   *
   * @param givenUp see {@link GivenUp}
   * @param options.onDone see {@link ClientPorts.onDone}
   * @param options.begunAt since when its client waits. Milliseconds since the epoch
   * @throws ServiceError `rateLimited` if it could not be begun in time
   */
  async call<Result>(
    givenUp: AbortSignal,
    work: (client: Client) => Promise<Result>,
    { onDone, begunAt = this.now() }: { onDone?: ClientPorts['onDone']; begunAt?: number } = {},
  ): Promise<Result> {
    const { transport, clock, state, sender = () => 'person' } = this.#ports;
    const until = begunAt + callMs;
    const leftMs = (): number => until - clock.now();
    const retryPolicy = { ...conversational, leftMs };
    const ports = {
      clock,
      transport: transport(leftMs),
      retryPolicy,
      limiter: state.limiter.for(sender()),
      writes: state.pending,
      connection: this,
      ...(onDone && { onDone }),
    };
    const { client } = clientOfCall(this.#base, ports, (waitMs, sent) => {
      if (sent !== undefined) return;
      if (givenUp.aborted) throw new GivenUp();
      if (leftMs() <= waitMs) throw new TooLate();
    });
    return work(client).catch((error: unknown) => {
      throw error instanceof TooLate ? notStarted() : error;
    });
  }

  /** The host's time zone; `undefined` if it cannot be read now, or not soon enough. */
  async hostZone(): Promise<string | undefined> {
    const { clock, pause = ownPause } = this.#ports;
    if (this.#zone !== undefined && clock.now() - this.#zone.at <= zoneMs) return this.#zone.is;
    this.#asked ??= this.#readZone().finally(() => (this.#asked = undefined));
    return Promise.race([this.#asked, pause(zonePatienceMs).then(() => undefined)]);
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#ports.clock.now();
  }

  /** The time, for a model that does not know it: without a request, so in UTC unless the host's zone was read before. */
  nowText(): string {
    const zone = this.#zone?.is;
    return nowText(this.now(), zone !== undefined && isZone(zone) ? zone : undefined);
  }

  async #readZone(): Promise<string | undefined> {
    try {
      const user = await this.call(new AbortController().signal, (client) =>
        runOperation(client, getCurrentUser, { fields: {} }, { shape: 'presented' }),
      );
      const is = zoneOf(user);
      if (is !== undefined) this.#zone = { is, at: this.#ports.clock.now() };
      return is;
    } catch {
      // A time in one zone is better than none, and an error here must not spoil the answer of the call.
      return undefined;
    }
  }
}

/** The time of a call was over before it had sent anything that changes something. */
class TooLate extends NotSent {}

const notStarted = (): ServiceError =>
  new ServiceError('rateLimited', {
    message: 'This call was not made, and nothing was changed: other requests would make it wait too long.',
    advice: `Wait for the other calls to finish, then call it again. ${brand.name} allows ${limits.requestsPerMinute.toLocaleString('en')} requests a minute.`,
  });
