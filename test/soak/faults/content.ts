import type { WireAnswer } from '../wire.ts';
import type { FaultKind, Struck } from './struck.ts';

/** Carries the request out, then gives an answer that is wrong in one way. */
const spoilt =
  (change: (right: WireAnswer, struck: Struck) => Partial<WireAnswer>): FaultKind['strike'] =>
  async (struck) => {
    const right = await struck.serve();
    return { ...right, ...change(right, struck) };
  };

const text = (words: string, type = 'application/json'): Partial<WireAnswer> => ({
  headers: { 'content-type': type },
  body: Buffer.from(words),
});

const page = '<!DOCTYPE html><html><body><h1>Sign in to this network</h1></body></html>';

/** Answers in the service's place; nothing is carried out. */
const instead =
  (status: number, answer: (struck: Struck) => Partial<WireAnswer>): FaultKind['strike'] =>
  async (struck) => ({ status, headers: {}, body: Buffer.alloc(0), ...answer(struck) });

/** A page in place of an answer. */
export const pageFaults = {
  'html-200-lost': {
    says: "a proxy's page comes with status 200, and nothing is done",
    strike: instead(200, () => text(page, 'text/html')),
  },
  'sign-in': {
    says: 'every request is answered by a page to sign in, and nothing is done',
    befalls: () => true,
    always: true,
    strike: instead(200, () => text(page, 'text/html')),
  },
} satisfies Record<string, FaultKind>;

/** Answers that arrived completely but are wrong. */
export const contentFaults = {
  'not-json': { says: 'it is carried out, and the answer only says that it is JSON', strike: spoilt(() => text('{"data": oops')) },
  'html-200': {
    says: "it is carried out, and a proxy's page comes with status 200",
    strike: spoilt(() => ({ status: 200, ...text(page, 'text/html') })),
  },
  'wrong-type': {
    says: 'the answer is right and said to be plain text',
    strike: spoilt(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })),
  },
  'invalid-utf8': {
    says: 'the answer holds bytes that are no UTF-8',
    strike: spoilt(({ body }) => {
      const half = Math.ceil(body.length / 2);
      return { body: Buffer.concat([body.subarray(0, half), Buffer.from([0xc3, 0x28, 0xff]), body.subarray(half)]) };
    }),
  },
  empty: { says: 'it is carried out, and the answer has no body', strike: spoilt(() => ({ body: Buffer.alloc(0) })) },
  endless: {
    says: 'it is carried out, and the answer does not end',
    strike: async ({ serve, stall }) => {
      await serve();
      return stall();
    },
  },
  'gzip-bomb': {
    says: 'it is carried out, and 64 MB unfold from the answer',
    strike: spoilt(() => ({ ...text('   '), unpackedBytes: 64 * 1024 * 1024 })),
  },
} satisfies Record<string, FaultKind>;

const isList = (request: { method: string }, path: string): boolean =>
  request.method === 'GET' && /^\/v1\/(bookings|event-types|contacts|hooks)$/.test(path);

const changedList = (change: (list: Record<string, unknown>, struck: Struck) => Record<string, unknown>): FaultKind['strike'] =>
  spoilt((right, struck) => {
    const list = JSON.parse(right.body.toString()) as Record<string, unknown>;
    return right.status === 200 ? { body: Buffer.from(JSON.stringify(change(list, struck))) } : {};
  });

/** Lists that change while they are read. */
export const listFaults = {
  'cursor-loop': {
    says: 'each page points to the same next one',
    befalls: isList,
    always: true,
    strike: changedList((list, { memory }) => {
      const { next_cursor: next } = list;
      if (typeof next === 'string' && !memory.has('cursor')) memory.set('cursor', next);
      return memory.has('cursor') ? { ...list, next_cursor: memory.get('cursor') } : list;
    }),
  },
  'repeated-page': {
    says: 'the second page repeats the records of the first',
    befalls: isList,
    always: true,
    strike: changedList((list, { memory }) => {
      const first = memory.get('first');
      if (first === undefined) memory.set('first', JSON.stringify(list['data']));
      else if (memory.get('done') === undefined) {
        memory.set('done', 'yes');
        return { ...list, data: [...(JSON.parse(first) as unknown[]), ...(list['data'] as unknown[])] };
      }
      return list;
    }),
  },
  'more-but-no-cursor': {
    says: 'a page says that there are more, and not where',
    befalls: isList,
    always: true,
    strike: changedList((list) => (typeof list['next_cursor'] === 'string' ? { ...list, next_cursor: null, has_more: true } : list)),
  },
  'cursor-elsewhere': {
    says: 'a page has no cursor beside a link to the next page',
    befalls: isList,
    always: true,
    strike: changedList((list) => {
      const { next_cursor: cursor } = list;
      return typeof cursor === 'string'
        ? { ...list, next_cursor: null, links: { next: `https://api.example/v1/list?cursor=${cursor}` } }
        : list;
    }),
  },
  'page-shrinks': {
    says: 'bookings leave the list while it is walked',
    befalls: isList,
    always: true,
    strike: async ({ serve, shrink }) => {
      const answer = await serve();
      shrink();
      return answer;
    },
  },
} satisfies Record<string, FaultKind>;
