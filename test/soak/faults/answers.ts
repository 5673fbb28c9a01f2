import type { FaultKind, Struck } from './index.ts';

type Strike = FaultKind['strike'];

/** A connection that broke, as Node's `fetch` reports it. */
export const broken = (code: string): TypeError => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

/** Nothing is done, and the connection breaks. */
export const lost =
  (...codes: [string, ...string[]]): Strike =>
  async (struck) => {
    throw broken(struck.chance.pick(codes));
  };

/** It is carried out, and the connection breaks before the answer has arrived. */
const dropped =
  (...codes: [string, ...string[]]): Strike =>
  async (struck) => {
    await struck.serve();
    throw broken(struck.chance.pick(codes));
  };

/** It is carried out, and the client waits for an answer, or for its end, in vain. */
const unanswered: Strike = async ({ serve, stall }) => {
  await serve();
  return stall();
};

/** It is carried out, and the right answer comes late. */
export const late =
  (ms: (struck: Struck) => number): Strike =>
  async (struck) => {
    const answer = await struck.serve();
    await struck.time.sleep(ms(struck));
    return answer;
  };

/** Longer than any client waits for a connection. */
const CONNECT_MS = 60_000;

/** Faults below HTTP. */
export const connectionFaults = {
  unconnected: { isCertain: true, strike: lost('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN') },
  'connect-timeout': {
    strike: async ({ time }) => {
      await time.sleep(CONNECT_MS);
      throw broken('ETIMEDOUT');
    },
  },
  'reset-before': { strike: lost('ECONNRESET') },
  'drop-after': { strike: dropped('ECONNRESET', 'UND_ERR_SOCKET') },
  // The connection is closed, and the request is carried out up to 59 seconds later.
  'late-commit': {
    strike: async ({ serve, time, chance, latestMs }) => {
      void time.sleep(chance.next() * latestMs).then(serve);
      throw broken('ECONNRESET');
    },
  },
  stall: { strike: ({ stall }) => stall() },
  'stall-after': { strike: unanswered },
  'slow-drip': { strike: late(({ chance }) => 1000 + chance.below(8000)) },
} satisfies Record<string, FaultKind>;

/** Such an answer has no body. */
const isBare = (status: number): boolean => [101, 204, 205, 304].includes(status);

/** The right answer with another body. */
const withBody = ({ status, headers }: Response, body: ConstructorParameters<typeof Response>[0]): Response =>
  new Response(isBare(status) ? null : body, { status, headers });

const html = (status: number, words: string): Response => new Response(words, { status, headers: { 'content-type': 'text/html' } });

/** A proxy's page, with status 200. */
export const signInPage = (): Response => html(200, '<!DOCTYPE html><html><body><h1>Sign in to this network</h1></body></html>');

export const errorPage = (status: number): Response => html(status, `<html><body><h1>${status}</h1></body></html>`);

/** Answers in the service's place; nothing is carried out. */
export const instead =
  (answer: (struck: Struck) => Response): Strike =>
  async (struck) =>
    answer(struck);

/** Carries the request out, then gives an answer that is wrong in one way. */
export const spoilt =
  (change: (right: Response, struck: Struck) => Response | Promise<Response>): Strike =>
  async (struck) =>
    change(await struck.serve(), struck);

const MEGABYTE = new Uint8Array(1_000_000);

/** A body of 67 MB, which came in a few packed bytes. */
function unpacked(): ReadableStream {
  let left = 67;
  return new ReadableStream({
    pull(controller) {
      if ((left -= 1) < 0) controller.close();
      else controller.enqueue(MEGABYTE);
    },
  });
}

/** Answers that arrived completely but are wrong; the request is carried out. */
export const contentFaults = {
  'not-json': { strike: spoilt((right) => withBody(right, '{"data": oops')) },
  'html-200': { strike: spoilt(signInPage) },
  empty: { strike: spoilt((right) => withBody(right, null)) },
  'gzip-bomb': { strike: spoilt((right) => withBody(right, unpacked())) },
  'html-200-lost': { strike: instead(signInPage) },
  'sign-in': { befalls: () => true, always: true, strike: instead(signInPage) },
} satisfies Record<string, FaultKind>;

const isList = (request: { method: string }, path: string): boolean =>
  request.method === 'GET' && /^\/v1\/(bookings|event-types|contacts|hooks)$/.test(path);

const changedList = (change: (list: Record<string, unknown>, struck: Struck) => Record<string, unknown>): Strike =>
  spoilt(async (right, struck) =>
    right.status === 200 ? Response.json(change((await right.json()) as Record<string, unknown>, struck)) : right,
  );

const ofLists = { befalls: isList, always: true } as const;

/** Lists that change while they are read. */
export const listFaults = {
  'cursor-loop': {
    ...ofLists,
    strike: changedList((list, { memory }) => {
      const { next_cursor: next } = list;
      if (typeof next === 'string' && !memory.has('cursor')) memory.set('cursor', next);
      return memory.has('cursor') ? { ...list, next_cursor: memory.get('cursor') } : list;
    }),
  },
  'repeated-page': {
    ...ofLists,
    strike: changedList((list, { memory }) => {
      const first = memory.get('first');
      if (first === undefined) memory.set('first', JSON.stringify(list['data']));
      if (first === undefined || memory.has('done')) return list;
      memory.set('done', 'yes');
      return { ...list, data: [...(JSON.parse(first) as unknown[]), ...(list['data'] as unknown[])] };
    }),
  },
  'page-shrinks': {
    ...ofLists,
    strike: async ({ serve, shrink }) => {
      const answer = await serve();
      shrink();
      return answer;
    },
  },
} satisfies Record<string, FaultKind>;
