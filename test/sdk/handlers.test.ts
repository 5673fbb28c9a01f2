import { constants } from 'node:http2';
import { createReceiver, type ReceiverOptions, type Refusal, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { until } from '../support/until.ts';
import { begin, bookingBody, breakOff, deliver, header, headersOf, idIn, send, signatureOf, subscribed } from './deliveries.ts';
import { serversOfBoth as servers, type Serving } from './servers.ts';

describe.each(servers)('a receiver on %s', (name, start) => {
  let serving: Serving | undefined;
  let events: WebhookEvent[];
  let refusals: Refusal[];
  let failures: unknown[];
  let work: (event: WebhookEvent) => unknown;

  beforeEach(() => {
    [events, refusals, failures] = [[], [], []];
    work = () => undefined;
  });
  afterEach(async () => {
    await serving?.stop();
    serving = undefined;
  });

  const open = async (options: Partial<ReceiverOptions> = {}): Promise<string> => {
    const receiver = createReceiver({
      subscription: subscribed,
      onRefused: (refusal) => refusals.push(refusal),
      onError: (error) => failures.push(error),
      ...options,
    }).on(['BOOKING_CREATED', 'CONTACT_CREATED'], (event) => {
      events.push(event);
      return work(event);
    });
    serving = await start(receiver);
    return serving.url;
  };

  it('passes on a verified delivery once, with what the service sent', async () => {
    const url = await open();
    const body = bookingBody({ notes: 'ü – €', added_later: [1] });
    const answer = await deliver(url, { body });
    expect(answer).toMatchObject({ status: 200, text: 'Thank you.' });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    expect(events).toMatchObject([
      {
        event: 'BOOKING_CREATED',
        record: { id: idIn(body), notes: 'ü – €', added_later: [1] },
        delivery_id: expect.stringMatching(/^dlv_/) as unknown,
        delivered_at: '2030-01-02T08:00:00Z',
        delivery_key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        subscription_id: 'sub_1',
      },
    ]);
    expect([refusals, failures]).toEqual([[], []]);
  });

  it('answers 401 for a body that was changed, for a missing signature, and if no secret is known', async () => {
    const url = await open();
    const body = bookingBody();
    expect((await send(url, { headers: headersOf({ body }), body: `${body} ` })).status).toBe(401);
    expect((await deliver(url, { body, signature: '' })).status).toBe(401);
    await serving?.stop();
    const secretless = await deliver(await open({ subscription: undefined }), { body });
    expect(secretless).toMatchObject({ status: 401, text: expect.stringContaining('keepSubscription') as unknown });
    expect(refusals.map(({ check }) => check)).toEqual(['signature', 'signature-missing', 'secret']);
    expect(events).toEqual([]);
  });

  it('treats two signatures as none, even if one or both are valid, and says nothing false about it', async () => {
    const url = await open();
    const body = bookingBody();
    for (const other of [signatureOf(body), `sha256=${'0'.repeat(64)}`])
      expect((await deliver(url, { body, signature: [signatureOf(body), other] })).status).toBe(401);
    expect(refusals.map(({ message }) => message).join()).not.toContain('headerPrefix');
  });

  it('keeps a time that is written with a comma', async () => {
    const delivered_at = 'Wed, 02 Jan 2030 08:00:00 GMT';
    await deliver(await open(), { body: bookingBody(), more: { [header('Timestamp')]: delivered_at } });
    expect(events).toMatchObject([{ delivered_at }]);
  });

  it('answers 200 for an event without a handler, and for an unknown event', async () => {
    const url = await open();
    const cancelled = bookingBody().replace('BOOKING_CREATED', 'BOOKING_CANCELLED');
    expect(await deliver(url, { body: cancelled, event: 'BOOKING_CANCELLED' })).toMatchObject({ status: 200 });
    expect(await deliver(url, { body: bookingBody().replace('BOOKING_CREATED', 'NEW'), event: 'NEW' })).toMatchObject({ status: 200 });
    expect(events).toEqual([]);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('answers %s with 405 and the allowed method', async (method) => {
    const answer = await send(await open(), { method, headers: {} });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(answer.text).toBe(method === 'HEAD' ? '' : 'Send deliveries with POST.');
  });

  it.each([
    ['declares itself too long, before it is sent', '', 1001],
    ['becomes too long', 'a'.repeat(1001), undefined],
  ])('answers 413 for a body that %s, and accepts one that is as long as it may be', async (_, body, length) => {
    const url = await open({ bodyBytes: 1000 });
    expect(await begin(url, body, length)).toBe(413);
    expect(refusals).toMatchObject([{ check: 'tooLong', message: expect.stringContaining('1000 bytes') as unknown }]);
    expect((await deliver(url, { body: bookingBody().padEnd(1000) })).status).toBe(200);
  });

  it('answers 415 for a compressed body', async () => {
    const body = bookingBody();
    const answer = await deliver(await open(), { body, more: { 'content-encoding': 'identity, gzip' } });
    expect(answer).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } });
    expect(events).toEqual([]);
  });

  it('answers 408 for each of several bodies that stop arriving, and accepts one that comes in meanwhile', async () => {
    const url = await open({ bodyMs: 400 });
    const stopped = () => begin(url, '{"event":', 100);
    const first = stopped();
    const [second, whole] = [stopped(), deliver(url, { body: bookingBody() })];
    expect((await whole).status).toBe(200);
    expect(await Promise.all([first, second])).toEqual([408, 408]);
    expect(refusals.map(({ check }) => check)).toEqual(['tooSlow', 'tooSlow']);
  });

  it('says that a body was incomplete if it is broken off in the middle, and accepts the next one', async () => {
    const url = await open();
    const { NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_CANCEL } = constants;
    const codes = [undefined, ...(name === 'node:http2' ? [NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_CANCEL] : [])];
    for (const code of codes) await breakOff(url, '{"event":', code);
    await until(() => refusals.length === codes.length);
    expect(refusals.map(({ check }) => check)).toEqual(codes.map(() => 'brokenOff'));
    expect((await deliver(url, { body: bookingBody() })).status).toBe(200);
    expect(failures).toEqual([]);
  });

  it('answers 500 if the secret or the claims cannot be read, and reports the reason only here', async () => {
    const gone = () => Promise.reject(new Error('password of the database'));
    const answers = [await deliver(await open({ subscription: gone }), { body: bookingBody() })];
    await serving?.stop();
    answers.push(await deliver(await open({ claims: { claim: gone } }), { body: bookingBody() }));
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(answers.map(({ text }) => text).join()).not.toContain('password');
    expect(failures).toHaveLength(2);
    expect(events).toEqual([]);
  });

  it('answers even if onRefused and onError fail', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const fails = () => raise('the log is full');
    const failsLater: () => unknown = async () => fails();
    const url = await open({ onRefused: fails, onError: failsLater });
    expect((await deliver(url, { body: 'x', signature: 'none' })).status).toBe(401);
    work = fails;
    expect((await deliver(url, { body: bookingBody() })).status).toBe(500);
    expect(printed).toHaveBeenCalledTimes(2);
    printed.mockRestore();
  });
});

function raise(message: string): never {
  throw new Error(message);
}

it.each(servers.filter(([name]) => name !== 'Hono'))('if an id or an event comes twice, %s believes neither', async (_, start) => {
  const events: WebhookEvent[] = [];
  const serving = await start(createReceiver({ subscription: subscribed }).on('BOOKING_CREATED', (event) => events.push(event)));
  const body = bookingBody();
  const headers = {
    ...headersOf({ body }),
    [header('Delivery-ID')]: ['dlv_1', 'dlv_2'],
    [header('Event')]: ['BOOKING_CREATED', 'CONTACT_CREATED'],
  };
  const { status } = await send(serving.url, { headers, body });
  await serving.stop();
  expect(status).toBe(200);
  expect(events).toMatchObject([{ event: 'BOOKING_CREATED', delivery_id: null, record: { id: idIn(body) } }]);
});
