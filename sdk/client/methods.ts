import type { ServiceRecord } from '../../shared/records/fields.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import { memoryStore, PendingWrites, type PendingStore } from '../../shared/writes/index.ts';
import { brand } from '../../shared/brand.ts';
import { listRecords, runOne } from '../../shared/operations/runOperation.ts';
import type { Operation, OperationInput } from '../../shared/operations/define.ts';
import { refusedForm } from '../../shared/operations/refusedForm.ts';
import { checkBaseUrl } from '../../shared/client/baseUrl.ts';
import { present } from '../../shared/records/outputs.ts';
import { isObject, quoteValue } from '../../shared/values.ts';
import { ownTime, type Time } from '../time.ts';
import type { Client } from './api/methods.ts';
import { begin, withCore, type Shared } from './calls.ts';
import { type RecordList, authorizationOf, type ClientOptions, type ListOptions } from './options.ts';
import { ownHttpClient, requestTimeoutMs } from './transport.ts';
import { typed } from './typed.ts';
import type { Records } from '../../shared/client/pages.ts';
import { zoneFault } from '../../shared/time/index.ts';

/** A method without its types. */
export type Method = (
  input?: Readonly<Record<string, unknown>>,
  options?: ListOptions,
) => Promise<ServiceRecord> | RecordList<ServiceRecord>;

/**
 * A client whose methods can also be called by the names in the core's declarations. The types of {@link Client} are generated from these.
 */
export type NamedClient = Client & Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** The parts of a client that are not in its options. Programs and tests replace some of them. */
export interface MethodPorts extends Time {
  /** Where open writes are saved. By default they are lost when the client is discarded. */
  store?: PendingStore;
}

const again = 'Call it again with the same client: it is looked for first, and sent only if it is certainly not there.';

/** A client with the methods of these operations. A new operation of the core becomes a method without changes here. */
export const clientOf =
  (offered: readonly Operation[], { store, ...time }: MethodPorts = ownTime) =>
  ({ auth, baseUrl = brand.baseUrl, fetch, timeZone, timeoutMs = requestTimeoutMs, onRequest, onRetry }: ClientOptions): NamedClient => {
    const fault = timeZone === undefined ? undefined : zoneFault(timeZone);
    if (fault !== undefined) throw refusedForm([{ field: 'timeZone', label: 'timeZone', message: fault }]);
    const shared: Shared = {
      baseUrl: checkBaseUrl(baseUrl),
      wire: { httpClient: ownHttpClient(fetch), authorization: authorizationOf(auth), timeoutMs: () => timeoutMs, ...time },
      time,
      limiter: accountLimiter().for('person'),
      writes: new PendingWrites(store ?? memoryStore(time.now, again)),
      hooks: { onRequest, onRetry },
    };
    const client: Record<string, Record<string, Method>> = {};
    for (const operation of offered) {
      const { group, method } = placeOf(operation);
      (client[group] ??= {})[method] = methodOf(operation, shared, timeZone);
    }
    return withCore(client as NamedClient, (name, over) => begin(shared, name, over));
  };

function methodOf(operation: Operation, shared: Shared, timeZone: string | undefined): Method {
  const shown = (record: ServiceRecord): ServiceRecord => typed(operation.output, present(operation.output, record));
  return (input = {}, { signal, limit } = {}) => {
    const call = begin(shared, methodName(operation), signal);
    // An application passes `undefined` for a value that it does not have. Any other empty value came from somewhere and was meant to
    // filter.
    const form = (): OperationInput => ({
      fields: fieldsOf(operation, input),
      mayBeEmpty: Object.keys(input).filter((key) => input[key] === undefined),
    });
    if (operation.yields === 'many') {
      const most = limit ?? undefined;
      const start: ListReading['start'] = async (limitNow, note) => {
        checkLimit(most);
        const bound = most === undefined || signal !== undefined ? undefined : { advice: readAllAdvice };
        return listRecords(call.client, operation, form(), { limit: limitNow, note, bound, timeZone });
      };
      return recordList({ start, shown, guard: (work) => call.guard(work) }, most);
    }
    return call.guard(async () => shown(await runOne(call.client, operation, form(), { timeZone })));
  };
}

