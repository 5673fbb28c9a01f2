import { ServiceError } from '../../shared/serviceError.ts';
import { fetchClient, sendAuthorized, type Fetch } from '../../shared/client/httpClient.ts';
import type { ApiRequest, ApiResponse, Clock, Transport } from '../../shared/client/ports.ts';
import { type Sandbox, startSandbox, virtualClock, type SandboxOptions } from '../../sandbox/service.ts';
import { createClient, type Client } from '../../shared/client/client.ts';
import type { Limiter } from '../../shared/client/limiter.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { backgroundPolicy, type RetryPolicy } from '../../shared/client/retry.ts';
import { listOf, oneOf } from './wire.ts';

/** When tests begin: a Wednesday morning, far from any clock change. */
export const testStart = Date.parse('2030-01-02T08:00:00Z');

/** A clock that only moves by waiting, or when the test sets it. Random numbers are always one half. */
export function stillClock(): Clock & { at: number } {
  const clock = {
    at: testStart,
    now: () => clock.at,
    sleep: async (milliseconds: number) => void (clock.at += milliseconds),
    random: () => 0.5,
  };
  return clock;
}

/** The sandbox's clock as the core sees it: sleeping advances it, and random numbers are always one half. */
export const clockOf = ({ clock }: Sandbox): Clock => ({
  now: () => clock.now(),
  sleep: (milliseconds) => clock.advance(milliseconds),
  random: () => 0.5,
});

/** The core's transport over plain `fetch`, as a custom application would write it. */
export const fetchTransport =
  (token: string, over: Fetch = fetch): Transport =>
  (request) =>
    sendAuthorized(
      fetchClient(over),
      { ...request, headers: { ...request.headers, connection: 'close' } },
      token,
      new AbortController().signal,
    );

export interface TestService {
  sandbox: Sandbox;
  client: Client;
  /** Another client of the same service. Another token means another account or other scopes. */
  clientWith(options: {
    patience?: Partial<RetryPolicy>;
    token?: string;
    writes?: PendingWrites;
    transport?: (inner: Transport) => Transport;
    clock?: Clock;
    limiter?: Limiter;
  }): Client;
}

/** Ada's form for booking the first event type, at a time that the seed leaves free. */
export const adasForm = <Change extends object>({ sandbox }: Pick<TestService, 'sandbox'>, change?: Change) => ({
  event_type_id: sandbox.eventTypes()[0]?.id ?? '',
  start_time: '2030-03-06T15:00:00Z',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.org',
  ...change,
});

/** The requests that the service got with this method, to paths with this beginning. */
export const requestsOf = ({ sandbox }: Pick<TestService, 'sandbox'>, method: string, path = '') =>
  sandbox.requests().filter((each) => each.method === method && each.path.startsWith(path));

/** Pending writes that no other client shares. */
export const ownWrites = (now = () => Date.now()): PendingWrites => new PendingWrites(memoryStore(now, 'Try again.'));

