import { clientAt, type Client as CoreClient } from '../../shared/client/client.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import type { Limiter } from '../../shared/client/limiter.ts';
import type { PendingWrites } from '../../shared/writes/index.ts';
import type { RetryPolicy } from '../../shared/client/retry.ts';
import { NotSent, type Transport } from '../../shared/client/transport.ts';
import { brand } from '../../shared/brand.ts';
import type { Client } from './api/methods.ts';
import { Telemetry, type TelemetryHooks } from './telemetry.ts';

/** Waits, or ends early if the signal aborts. */
export type Sleep = (milliseconds: number, over?: AbortSignal) => Promise<void>;

/** What all calls of one client share. */
export interface Shared {
  /** As `checkBaseUrl` returned it. */
  baseUrl: string;
  transport: (over: AbortSignal | undefined, telemetry: Telemetry) => Transport;
  now: () => number;
  sleep: Sleep;
  retryPolicy: RetryPolicy;
  limiter: Limiter;
  writes: PendingWrites;
  hooks: TelemetryHooks;
}

/** Thrown inside a cancelled call, so that nothing more is sent. Nobody waits for the call any more. */
class GivenUp extends NotSent {
  constructor() {
    super('The call was given up.');
    this.name = 'GivenUp';
  }
}

/** One call of an operation, from its first request to its result. */
export class Call {
  readonly client: CoreClient;
  readonly baseUrl: string;
  readonly #name: string;
  readonly #over: AbortSignal | undefined;
  /** When a request was sent that may have changed something. A refusal resets it. */
  #sentAt: Date | undefined;

  /** @param name what was called, such as `bookings.create` */
  constructor(shared: Shared, name: string, over: AbortSignal | undefined) {
    this.#name = name;
    this.#over = over;
    this.baseUrl = shared.baseUrl;
    const telemetry = new Telemetry(shared.hooks, name);
    const send = shared.transport(over, telemetry);
    const check = (): void => {
      if (over?.aborted === true) throw new GivenUp();
    };
    this.client = clientAt(shared.baseUrl, {
      clock: {
        now: shared.now,
        random: () => Math.random(),
        sleep: async (milliseconds) => {
          check();
          await shared.sleep(milliseconds, over);
          check();
        },
      },
      transport: async (request, route) => {
        check();
        if (request.method === 'GET') return send(request, route);
        const before = this.#sentAt;
        this.#sentAt = new Date(shared.now());
        const answer = await send(request, route);
        // A refusal changes nothing.
        if (answer.status >= 400 && answer.status < 500 && answer.status !== 408) this.#sentAt = before;
        return answer;
      },
      retryPolicy: shared.retryPolicy,
      limiter: shared.limiter,
      writes: shared.writes,
      onRetry: (request, status, waitMs) => telemetry.retry(request, status, waitMs),
    });
  }

  /**
   * Waits for a part of the call until the signal aborts.
   *
   * @throws the signal's reason if nothing can have changed; ServiceError `unknownOutcome` if something may have changed
   */
  async guard<Result>(work: () => Promise<Result>): Promise<Result> {
    const over = this.#over;
    if (over === undefined) return work();
    if (over.aborted) throw this.#end(over);
    let stop: () => void = () => undefined;
    const givenUp = new Promise<never>((_, reject) => {
      stop = () => reject(this.#end(over));
      over.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([work(), givenUp]);
    } catch (error) {
      // The work can fail because of the signal just before this listener is called.
      throw over.aborted && !(error instanceof ServiceError && error.kind === 'unknownOutcome') ? this.#end(over) : error;
    } finally {
      over.removeEventListener('abort', stop);
    }
  }

  #end(over: AbortSignal): Error {
    if (this.#sentAt === undefined)
      return over.reason instanceof Error ? over.reason : new Error('The call was given up.', { cause: over.reason });
    return new ServiceError('unknownOutcome', {
      message: `${this.#name} was cancelled after it was sent to ${brand.name} at ${this.#sentAt.toISOString()}: it may or may not have happened.`,
      advice: 'Check the service before you do it again.',
    });
  }
}

const inside = Symbol('the core of a client');

type Begin = (name: string, over: AbortSignal | undefined) => Call;

/** Lets the package's other entries call the core with this client's settings. */
export const withCore = <Made extends object>(client: Made, begin: Begin): Made => Object.defineProperty(client, inside, { value: begin });

/**
 * A call of the core that a signal can cancel.
 *
 * @param name what the application called
 * @throws Error if the client was not made by `createClient`
 */
export function callOf(client: Client, name: string, over?: AbortSignal): Call {
  const begin = (client as { [inside]?: Begin })[inside];
  if (begin === undefined) throw new Error('Pass a client made by createClient.');
  return begin(name, over);
}

/** @throws Error if the client was not made by `createClient` */
export const coreOf = (client: Client, name: string): CoreClient => callOf(client, name).client;
