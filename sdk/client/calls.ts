import type { Client as CoreClient } from '../../shared/client/client.ts';
import { clientOfCall } from '../../shared/client/clientOfCall.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import type { Limiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { NotSent } from '../../shared/client/transport.ts';
import { brand } from '../../shared/brand.ts';
import type { PendingWrites } from '../../shared/writes/index.ts';
import type { Client } from './api/methods.ts';
import type { TelemetryHooks } from './options.ts';
import { authorizedTransport, Telemetry, type Wire } from './transport.ts';

/** Waits, or ends early if the signal aborts. */
export type Sleep = (milliseconds: number, over?: AbortSignal) => Promise<void>;

/** What all calls of one client share. */
export interface Shared {
  /** As `checkBaseUrl` returned it. */
  baseUrl: string;
  wire: Wire;
  now: () => number;
  sleep: Sleep;
  limiter: Limiter;
  writes: PendingWrites;
  hooks: TelemetryHooks;
}

/** One call of an operation, from its first request to its result. */
export class Call {
  readonly client: CoreClient;
  readonly baseUrl: string;
  readonly #name: string;
  readonly #over: AbortSignal | undefined;
  readonly #sentAt: () => number | undefined;

  /** @param name what was called, such as `bookings.create` */
  constructor({ baseUrl, wire, now, sleep, hooks, ...shared }: Shared, name: string, over: AbortSignal | undefined) {
    [this.#name, this.#over, this.baseUrl] = [name, over, baseUrl];
    const telemetry = new Telemetry(hooks, name);
    const ports = {
      ...shared,
      clock: { now, random: () => Math.random(), sleep: (milliseconds: number) => sleep(milliseconds, over) },
      transport: authorizedTransport(wire, over, telemetry),
      retryPolicy: backgroundPolicy,
      onRetry: telemetry.retry.bind(telemetry),
    };
    const { client, sentAt } = clientOfCall(baseUrl, ports, () => {
      // Nothing more is sent. Nobody waits for the call any more.
      if (over?.aborted === true) throw new NotSent('The call was given up.');
    });
    [this.client, this.#sentAt] = [client, sentAt];
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
    const sentAt = this.#sentAt();
    if (sentAt === undefined)
      return over.reason instanceof Error ? over.reason : new Error('The call was given up.', { cause: over.reason });
    return new ServiceError('unknownOutcome', {
      message: `${this.#name} was cancelled after it was sent to ${brand.name} at ${new Date(sentAt).toISOString()}: it may or may not have happened.`,
      advice: 'Check the service before you do it again.',
    });
  }
}

type Begin = (name: string, over: AbortSignal | undefined) => Call;

const inside = Symbol('the core of a client');

/** Lets the package's other entries call the core with this client's settings, also through a proxy that an application puts around it. */
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