/** A client of a service that responds as this transport does, on a clock that only moves by waiting. */
export const clientOver = (transport: Transport, more: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
  createClient({
    baseUrl: 'https://example.com/api/v1',
    writes: ownWrites(),
    retryPolicy: backgroundPolicy,
    clock: stillClock(),
    transport,
    ...more,
  });

/** Sends requests to a sandbox without a socket, which would take most of the time. Only faults, and requests elsewhere, need one. */
export const directFetch =
  (sandbox: Sandbox, others: Fetch = globalThis.fetch): Fetch =>
  async (url, init) =>
    sandbox.faults.waiting().length > 0 || !url.startsWith(sandbox.origin) ? others(url, init) : sandbox.fetch(new Request(url, init));

const running: Sandbox[] = [];
afterEach(() => Promise.all(running.splice(0).map((sandbox) => sandbox.stop())));

/** A sandbox in virtual time, with a core client whose waits move the clock. It stops with the test. */
export async function serve(options: SandboxOptions = {}): Promise<TestService> {
  const sandbox = await startSandbox({ clock: virtualClock(testStart), ...options });
  running.push(sandbox);
  const clock = clockOf(sandbox);
  const direct = directFetch(sandbox);
  const { access_token: token } = sandbox.issueToken();
  const clientWith: TestService['clientWith'] = ({
    patience = {},
    token: other = token,
    writes = ownWrites(() => clock.now()),
    transport = (inner) => inner,
    clock: ownClock = clock,
    limiter,
  }) =>
    createClient({
      baseUrl: sandbox.baseUrl,
      clock: ownClock,
      retryPolicy: { ...backgroundPolicy, ...patience },
      transport: transport(fetchTransport(other, direct)),
      writes,
      ...(limiter && { limiter }),
    });
  return { sandbox, clientWith, client: clientWith({}) };
}

/**
 * A client of a service with these responses, the last of which repeats, and the requests that it sent.
 *
 * @param leftMs how many milliseconds the host lets it run
 */
export function answered(answers: readonly (Partial<ApiResponse> | Error)[], leftMs?: number) {
  const asked: ApiRequest[] = [];
  const clock = stillClock();
  const slept = () => clock.at - testStart;
  const transport: Transport = async (request) => {
    const answer = answers[asked.push(request) - 1] ?? answers.at(-1) ?? {};
    if (answer instanceof Error) throw answer;
    return { status: 200, headers: {}, body: {}, ...answer };
  };
  const retryPolicy = { ...backgroundPolicy, ...(leftMs !== undefined && { leftMs: () => leftMs - slept() }) };
  const client = clientOver(transport, { clock, retryPolicy });
  return { client, asked, slept };
}

/** The service error with which a promise is rejected; anything else fails the test. */
export async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    (value) => new Error(`Nothing was refused, but this came: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}

/** The same for synchronous work. */
export const refusalOf = (work: () => unknown): Promise<ServiceError> => refusal(Promise.resolve().then(work));

/** All values of an asynchronous list. */
export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** The store of a host that ends a step early and runs it again, like Zapier. It outlives each run. */
export function heldStep({ writesAhead = false } = {}): {
  store: Map<string, unknown>;
  writes: () => PendingWrites;
} {
  const store = new Map<string, unknown>();
  /** Each run is a new process, which only has the store. */
  const writes = () =>
    new PendingWrites({
      writesAhead,
      canHold: true,
      advice: 'Replay this step.',
      get: async (key) => store.get(key),
      set: async (key, value) => {
        store.set(key, JSON.parse(JSON.stringify(value)));
        return true;
      },
      delete: async (key) => {
        store.delete(key);
      },
    });
  return { store, writes };
}

/** What a service shows, as a test writes it: the records of each list, or one record, keyed by the last part of its path. */
export type Lists = Record<string, readonly object[] | object>;

export interface ShownLists {
  lists: Lists;
  client: Client;
  /** The last parts of the requested paths, since the test last cleared them; `filters` are those of the same requests. */
  asked: string[];
  filters: Readonly<Record<string, string>>[];
  /** The error status to send in place of a list, by the last part of its path. */
  refused: Record<string, number>;
  clock: ReturnType<typeof stillClock>;
  /** How long each response takes, in milliseconds. */
  answersIn: number;
}

/** A service that consists of lists, for lists that the sandbox would never show. */
export function shownLists(lists: Lists = {}): ShownLists {
  const service: Omit<ShownLists, 'client'> = { lists, asked: [], filters: [], refused: {}, clock: stillClock(), answersIn: 0 };
  const answer = (status: number, body: object) => ({ status, headers: {}, body });
  const transport: Transport = async ({ url, query = {} }) => {
    const name = url.split('/').at(-1) ?? '';
    const { limit = '', cursor, ...filters } = query;
    service.asked.push(name);
    service.filters.push(filters);
    service.clock.at += service.answersIn;
    const status = service.refused[name];
    if (status !== undefined) return answer(status, { error: 'Refused' });
    const records: unknown = service.lists[name] ?? [];
    if (!Array.isArray(records)) return answer(200, oneOf(records));
    const from = Number(cursor ?? 0);
    const next = from + Number(limit);
    return answer(200, listOf(records.slice(from, next), next < records.length ? String(next) : null));
  };
  return Object.assign(service, { client: clientOver(transport, { clock: service.clock }) });
}
