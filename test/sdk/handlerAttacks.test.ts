import { createReceiver, type Receiver } from '../../sdk/webhooks/index.ts';
import { mutants, secret } from '../attacks/mutants.ts';
import { vectors } from '../attacks/vectors.ts';
import { bookingBody, deliver, header, headersOf, raw, send, signatureOf, statusIn, subscribed } from './deliveries.ts';
import { servers, type Serving } from './servers.ts';

describe.each(servers)('what strangers send to %s', (_, start) => {
  let serving: Serving;
  let acted = 0;
  const failures: unknown[] = [];
  const receiverFor = (signing_secret: string): Receiver =>
    createReceiver({ subscription: { id: 'sub_1', signing_secret }, onError: (error) => failures.push(error) }).on(
      'BOOKING_CREATED',
      () => (acted += 1),
    );
  const open = async (signing_secret: string): Promise<string> => {
    serving = await start(receiverFor(signing_secret));
    return serving.url;
  };
  beforeEach(() => (acted = 0));
  afterEach(async () => {
    await serving.stop();
    expect(failures.splice(0)).toEqual([]);
  });

  it('public vectors: only the whole tag of a valid one passes the signature check', async () => {
    const secrets = new Map(vectors.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
    const receiver = createReceiver({
      subscription: ({ url }) => {
        const known = secrets.get(url.slice(url.indexOf('?') + 1));
        // The service's secrets are texts. The vectors' keys are bytes, which are used unchanged.
        return known && { id: 'sub_1', signing_secret: known as unknown as string };
      },
    });
    serving = await start(receiver);
    for (const { id, message, tag, result } of vectors) {
      const answered = await send(`${serving.url}?${id}`, {
        headers: { [header('Signature')]: `sha256=${tag}` },
        body: Buffer.from(message, 'hex'),
      });
      // None of the messages is JSON, so after the signature check each is refused for that reason.
      expect([id, answered.status]).toEqual([id, result === 'valid' && tag.length === 64 ? 400 : 401]);
    }
  });

  it('of 600 deliveries with one change, none is handled, and each is refused', async () => {
    const url = await open(secret);
    const deliveries = mutants(18);
    const statuses = new Set<number>();
    for (let sent = 0; sent < 600; ) {
      const { rawBody, signature, event } = deliveries.next().value;
      const written = typeof signature === 'string' ? signature : [...signature];
      // HTTP removes blanks around a value, and no client sends a line break in one.
      if (String(written).trim() !== String(written)) continue;
      statuses.add((await deliver(url, { body: rawBody, signature: written, event })).status);
      sent += 1;
    }
    expect([...statuses]).toEqual([401]);
    expect(acted).toBe(0);
  });

  it.each([
    'GET // HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /deliveries HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /deliveries HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n',
    'POST /deliveries HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n{}',
    'POST /deliveries HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST /deliveries?%ff=%c0%80 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
    'POST /deliveries HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /deliveries HTTP/1.1\r\n\r\n',
    'NONSENSE\r\n\r\n',
  ])('%j is answered or cut off, and the next delivery is handled', async (text) => {
    const url = await open(subscribed.signing_secret);
    const answer = await raw(url, text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect([NaN, 400, 401, 404, 405]).toContain(statusIn(answer));
    expect((await deliver(url, { body: bookingBody() })).status).toBe(200);
  });

  it('a thousand forged deliveries leave it as it was', async () => {
    const url = await open(subscribed.signing_secret);
    const body = bookingBody();
    const forged = headersOf({ body, signature: `sha256=${'0'.repeat(64)}` });
    for (let batch = 0; batch < 20; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(url, { headers: forged, body })));
      if (answers.some(({ status }) => status !== 401)) throw new Error('A forged delivery was not refused.');
    }
    expect(await deliver(url, { body })).toMatchObject({ status: 200, text: 'Thank you.' });
    expect(acted).toBe(1);
  });

  it('a hundred copies of one delivery at the same time are handled once', async () => {
    const url = await open(subscribed.signing_secret);
    const body = bookingBody();
    const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(url, { body })));
    expect(acted).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
  });

  it('a right signature over another body, event or secret starts nothing', async () => {
    const url = await open(subscribed.signing_secret);
    const body = bookingBody();
    await deliver(url, { body, signature: signatureOf(`${body}\n`) });
    await deliver(url, { body, signature: signatureOf(body, '') });
    await deliver(url, { body, event: 'CONTACT_CREATED' });
    await deliver(url, { body, signature: '', more: { 'X-Other-Signature': signatureOf(body) } });
    expect(acted).toBe(0);
  });
});
