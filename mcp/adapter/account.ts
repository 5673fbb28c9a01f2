import { createClient, type Client } from '../../shared/api/client.ts';
import { rollingLimiter, type Limiter } from '../../shared/api/limiter.ts';
import { PendingWrites, type Store } from '../../shared/api/pendingWrites.ts';
import { patient, type Patience } from '../../shared/api/retry.ts';
import type { Clock, Transport } from '../../shared/api/transport.ts';
import { carryOut } from '../../shared/carryOut.ts';
import { zoneOf } from '../../shared/clocks.ts';
import { getCurrentUser } from '../../shared/operations/index.ts';
import { Calls, GivenUp } from './calls.ts';
import { Turns, waitedInVain } from './turns.ts';

/** The core's port for one call. @param leftMs what is left of the call */
export type TransportFor = (leftMs: () => number) => Transport;

/** What an account is reached by. */
export interface Ports {
  baseUrl: string;
  transport: TransportFor;
  clock: Clock;
  /** A wait that is worth nothing by itself: it keeps no program running. */
  pause: (milliseconds: number) => Promise<void>;
  /** Where open writes are put down. */
  store: Store;
}

/** Clients of this protocol lose patience after a minute: a sentence has to come before. Milliseconds. */
const callMs = 55_000;

/** How long the host's zone is taken for granted. Milliseconds. */
const zoneMs = 60 * 60 * 1000;

/** How long a call that is carried out already waits for it. Milliseconds. */
const zonePatienceMs = 2_000;

/** Waits as long as a call may take; what became of a lost write is looked for as long. */
const conversational: Patience = { ...patient, attempts: 4, totalWaitMs: 20_000 };

/** One connected account: what all calls for it share. */
export class Account {
  readonly calls: Calls;
  readonly #ports: Ports;
  readonly #limiter: Limiter = rollingLimiter();
  readonly #writes: PendingWrites;
  readonly #turns: Turns;
  #zone: { is: string; at: number } | undefined;
  #asked: Promise<string | undefined> | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#writes = new PendingWrites(ports.store);
    this.calls = new Calls(() => ports.clock.now());
    this.#turns = new Turns({ now: () => ports.clock.now(), pause: ports.pause });
  }

  /**
   * Does the work of one call once it is its turn. Its time begins now.
   *
   * @param givenUp see {@link GivenUp}
   * @throws ServiceError `rateLimited` where its turn did not come
   */
  async inTurn<Result>(givenUp: AbortSignal, work: (client: Client) => Promise<Result>): Promise<Result> {
    const until = this.#ports.clock.now() + callMs;
    return this.#turns.take(givenUp, until, () => work(this.#client(givenUp, until)));
  }

  /**
   * The service, seen from one call. Before anything that changes something is sent, a call that was given up ends; after that it
   * goes on to its end, so that it is known what became of it.
   */
  #client(givenUp: AbortSignal, until: number): Client {
    const { baseUrl, transport, clock } = this.#ports;
    const leftMs = (): number => until - clock.now();
    const send = transport(leftMs);
    let isSent = false;
    let hasAsked = false;
    const check = (): void => {
      if (givenUp.aborted && !isSent) throw new GivenUp();
    };
    return createClient({
      baseUrl,
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

  /** On whose clocks the host lives; `undefined` where that cannot be read now, or not soon: nobody waits long for it. */
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
      // A time on one clock is better than none, and whatever goes wrong here must not cost the answer of the call beside it.
      return undefined;
    }
  }
}
