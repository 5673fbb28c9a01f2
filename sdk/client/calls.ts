import { ServiceError } from '../../shared/serviceError.ts';
import type { Client as CoreClient } from '../../shared/client/client.ts';
import { clientOfCall } from '../../shared/client/clientOfCall.ts';
import type { Limiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { NotSent } from '../../shared/client/ports.ts';
import { brand } from '../../shared/brand.ts';
import type { PendingWrites } from '../../shared/writes/index.ts';
import type { AnyClient } from './picked.ts';
import type { TelemetryHooks } from './options.ts';
import { whenAborted, type Time } from '../time.ts';
import { authorizedTransport, telemetryOf, type Wire } from './transport.ts';

/** What all calls of one client share. */
export interface Shared {
  /** As returned by `checkBaseUrl`. */
  baseUrl: string;
  wire: Wire;
  time: Time;
  limiter: Limiter;
  writes: PendingWrites;
  hooks: TelemetryHooks;
}

/** One call of an operation, from its first request to its result. */
export interface OperationCall {
  client: CoreClient;
  baseUrl: string;
  /**
   * Runs a part of the call, and stops waiting for it when the signal aborts.
   *
   * @throws the signal's reason if nothing can have changed; ServiceError `unknownOutcome` if something may have changed
   */
  guard<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @param name the called method, such as `bookings.create` */
export function begin(
  { baseUrl, wire, time: { now, sleep }, hooks, ...shared }: Shared,
  name: string,
  over: AbortSignal | undefined,
): OperationCall {
  const telemetry = telemetryOf(hooks, name);
  const ports = {
    ...shared,
    clock: { now, random: () => Math.random(), sleep: (milliseconds: number) => sleep(milliseconds, over) },
    transport: authorizedTransport(wire, over, telemetry),
    retryPolicy: backgroundPolicy,
    onRetry: telemetry.retry,
  };
  const { client, sentAt } = clientOfCall(baseUrl, ports, () => {
    // Send nothing more: nobody is waiting for the call any more.
    if (over?.aborted === true) throw new NotSent('The call was given up.');
  });
  const end = ({ reason }: AbortSignal): Error => {
    const at = sentAt();
    if (at === undefined) return reason instanceof Error ? reason : new Error('The call was given up.', { cause: reason });
    return new ServiceError('unknownOutcome', {
      message: `${name} was cancelled after it was sent to ${brand.name} at ${new Date(at).toISOString()}: it may or may not have happened.`,
      advice: 'Check the service before you do it again.',
    });
  };
  return {
    client,
    baseUrl,
    async guard(work) {
      if (over === undefined) return work();
      if (over.aborted) throw end(over);
      const ended = new AbortController();
      try {
        return await Promise.race([work(), whenAborted(over, ended.signal)]);
      } catch (error) {
        // The work may fail because of the signal just before the race notices the signal.
        throw over.aborted && !(error instanceof ServiceError && error.kind === 'unknownOutcome') ? end(over) : error;
      } finally {
        ended.abort();
      }
    },
  };
}

type Begin = (name: string, over?: AbortSignal) => OperationCall;

const inside = Symbol('the core of a client');

/**
 * Gives the package's other entry points access to the core with this client's settings, even if the application wraps the client in a
 * `Proxy`.
 */
export const withCore = <Made extends object>(client: Made, value: Begin): Made => Object.defineProperty(client, inside, { value });

/**
 * A call of the core that a signal can cancel.
 *
 * @param name what the application called
 * @throws Error if the client was not made by `createClient` or `createClientOf`
 */
export function callOf(client: AnyClient, name: string, over?: AbortSignal): OperationCall {
  const beginIn = (client as { [inside]?: Begin })[inside];
  if (beginIn === undefined) throw new Error('Pass a client made by createClient or createClientOf.');
  return beginIn(name, over);
}
