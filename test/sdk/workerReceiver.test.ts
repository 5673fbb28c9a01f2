import { startWorker, type Worker } from '../../tools/rigs/worker.ts';
import { mutants, secret } from '../attacks/mutants.ts';
import { bookingBody, deliver, headersOf, idIn, raw, send, signatureOf, statusIn } from './deliveries.ts';
import { Installed } from './installed.ts';

let installed: Installed;
let worker: Worker;
beforeAll(async () => {
  installed = await Installed.open();
  const entry = await installed.write(
    'receiver.mjs',
    `import { createReceiver, fetchHandler } from 'our-package/webhooks';
const told = [];
const receiver = createReceiver({
  subscription: { id: 'sub_1', signing_secret: ${JSON.stringify(secret)} },
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
});

const told = async (): Promise<unknown> => (await fetch(`${worker.origin}/told`)).json();
const signed = (body: Buffer | string) => ({ body, signature: signatureOf(body, secret) });
beforeEach(told);

describe('a receiver in the runtime of a worker, installed from the tarball', () => {
  it('accepts a delivery once, and refuses one that was changed, is unsigned or is signed with another secret', async () => {
    const body = bookingBody();
    expect((await deliver(worker.origin, { body: `${body} `, signature: signatureOf(body, secret) })).status).toBe(401);
    expect((await deliver(worker.origin, { body, signature: '' })).status).toBe(401);
    expect((await deliver(worker.origin, { body })).status).toBe(401);
    expect((await deliver(worker.origin, signed(body))).text).toBe('Thank you.');
    expect((await deliver(worker.origin, signed(body))).text).toContain('received before');
    expect(await told()).toEqual([idIn(body)]);
  });

  it('refuses each of 200 deliveries with one change', async () => {
    const deliveries = mutants(28);
    for (let sent = 0; sent < 200; ) {
      const { rawBody, signature, event } = deliveries.next().value;
      const written = typeof signature === 'string' ? signature : [...signature];
      if (String(written).trim() !== String(written)) continue;
      expect((await deliver(worker.origin, { body: rawBody, signature: written, event })).status).toBe(401);
      sent += 1;
    }
    expect(await told()).toEqual([]);
  });

  it('answers 405, 413, 415 and 500 as it does elsewhere, and continues', async () => {
    expect((await send(worker.origin, { method: 'GET', headers: {} })).status).toBe(405);
    const long = bookingBody({ notes: 'a'.repeat(6_000) });
    expect((await deliver(worker.origin, signed(long))).status).toBe(413);
    const body = bookingBody();
    expect((await deliver(worker.origin, { ...signed(body), more: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect((await deliver(worker.origin, signed(bookingBody({ notes: 'fail' })))).status).toBe(500);
    expect((await deliver(`${worker.origin}/parsed`, signed(body))).status).toBe(500);
    expect(await told()).toEqual(['Error: as asked for', expect.stringMatching(/was read before .* json\(\)/)]);
    expect((await send(worker.origin, { headers: headersOf(signed(body)), body })).status).toBe(200);
  });

  it('answers 408 for a body that stops arriving', async () => {
    const answer = await raw(worker.origin, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"event":', {
      isOpen: true,
    });
    expect(statusIn(answer)).toBe(408);
  });
});
