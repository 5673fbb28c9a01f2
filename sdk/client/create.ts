import { rollingLimiter } from '../../shared/api/limiter.ts';
import type { Fetch } from '../../shared/api/overFetch.ts';
import { PendingWrites } from '../../shared/api/pendingWrites.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { patient } from '../../shared/api/retry.ts';
import { brand } from '../../shared/brand.ts';
import { beginList, carryOutOne } from '../../shared/carryOut.ts';
import { refusedForm, type Operation } from '../../shared/define.ts';
import { checkBaseUrl } from '../../shared/oauth.ts';
import { createSubscription, operations, searches } from '../../shared/operations/index.ts';
import { present } from '../../shared/outputs.ts';
import { ownFetch } from '../fetch.ts';
import { authorizationOf, type Auth } from '../auth.ts';
import { sleep } from '../sleep.ts';
import type { Client } from './api.ts';
import { Call, type Shared } from './calls.ts';
import { withCore } from './core.ts';
import { recordList, type RecordList } from './list.ts';
import { placeOf } from './names.ts';
import { authorizedTransport, requestTimeoutMs } from './transport.ts';
import { typed } from './typed.ts';

/** How a client reaches the service. */
export interface ClientOptions {
  /** An access token, a function that gives one, or a connection of `./oauth`, which renews its token by itself. */
  auth: Auth;
  /** Ends in `/api/v1`; the published address where it is absent. */
  baseUrl?: string | undefined;
  /** Sends the requests in place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** The IANA zone in which a start without an offset is read where the call names none. Without it such a start is refused. */
  timeZone?: string | undefined;
  /** How long one request may take before it counts as lost. Milliseconds; 20 seconds where it is absent. */
  timeoutMs?: number | undefined;
}

/** What one call is made with. */
export interface CallOptions {
  /**
   * Gives the call up. It then ends with the signal's own reason; where something may have been changed already, with a
   * ServiceError of the kind `unknownOutcome`.
   */
  signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** The most records wanted; all where it is absent. */
  limit?: number | undefined;
}

/**
 * A client of the service for one account. What is typed about its methods stands in `Client`; what they do is what is declared of
 * each operation: the form is checked before anything is sent, requests keep to the service's limits and are sent again where that
 * does no harm, and what changes something is settled by looking when its answer is lost.
 *
 * @throws ServiceError `invalid` where the base address cannot be used
 */
export const createClient = (options: ClientOptions): Client => clientOf([...operations, ...searches])(options) as unknown as Client;

/** A method as it is without its types. */
export type Method = (
  input?: Readonly<Record<string, unknown>>,
  options?: ListOptions,
) => Promise<ServiceRecord> | RecordList<ServiceRecord>;

/** The same for any operations: one that is added to the core is a method, with no edit here. */
export const clientOf =
  (offered: readonly Operation[]) =>
  ({ auth, baseUrl = brand.baseUrl, fetch, timeZone, timeoutMs = requestTimeoutMs }: ClientOptions) => {
    const wire = {
      fetch: ownFetch(fetch),
      authorization: authorizationOf(auth),
      timeoutMs: () => timeoutMs,
      timeout: (milliseconds: number) => AbortSignal.timeout(milliseconds),
    };
    const shared: Shared = {
      baseUrl: checkBaseUrl(baseUrl),
      transport: (over) => authorizedTransport(wire, over),
      now: () => Date.now(),
      sleep,
      patience: patient,
      limiter: rollingLimiter(),
      writes: new PendingWrites(),
    };
    const client: Record<string, Record<string, Method>> = {};
    for (const operation of offered) {
      const { group, method } = placeOf(operation);
      (client[group] ??= {})[method] = methodOf(operation, shared, timeZone);
    }
    return withCore(client, () => new Call(shared, createSubscription, undefined).client);
  };

function methodOf(operation: Operation, shared: Shared, timeZone: string | undefined): Method {
  const shown = (record: ServiceRecord): ServiceRecord => typed(operation.output, present(operation.output, record));
  return (input = {}, { signal, limit } = {}) => {
    const call = new Call(shared, operation, signal);
    const fields = (): Record<string, unknown> => fieldsOf(operation, input);
    if (operation.yields === 'many') {
      const begin = async (most: number | undefined) => beginList(call.client, operation, { fields: fields() }, { limit: most }, timeZone);
      return recordList({ begin, shown, guard: (work) => call.guard(work) }, limit);
    }
    return call.guard(async () => shown(await carryOutOne(call.client, operation, { fields: fields() }, {}, timeZone)));
  };
}

/**
 * The fields of a form, a `Date` as the instant that it is. A form keeps to itself what it does not know; who misspelt a field has
 * to hear of it also where nothing checked the types.
 */
function fieldsOf({ input: form, action }: Operation, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(form, key));
  const known = Object.keys(form);
  const takes = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  if (unknown.length > 0)
    throw refusedForm(unknown.map((field) => ({ field, label: field.slice(0, 80), message: `is no field of ${action}: ${takes}` })));
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value,
    ]),
  );
}
