import { BrokenWire, type WireAnswer } from '../wire.ts';
import type { FaultKind, Struck } from './index.ts';

type Strike = FaultKind['strike'];

const broken = ({ chance }: Struck, codes: readonly [string, ...string[]]): BrokenWire =>
  new BrokenWire(codes.length === 1 ? codes[0] : chance.pick(codes));

/** Nothing is done, and the connection breaks. */
export const lost =
  (...codes: [string, ...string[]]): Strike =>
  async (struck) => {
    throw broken(struck, codes);
  };

/** It is carried out, and the connection breaks before the answer has arrived. */
const dropped =
  (...codes: [string, ...string[]]): Strike =>
  async (struck) => {
    await struck.serve();
    throw broken(struck, codes);
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
  refuse: { isCertain: true, strike: lost('ECONNREFUSED') },
  dns: { isCertain: true, strike: lost('ENOTFOUND', 'EAI_AGAIN') },
  'connect-timeout': {
    strike: async ({ time }) => {
      await time.sleep(CONNECT_MS);
      throw new BrokenWire('ETIMEDOUT');
    },
  },
  'reset-before': { strike: lost('ECONNRESET') },
  'drop-after': { strike: dropped('ECONNRESET') },
  // The connection is closed, and the request is carried out up to 59 seconds later.
  'late-commit': {
    strike: async ({ serve, time, chance, latestMs }) => {
      void time.sleep(chance.next() * latestMs).then(serve);
      throw new BrokenWire('ECONNRESET');
    },
  },
  stall: { strike: ({ stall }) => stall() },
  'stall-after': { strike: unanswered },
  'reset-mid-body': { strike: dropped('ECONNRESET', 'ECONNABORTED', 'UND_ERR_SOCKET') },
  'stall-mid-body': { strike: unanswered },
  'slow-drip': { strike: late(({ chance }) => 1000 + chance.below(8000)) },
  truncate: { strike: dropped('ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'UND_ERR_SOCKET') },
  'extra-bytes': { strike: ({ serve }) => serve() },
} satisfies Record<string, FaultKind>;

const text = (words: string, type = 'application/json'): Omit<WireAnswer, 'status'> => ({
  headers: { 'content-type': type },
  body: Buffer.from(words),
});

const signIn = '<!DOCTYPE html><html><body><h1>Sign in to this network</h1></body></html>';

/** A proxy's page, with status 200. */
export const signInPage: WireAnswer = { status: 200, ...text(signIn, 'text/html') };

export const errorPage = (status: number): WireAnswer => ({
  status,
  ...text(`<html><body><h1>${status}</h1></body></html>`, 'text/html'),
});

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(body)),
});

/** Answers in the service's place; nothing is carried out. */
export const instead =
  (answer: WireAnswer | ((struck: Struck) => WireAnswer)): Strike =>
  async (struck) =>
    typeof answer === 'function' ? answer(struck) : answer;

/** Carries the request out, then gives an answer that is wrong in one way. */
export const spoilt =
  (change: (right: WireAnswer, struck: Struck) => Partial<WireAnswer>): Strike =>
  async (struck) => {
    const right = await struck.serve();
    return { ...right, ...change(right, struck) };
  };

/** Answers that arrived completely but are wrong; the request is carried out. */
export const contentFaults = {
  'not-json': { strike: spoilt(() => text('{"data": oops')) },
  'html-200': { strike: spoilt(() => signInPage) },
  'wrong-type': { strike: spoilt(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })) },
  'invalid-utf8': {
    strike: spoilt(({ body }) => {
      const half = Math.ceil(body.length / 2);
      return { body: Buffer.concat([body.subarray(0, half), Buffer.from([0xc3, 0x28, 0xff]), body.subarray(half)]) };
    }),
  },
  empty: { strike: spoilt(() => ({ body: Buffer.alloc(0) })) },
  endless: { strike: unanswered },
  'gzip-bomb': { strike: spoilt(() => ({ ...text('   '), unpackedBytes: 64 * 1024 * 1024 })) },
  'html-200-lost': { strike: instead(signInPage) },
  'sign-in': { befalls: () => true, always: true, strike: instead(signInPage) },
} satisfies Record<string, FaultKind>;

const isList = (request: { method: string }, path: string): boolean =>
  request.method === 'GET' && /^\/v1\/(bookings|event-types|contacts|hooks)$/.test(path);

const changedList = (change: (list: Record<string, unknown>, struck: Struck) => Record<string, unknown>): Strike =>
  spoilt((right, struck) => {
    const list = JSON.parse(right.body.toString()) as Record<string, unknown>;
    return right.status === 200 ? { body: Buffer.from(JSON.stringify(change(list, struck))) } : {};
  });

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
  'more-but-no-cursor': {
    ...ofLists,
    strike: changedList((list) => (typeof list['next_cursor'] === 'string' ? { ...list, next_cursor: null, has_more: true } : list)),
  },
  'cursor-elsewhere': {
    ...ofLists,
    strike: changedList((list) => {
      const { next_cursor: cursor } = list;
      const links = { next: `https://api.example/v1/list?cursor=${String(cursor)}` };
      return typeof cursor === 'string' ? { ...list, next_cursor: null, links } : list;
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
