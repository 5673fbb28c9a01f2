import type { VirtualTime } from '../../bench/virtualTime.ts';
import type { Chance } from './random.ts';
import type { Wire } from './application.ts';
import { routeOf } from './world.ts';
import { errorOf } from '../support/wire.ts';

/** One request that a fault affects. */
interface Struck {
  request: Request;
  time: VirtualTime;
  chance: Chance;
  /** The longest time after which a request whose answer was lost may still be carried out. */
  latestMs: number;
  /** What this fault remembers from one request of the run to the next. */
  memory: Map<string, string>;
  /** Lets the service carry the request out. */
  serve: () => Promise<Response>;
}

type Strike = (struck: Struck) => Promise<Response>;

export interface FaultKind {
  /** Nothing can have been carried out that its sender does not know of, so "it may exist" would be untrue. */
  isCertain?: boolean;
  /** The requests that it can affect, if not all. */
  befalls?: (route: string) => boolean;
  /** It affects every request from the first one on. */
  always?: boolean;
  strike: Strike;
}

const HOUR_MS = 3_600_000;
/** Longer than any client waits for a connection. */
const CONNECT_MS = 60_000;

/** A connection that broke, as Node's `fetch` reports it. */
const broken = (code: string): TypeError => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

/** Nothing is done, and the connection breaks. */
const lost =
  (...codes: [string, ...string[]]): Strike =>
  async ({ chance }) => {
    throw broken(chance.pick(codes));
  };

/** Answers in the service's place; nothing is carried out. */
const instead =
  (answer: (chance: Chance, request: Request) => Response): Strike =>
  async ({ chance, request }) =>
    answer(chance, request);

/** Carries the request out, then gives an answer that is wrong in one way. */
const spoilt =
  (change: (right: Response, struck: Struck) => Response | Promise<Response>): Strike =>
  async (struck) =>
    change(await struck.serve(), struck);

const page = (status: number, words = 'Sign in to this network'): Response =>
  new Response(`<!DOCTYPE html><html><body><h1>${words}</h1></body></html>`, { status, headers: { 'content-type': 'text/html' } });

const inJson = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(errorOf(`Status ${status}`, code), { status, headers });

const throttled = (chance: Chance, ...seconds: [number, ...number[]]): Response =>
  inJson(429, 'RATE_LIMITED', chance.happens(1 / 3) ? {} : { 'retry-after': String(chance.pick(seconds)) });

const failure = (chance: Chance): Response =>
  chance.pick([
    () => inJson(500, 'INTERNAL_ERROR'),
    () => page(502, '502'),
    () => inJson(503, 'UNAVAILABLE', { 'retry-after': '2' }),
    () => page(504, '504'),
  ])();

/** Everything that can go wrong between a client and the service, as data. What goes wrong with a token is in test/shared/oauth.test.ts. */
export const faults = {
  none: { befalls: () => false, strike: ({ serve }) => serve() },

  // Below HTTP.
  unconnected: { isCertain: true, strike: lost('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN') },
  'connect-timeout': {
    strike: async ({ time }) => {
      await time.sleep(CONNECT_MS);
      throw broken('ETIMEDOUT');
    },
  },
  'reset-before': { strike: lost('ECONNRESET') },
  'drop-after': {
    strike: async ({ serve, chance }) => {
      await serve();
      throw broken(chance.pick(['ECONNRESET', 'UND_ERR_SOCKET']));
    },
  },
  // The connection is closed, and the request is carried out up to 59 seconds later.
  'late-commit': {
    strike: async ({ serve, time, chance, latestMs }) => {
      void time.sleep(chance.next() * latestMs).then(serve);
      throw broken('ECONNRESET');
    },
  },
  stall: {
    strike: async ({ serve, chance }) => {
      if (chance.happens(0.5)) await serve();
      return stall();
    },
  },
  'slow-drip': {
    strike: async ({ serve, time, chance }) => {
      const answer = await serve();
      await time.sleep(1000 + chance.below(8000));
      return answer;
    },
  },

  // Answers that arrived completely but are wrong. After `spoilt` and `failed-after`, the request was carried out.
  spoilt: {
    strike: spoilt(({ status, headers }, { chance }) => {
      const body = chance.pick<() => ReadableStream | string | null>([() => '{"data": oops', () => page(200).body, () => null])();
      return new Response([101, 204, 205, 304].includes(status) ? null : body, { status, headers });
    }),
  },
  'html-200-lost': { strike: instead(() => page(200)) },
  'sign-in': { befalls: () => true, always: true, strike: instead(() => page(200)) },
  refused: {
    isCertain: true,
    strike: instead((chance) =>
      chance.pick([() => inJson(400, 'VALIDATION_ERROR'), () => inJson(401, 'INVALID_TOKEN'), () => inJson(403, 'SOME_CODE')])(),
    ),
  },
  429: { isCertain: true, strike: instead((chance) => throttled(chance, 0, 7, 19, 3600)) },
  'failed-before': { strike: instead(failure) },
  'failed-after': { strike: spoilt((_, { chance }) => failure(chance)) },
  redirect: {
    strike: instead((chance, { url }) => {
      const location = chance.pick([new URL('/elsewhere', url).href, 'https://evil.example/api/v1/me']);
      return Response.json({}, { status: 307, headers: { location } });
    }),
  },

  // The clock is set while an answer gets lost, or the rate is refused.
  'clock-set': {
    strike: async ({ time, serve, chance, memory, latestMs }) => {
      if (!memory.has('set')) time.skewMs += chance.pick([HOUR_MS, -HOUR_MS]);
      memory.set('set', 'yes');
      const fate = chance.below(4);
      if (fate === 0) return serve();
      if (fate === 1) return throttled(chance, 0, 7, 14);
      if (fate === 2) await serve();
      else void time.sleep(chance.next() * latestMs).then(serve);
      throw broken('ECONNRESET');
    },
  },
} satisfies Record<string, FaultKind>;

export type FaultName = Extract<keyof typeof faults, string> | `${Extract<keyof typeof faults, number>}`;

export const faultNames = Object.keys(faults) as FaultName[];

/** Which requests of a run are affected. */
interface Plan {
  /** The request that the operation is about, or any request. */
  on: 'main' | 'any';
  /** This many requests pass unharmed first. */
  after: number;
  /** Then this many are affected. */
  times: number;
}

export const planOf = ({ always = false }: FaultKind, chance: Chance): Plan => {
  const on = chance.happens(0.6) ? 'main' : 'any';
  return {
    on,
    after: always || on === 'main' ? 0 : chance.below(3),
    times: always ? Infinity : chance.pick([1, 1, 1, 2, 3, Infinity]),
  };
};

/** A wire on which a fault happens as planned. The affected requests are added to `harmed`. */
export function faultyWire(
  wire: Wire,
  { befalls, strike }: FaultKind,
  { on, after, times }: Plan,
  main: string,
  around: Omit<Struck, 'request' | 'serve' | 'memory'>,
  harmed: Request[],
): Wire {
  const memory = new Map<string, string>();
  let [passing, left] = [after, times];
  const isBefallen = befalls ?? ((route: string) => route.includes(' /v1/') && (on === 'any' || route === main));
  return async (request) => {
    if (left <= 0 || !isBefallen(routeOf(request))) return wire(request);
    if (passing > 0) {
      passing -= 1;
      return wire(request);
    }
    left -= 1;
    harmed.push(request);
    return strike({ ...around, request, memory, serve: () => wire(request) });
  };
}

/** A wait without an answer; the client has to give up. */
const stall = (): Promise<never> => new Promise(() => undefined);