/** @throws ServiceError `invalid` if the limit is not a count; the list would otherwise look empty or complete */
function checkLimit(limit: unknown = Infinity): void {
  if (limit === Infinity || (Number.isInteger(limit) && Number(limit) >= 0)) return;
  throw refusedForm([{ field: 'limit', label: 'limit', message: `must be a whole number from 0: it is ${quoteValue(limit)}` }]);
}

const readAllAdvice = 'Pass a signal, or no limit, to read all of them.';

/**
 * The fields of a form, with each `Date` as an ISO 8601 instant. Forms ignore unknown fields, so misspelled ones are reported here, for
 * callers whose types were not checked.
 */
function fieldsOf(operation: Operation, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const form = operation.input;
  const takes = Object.keys(form).join(', ') || 'none';
  const method = methodName(operation);
  if (!isObject(input))
    throw refusedForm([{ field: method, label: method, message: `takes an object with ${takes}: it is ${quoteValue(input)}` }]);
  const refused = Object.keys(input)
    .filter((key) => !Object.hasOwn(form, key))
    .map((field) => ({
      field,
      label: field.slice(0, 80),
      message: (field === 'limit' ? operation.yields === 'many' : field === 'signal')
        ? `belongs in the second argument of ${method}`
        : `is not a field of ${method}: it takes ${takes}`,
    }));
  if (refused.length > 0) throw refusedForm(refused);
  const asSent = (value: unknown): unknown => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value);
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, asSent(value)]));
}

/** Method names that differ from the operation's own name, because clients usually call a list `list`. */
const verbs: Readonly<Partial<Record<string, string>>> = { getMany: 'list', getCurrent: 'current', getBusy: 'busy' };

/** The place of an operation on the client, such as `eventTypes` and `list`. These names are published and must not change. */
export const placeOf = ({ resource, name }: Pick<Operation, 'resource' | 'name'>): { group: string; method: string } => ({
  group: `${resource}s`,
  method: verbs[name] ?? name,
});

/** The name as written in code, such as `eventTypes.list`. */
export function methodName(operation: Pick<Operation, 'resource' | 'name'>): string {
  const { group, method } = placeOf(operation);
  return `${group}.${method}`;
}

interface ListReading {
  /**
   * @param limit the maximum number of records
   * @param note takes what a person should know about the result
   */
  start: (limit: number | undefined, note: (sentence: string) => void) => Promise<AsyncIterable<ServiceRecord> | Records>;
  shown: (record: ServiceRecord) => ServiceRecord;
  /** Ends a wait for the service when the caller cancels the list. */
  guard: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** The page size for lists that the service does not divide into pages. */
const pageSize = 100;

/** @param limit the maximum number of records; by default all */
function recordList({ start, shown, guard }: ListReading, limit: number | undefined): RecordList<ServiceRecord> {
  let note: string | undefined;
  async function* pages(max = limit): AsyncGenerator<ServiceRecord[]> {
    note = undefined;
    const records = await guard(() => start(max, (sentence) => (note = note === undefined ? sentence : `${note} ${sentence}`)));
    const source = ('pages' in records ? records.pages() : inPages(records))[Symbol.asyncIterator]();
    try {
      for (let next = await guard(() => source.next()); next.done !== true; next = await guard(() => source.next())) {
        if (next.value.length > 0) yield next.value.map(shown);
      }
    } finally {
      await source.return?.();
    }
  }
  async function* one(): AsyncGenerator<ServiceRecord> {
    for await (const page of pages()) yield* page;
  }
  return {
    pages: () => pages(),
    [Symbol.asyncIterator]: () => one(),
    async all() {
      const all: ServiceRecord[] = [];
      for await (const page of pages()) all.push(...page);
      return all;
    },
    async first() {
      for await (const [first] of pages(1)) return first;
      return undefined;
    },
    get note() {
      return note;
    },
  };
}

async function* inPages(records: AsyncIterable<ServiceRecord>): AsyncGenerator<ServiceRecord[]> {
  let page: ServiceRecord[] = [];
  for await (const record of records) {
    page.push(record);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  yield page;
}
