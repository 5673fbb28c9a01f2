import { startWorker, type Worker } from '../../tools/rigs/worker.ts';
import { bookingBody, deliver, headersOf, idIn, raw, send, signatureOf, statusIn, subscribed } from './deliveries.ts';
import { Installed } from './installed.ts';
import { programUsing, Stage } from './stage.ts';

/** The package in the runtime of a worker, which has nothing of Node.js, installed from its tarball. */
let stage: Stage;
let installed: Installed;
let worker: Worker;
beforeAll(async () => {
  [stage, installed] = [await Stage.open(), await Installed.open()];
  const entry = await installed.write(
    'worker.mjs',
    `${programUsing(stage, 'import')}
import { createReceiver, fetchHandler } from 'our-package/webhooks';
const given = () => {
  const client = createClient({ auth: 'token', baseUrl: ${JSON.stringify(stage.sandbox.baseUrl)} });
  return client.users.current({}, { signal: AbortSignal.abort(new Error('not wanted')) }).catch(({ message }) => message);
};
const told = [];
const receiver = createReceiver({
  subscription: [{ id: 'sub_0', signing_secret: 'whsec_another' }, ${JSON.stringify(subscribed)}],
  bodyBytes: 5000,
  bodyMs: 200,
  onError: (error) => told.push(String(error)),
}).on('BOOKING_CREATED', ({ record }) => {
  if (record.notes === 'fail') throw new Error('as asked for');
  told.push(record.id);
});
const deliveries = fetchHandler(receiver);
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/client') return Response.json([await main(), await given()]);
    if (pathname === '/told') return Response.json(told.splice(0));
    if (pathname === '/parsed') await request.json();
    return deliveries(request);
  },
};
`,
  );
  worker = await startWorker(entry);
});
afterAll(async () => {
  await worker.stop();
  await installed.close();
  await stage.close();
});

const told = async (): Promise<unknown> => (await fetch(`${worker.origin}/told`)).json();
beforeEach(told);

it('calls the service, starts connecting an account, polls, and gives up a call', async () => {
  const answer = await fetch(`${worker.origin}/client`);
  expect(await answer.text()).toBe(JSON.stringify([stage.sandbox.account.email, 'not wanted']));
});

it('accepts a delivery once, and refuses one that was changed, is unsigned or is signed with another secret', async () => {
  const body = bookingBody();
  for (const signature of [signatureOf(`${body} `), '', signatureOf(body, 'whsec_a-third')])
    expect((await deliver(worker.origin, { body, signature })).status).toBe(401);
  expect((await deliver(worker.origin, { body })).text).toBe('Thank you.');
  expect((await deliver(worker.origin, { body })).text).toContain('received before');
  expect(await told()).toEqual([idIn(body)]);
});

it('answers 400, 405, 413, 415 and 500 as it does elsewhere, and continues', async () => {
  const body = bookingBody();
  expect((await send(worker.origin, { headers: headersOf({ body: '' }) })).status).toBe(400);
  expect((await send(worker.origin, { method: 'GET', headers: {} })).status).toBe(405);
  expect((await deliver(worker.origin, { body: bookingBody({ notes: 'a'.repeat(6_000) }) })).status).toBe(413);
  expect((await deliver(worker.origin, { body, more: { 'content-encoding': 'gzip' } })).status).toBe(415);
  expect((await deliver(worker.origin, { body: bookingBody({ notes: 'fail' }) })).status).toBe(500);
  expect((await deliver(`${worker.origin}/parsed`, { body })).status).toBe(500);
  expect(await told()).toEqual(['Error: as asked for', expect.stringMatching(/was read before .* json\(\)/)]);
  expect((await deliver(worker.origin, { body })).status).toBe(200);
});

it('answers 408 for a body that stops arriving', async () => {
  const begun = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"event":';
  expect(statusIn(await raw(worker.origin, begun, { isOpen: true }))).toBe(408);
});
