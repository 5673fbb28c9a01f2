import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Claims } from '../../n8n/adapter/claims.ts';

let claims: Claims;
let outcomes: string[];
/** What n8n does with a delivery that was claimed before; the test decides when it answers. */
let carryOn: (response: ServerResponse) => void;

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const outcome = claims.claim([String(request.headers['delivery'])], response, String(request.headers['place']));
  outcomes.push(outcome);
  if (outcome === 'first') carryOn(response);
  else response.writeHead(outcome === 'repeated' ? 200 : 503).end();
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  claims = new Claims();
  outcomes = [];
});

async function deliver(id = 'one', { signal, place = 'here' }: { signal?: AbortSignal; place?: string } = {}): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    method: 'POST',
    headers: { delivery: id, place },
    signal: signal ?? null,
  });
  await response.text();
  return response.status;
}

test('a delivery that n8n could not store is taken when it comes again: treating it as received would lose it', async () => {
  carryOn = (response) => response.writeHead(500).end();
  expect(await deliver()).toBe(500);
  carryOn = (response) => response.writeHead(200).end();
  expect(await deliver()).toBe(200);
  expect(await deliver()).toBe(200);
  expect(outcomes).toEqual(['first', 'first', 'repeated']);
});

test.each([
  [200, 'repeated'],
  [500, 'first'],
])('a sender that did not wait for the answer %i learns from its next try what happened to the delivery', async (status, outcome) => {
  const { promise: arrived, resolve } = Promise.withResolvers<ServerResponse>();
  carryOn = resolve;
  const impatient = new AbortController();
  const first = deliver('one', { signal: impatient.signal });
  const response = await arrived;
  const closed = once(response, 'close');
  impatient.abort();
  await expect(first).rejects.toThrow();
  await closed;
  expect(await deliver()).toBe(503);
  response.writeHead(status).end();
  carryOn = (again) => again.writeHead(200).end();
  expect(await deliver()).toBe(200);
  expect(outcomes).toEqual(['first', 'underWay', outcome]);
});

const answer = (statusCode = 200) => ({ statusCode, writableEnded: false, once: () => undefined });

test('deliveries that never get an answer do not fill the memory: eventually the oldest counts as taken', () => {
  claims = new Claims(2);
  expect(['a', 'b', 'c'].map((key) => claims.claim([key], answer(), 'here'))).toEqual(['first', 'first', 'first']);
  expect(claims.claim(['c'], answer(), 'here')).toBe('underWay');
  expect(claims.claim(['a'], answer(), 'here')).toBe('repeated');
});

test('an answer whose connection closed before it was given is still waited for', () => {
  const closing: (() => void)[] = [];
  const impatient = { ...answer(), once: (_: string, listener: () => void) => closing.push(listener) };
  claims.claim(['one'], impatient, 'here');
  for (const close of closing) close();
  expect(claims.waiting).toBe(1);
  impatient.writableEnded = true;
  for (const close of closing) close();
  expect(claims.waiting).toBe(0);
});

test('answered deliveries are only removed when there are too many', () => {
  claims = new Claims(2);
  const ended = answer();
  claims.claim(['ended'], ended, 'here');
  ended.writableEnded = true;
  claims.claim(['open'], answer(), 'here');
  expect(claims.waiting).toBe(2);
  claims.claim(['another'], answer(), 'here');
  expect(claims.waiting).toBe(2);
});

test('senders that do not wait push out nothing that is still open: deliveries answered after their senders left go first', () => {
  claims = new Claims(2);
  expect(claims.claim(['open'], answer(), 'here')).toBe('first');
  const [stored, failed] = [answer(), answer(500)];
  expect(claims.claim(['stored'], stored, 'elsewhere')).toBe('first');
  stored.writableEnded = true;
  expect(claims.claim(['failed'], failed, 'elsewhere')).toBe('first');
  failed.writableEnded = true;
  expect(claims.claim(['more'], answer(), 'elsewhere')).toBe('first');
  expect(claims.claim(['open'], answer(), 'here')).toBe('underWay');
  expect(claims.claim(['stored'], answer(), 'elsewhere')).toBe('repeated');
  expect(claims.claim(['failed'], answer(), 'elsewhere')).toBe('first');
});

test.each([200, 299, 300, 404])('an answer that closes late settles only its own delivery: %i', (status) => {
  const closing: (() => void)[] = [];
  const late = { ...answer(status), writableEnded: true, once: (_: string, listener: () => void) => closing.push(listener) };
  expect(claims.claim(['one'], late, 'here')).toBe('first');
  const again = claims.claim(['one'], answer(), 'here');
  expect(again).toBe(status < 300 ? 'repeated' : 'first');
  for (const close of closing) close();
  expect(claims.claim(['one'], answer(), 'here')).toBe(status < 300 ? 'repeated' : 'underWay');
});

test('a delivery that lost a key to others, and failed, is free again under all its keys', () => {
  claims = new Claims(1);
  const failed = answer(500);
  expect(claims.claim(['a', 'b'], failed, 'here')).toBe('first');
  failed.writableEnded = true;
  expect(claims.claim(['b'], answer(), 'here')).toBe('first');
});
