import { afterEach, expect, it } from '@jest/globals';
import { caller, hostCaller, listAt, send, start, stopAll } from './support.ts';

afterEach(stopAll);

it.each([
  ['lists', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['objects', '{"a":'.repeat(8_000) + '1' + '}'.repeat(8_000)],
  ['lists that do not end', '['.repeat(30_000)],
])('a request with thousands of nested %s does not break the list of requests', async (_, body) => {
  const sandbox = await start();
  const { status } = await send(`${sandbox.baseUrl}/bookings`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(status).toBe(401);
  expect((await caller(sandbox)('POST', '/bookings', body)).status).toBe(400);
  const shown = await hostCaller(sandbox)('GET', '/requests');
  expect(shown.status).toBe(200);
  expect(listAt(shown.body)).toHaveLength(3);
  expect(sandbox.requests()[0]).toMatchObject({ path: '/v1/bookings', status: 401, body });
});

it('a body of normal depth is kept as a value', async () => {
  const sandbox = await start();
  const body = { question_responses: { services: [{ of: [['a']] }] } };
  await caller(sandbox)('POST', '/bookings', body);
  expect(sandbox.requests()[0]?.body).toEqual(body);
});
