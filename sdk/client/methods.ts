import { accountLimiter } from '../../shared/client/limiter.ts';
import { memoryStore, PendingWrites, type PendingStore } from '../../shared/writes/index.ts';
import type { ServiceRecord } from '../../shared/records/records.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { brand } from '../../shared/brand.ts';
import { listRecords, runOne } from '../../shared/operations/runOperation.ts';
import { refusedForm, type Operation } from '../../shared/operations/define.ts';
import { checkBaseUrl } from '../../shared/oauth/oauth.ts';
import { present } from '../../shared/records/outputs.ts';
import { isObject, quoteValue } from '../../shared/values.ts';
import { sleep } from '../sleep.ts';
import { Call, withCore, type Shared, type Sleep } from './calls.ts';
import type { RecordList } from './api/list.ts';
import { recordList, type Reading } from './list.ts';
import { authorizationOf, type ClientOptions, type ListOptions } from './options.ts';
import { methodName, placeOf } from './names.ts';
import { authorizedTransport, ownHttpClient, requestTimeoutMs } from './transport.ts';
import { typed } from './typed.ts';

/** A method without its types. */
export type Method = (
  input?: Readonly<Record<string, unknown>>,
  options?: ListOptions,
) => Promise<ServiceRecord> | RecordList<ServiceRecord>;

/** What a client uses apart from its options. Programs and tests replace parts of it. */
export interface Ports {
  now: () => number;
  sleep: Sleep;
  /** Ends a request that takes longer. */
  timeout: (milliseconds: number) => AbortSignal;
  /** Where open writes are saved. By default they are forgotten together with the client. */
  store?: PendingStore;
}

export const ownPorts: Ports = { now: () => Date.now(), sleep, timeout: (milliseconds) => AbortSignal.timeout(milliseconds) };

/** The same for any operations: a new operation of the core becomes a method without changes here. */
export const clientOf =
  (offered: readonly Operation[], { now, sleep: wait, timeout, store }: Ports = ownPorts) =>
  ({ auth, baseUrl = brand.baseUrl, fetch, timeZone, timeoutMs = requestTimeoutMs, onRequest, onRetry }: ClientOptions) => {
    const wire = {
      httpClient: ownHttpClient(fetch),
      authorization: authorizationOf(auth),
      timeoutMs: () => timeoutMs,
      timeout,
    };
    const shared: Shared = {
      baseUrl: checkBaseUrl(baseUrl),
      transport: (over, telemetry) => authorizedTransport(wire, over, telemetry),
      now,
      sleep: wait,
      retryPolicy: backgroundPolicy,
      limiter: accountLimiter().for('person'),
      writes: new PendingWrites(
        store ??
          memoryStore(now, 'Call it again with the same client: it is looked for first, and sent only if it is certainly not there.'),
      ),
      hooks: { onRequest, onRetry },
    };
    const client: Record<string, Record<string, Method>> = {};
    for (const operation of offered) {
      const { group, method } = placeOf(operation);
      (client[group] ??= {})[method] = methodOf(operation, shared, timeZone);
    }
    return withCore(client, (name, over) => new Call(shared, name, over));
  };

function methodOf(operation: Operation, shared: Shared, timeZone: string | undefined): Method {
  const shown = (record: ServiceRecord): ServiceRecord => typed(operation.output, present(operation.output, record));
  return (input = {}, { signal, limit } = {}) => {
    const call = new Call(shared, methodName(operation), signal);
    const fields = (): Record<string, unknown> => fieldsOf(operation, input);
    if (operation.yields === 'many') {
      const begin: Reading['begin'] = async (limitNow, note) =>
        listRecords(call.client, operation, { fields: fields() }, { limit: limitNow, note }, timeZone);
      return recordList({ begin, shown, guard: (work) => call.guard(work) }, limit);
    }
    return call.guard(async () => shown(await runOne(call.client, operation, { fields: fields() }, {}, timeZone)));
  };
}

/**
 * The fields of a form, with each `Date` as an instant. A form ignores unknown fields, so misspelt ones are reported here, even if nothing
 * checked the types.
 */
function fieldsOf(operation: Operation, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const form = operation.input;
  const takes = (): string => Object.keys(form).join(', ') || 'none';
  if (!isObject(input)) {
    const method = methodName(operation);
    throw refusedForm([{ field: method, label: method, message: `takes an object with ${takes()}: it is ${quoteValue(input)}` }]);
  }
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(form, key));
  if (unknown.length > 0)
    throw refusedForm(
      unknown.map((field) => ({
        field,
        label: field.slice(0, 80),
        message: `is not a field of ${methodName(operation)}: it takes ${takes()}`,
      })),
    );
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value,
    ]),
  );
}
