import { clientAt, type Client } from '../../shared/api/client.ts';
import { accountLimiter } from '../../shared/api/limiter.ts';
import { PendingWrites, type PendingStore } from '../../shared/writes/index.ts';
import { patient, type Patience } from '../../shared/api/retry.ts';
import type { Clock, Transport } from '../../shared/api/transport.ts';
import { carryOut } from '../../shared/carryOut.ts';
import { zoneOf } from '../../shared/clocks.ts';
import { checkBaseUrl } from '../../shared/oauth.ts';
import { getCurrentUser } from '../../shared/operations/index.ts';
import { Calls, GivenUp } from './calls.ts';
import { Turns, waitedInVain } from './turns.ts';

/** The core's transport for one call. @param leftMs how much time the call has left */
export type TransportFor = (leftMs: () => number) => Transport;

/** How an account is reached. */
export interface Ports {
  baseUrl: string;
  transport: TransportFor;
  clock: Clock;
  /** A wait that does not keep the program running. */
  pause: (milliseconds: number) => Promise<void>;
  /** Where open writes are saved. */
  store: PendingStore;
}

/** Clients of this protocol give up after a minute, so an answer must come before that. Milliseconds. */
const callMs = 55_000;

/** How long the host's time zone is kept before it is read again. Milliseconds. */
const zoneMs = 60 * 60 * 1000;

/** How long a running call waits for the time zone. Milliseconds. */
const zonePatienceMs = 2_000;

/** Waits as long as a call may take, and looks for the result of a lost write for as long. */
const conversational: Patience = { ...patient, totalWaitMs: 20_000 };

/** One connected account: everything that its calls share. */
export class Account {
  readonly calls: Calls;
  readonly #ports: Ports;
  readonly #base: string;
  readonly #limiter = accountLimiter().for('person');
  readonly #writes: PendingWrites;
  readonly #turns: Turns;
  #zone: { is: string; at: number } | undefined;
  #asked: Promise<string | undefined> | undefined;

  /** @throws ServiceError `invalid` if the base address cannot be used */
  constructor(ports: Ports) {
    this.#ports = ports;
    this.#base = checkBaseUrl(ports.baseUrl);
    this.#writes = new PendingWrites(ports.store);
    this.calls = new Calls(() => ports.clock.now());
    this.#turns = new Turns({ now: () => ports.clock.now(), pause: ports.pause });
  }

  /**
   * Does the work of one call when its turn comes. Its time starts now.
   *
   * @param givenUp see {@link GivenUp}
   * @throws ServiceError `rateLimited` if its turn did not come
   */
  async inTurn<Result>(givenUp: AbortSignal, work: (client: Client) => Promise<Result>): Promise<Result> {
    const until = this.#ports.clock.now() + callMs;
    return this.#turns.take(givenUp, until, () => work(this.#client(givenUp, until)));
  }

  /**
   * A client for one call. If the call is cancelled before anything that changes something was sent, it ends. After that, it continues to
   * its end, so that its result is known.
   */
  #client(givenUp: AbortSignal, until: number): Client {
    const { transport, clock } = this.#ports;
    const leftMs = (): number => until - clock.now();
    const send = transport(leftMs);
    let isSent = false;
    let hasAsked = false;
    const check = (): void => {
      if (givenUp.aborted && !isSent) throw new GivenUp();
    };
    return clientAt(this.#base, {
      clock: {
        ...clock,
        sleep: async (milliseconds) => {
          check();
          await clock.sleep(milliseconds);
          check();
        },
      },
      transport: async (request) => {
        check();
        if (leftMs() <= 0 && !hasAsked) throw waitedInVain();
        hasAsked = true;
        if (request.method === 'GET') return send(request);
        const before = isSent;
        isSent = true;
        const answer = await send(request);
        // A refusal changes nothing.
        if (answer.status >= 400 && answer.status < 500 && answer.status !== 408) isSent = before;
        return answer;
      },
      patience: { ...conversational, leftMs },
      limiter: this.#limiter,
      writes: this.#writes,
    });
  }

  /** The host's time zone; `undefined` if it cannot be read now, or not soon enough. */
  async hostZone(): Promise<string | undefined> {
    const { clock, pause } = this.#ports;
    if (this.#zone !== undefined && clock.now() - this.#zone.at <= zoneMs) return this.#zone.is;
    this.#asked ??= this.#readZone().finally(() => (this.#asked = undefined));
    return Promise.race([this.#asked, pause(zonePatienceMs).then(() => undefined)]);
  }

  async #readZone(): Promise<string | undefined> {
    try {
      const client = this.#client(new AbortController().signal, this.#ports.clock.now() + callMs);
      const [user] = await carryOut(client, getCurrentUser, { fields: {} }, { shape: 'presented' });
      const is = user && zoneOf(user);
      if (is !== undefined) this.#zone = { is, at: this.#ports.clock.now() };
      return is;
    } catch {
      // A time in one zone is better than none, and an error here must not spoil the answer of the call.
      return undefined;
    }
  }
}
