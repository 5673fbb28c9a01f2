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

/** The core's transport for one call. @param leftMs the remaining time of the call, in milliseconds */
export type TransportFor = (leftMs: () => number) => Transport;

/** How an account is reached. */
export interface AccountPorts {
  baseUrl: string;
  transport: TransportFor;
  clock: Clock;
  /** Waits without keeping the process alive. Default: this process's own timer. */
  pause?: (milliseconds: number) => Promise<void>;
  state: AccountState;
  /** Identifies the account, so that a page token of one account is not accepted for another. */
  owner?: string;
  /** Who sends the requests of the next call; decides their priority. Default: a person. */
  sender?: () => Sender;
}

/** The clock of this process. @param now the time in milliseconds since the epoch. Default: this machine's */
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
 * Makes the state that all connections of one account share, by default those of this process.
 *
 * @param store where pending writes are saved
 * @param coordination,ledger inform this process about the writes and calls of other processes
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

/** The time limit of a call. MCP clients give up after a minute, so the result must come before that. Milliseconds. */
const callMs = 55_000;

/** How long the host's time zone is cached. Milliseconds. */
const zoneMs = 60 * 60 * 1000;

/** How long a running call waits for the time zone. Milliseconds. */
const zonePatienceMs = 2_000;

/** Retries for as long as a call allows, and searches for the result of a lost write for as long. */
const conversational: RetryPolicy = { ...backgroundPolicy, totalWaitMs: 20_000 };

/** One connection to an account, with everything that its calls share. */
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
   * Does the work of one call. Its requests wait only if the service's rate limit requires it, and no longer than the call's time limit. If
   * the call is cancelled or runs out of time before it has sent a change, it ends. After that, it runs to its end, so that its result is
   * known.
   *
   * @param givenUp see {@link GivenUp}
   * @param options.onDone see {@link ClientPorts.onDone}
   * @param options.begunAt since when the client has waited. Milliseconds since the epoch
   * @throws ServiceError `rateLimited` if it could not start in time
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

  /** The host's time zone; `undefined` if it cannot be read now, or not within {@link zonePatienceMs}. */
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

  /** The current time, for a model that does not know it. It makes no request, so it is in UTC unless the host's zone is cached. */
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
      // A time in one zone is better than none, and an error here must not spoil the result of the call.
      return undefined;
    }
  }
}

/** The call ran out of time before it had sent a change. */
class TooLate extends NotSent {}

const notStarted = (): ServiceError =>
  new ServiceError('rateLimited', {
    message: 'This call was not made, and nothing was changed: other requests would make it wait too long.',
    advice: `Wait for the other calls to finish, then call it again. ${brand.name} allows ${limits.requestsPerMinute.toLocaleString('en')} requests a minute.`,
  });
