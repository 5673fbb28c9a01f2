import { createHmac } from 'node:crypto';
import { findBooking } from '../../../shared/operations/index.ts';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import { brand } from '../../../shared/brand.ts';
import { eventRows, type EventRow } from '../../../shared/events.ts';
import { deliveredAlone, deliveredRecord, verifyDelivery } from '../../../shared/webhooks/delivery.ts';
import { nodeCrypto } from '../../../shared/webhooks/nodeCrypto.ts';
import { until } from '../../support/until.ts';
import { nowhere, start } from '../fixtures.ts';
import { refusalOf, page, requestsTo, requirement, type Listening, type Requirement, type Stage, type Traits } from '../platform.ts';
import { delivered } from '../../support/wire.ts';

const row = eventRows.find(({ name }) => name === 'BOOKING_CREATED') ?? fail('There is no event BOOKING_CREATED.');
const name = (suffix: string): string => `${brand.headerPrefix}-${suffix}`;

/** Written here and not taken from the core, as an independent check of the signature. */
const signatureOf = (body: string, secret: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

interface Sent {
  headers: Record<string, string>;
  body: string;
}

let sent = 0;
/** A delivery as the service sends it, with a new record. */
function genuine(secret: string, { name: event, sample }: EventRow = row): Sent & { id: string } {
  const id = `rec_contract_${(sent += 1)}`;
  const body = JSON.stringify(delivered(event, { ...sample, id }));
  const headers = {
    [name('Signature')]: signatureOf(body, secret),
    [name('Event')]: event,
    [name('Delivery-ID')]: `dlv_${id}`,
    [name('Timestamp')]: new Date().toISOString(),
  };
  return { id, body, headers };
}

const deliver = async ({ url }: Listening, { headers, body }: Sent): Promise<number> =>
  (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', connection: 'close', ...headers }, body })).status;

const itemOf = (listening: Listening, id: string): Promise<ServiceRecord> =>
  until(async () => (await listening.items()).find((item) => item['id'] === id));

/** The items that some work produces. One last valid delivery is sent after the work: when it has arrived, nothing else is under way. */
async function itemsBy(listening: Listening, secret: string, work: () => Promise<unknown>): Promise<ServiceRecord[]> {
  const before = new Set((await listening.items()).map((item) => item['delivery_key']));
  await work();
  const last = genuine(secret);
  await deliver(listening, last);
  await itemOf(listening, last.id);
  return (await listening.items()).filter((item) => item['id'] !== last.id && !before.has(item['delivery_key']));
}

/** Listens while something is done. */
async function listening<Result>(
  stage: Stage,
  work: (listening: Listening, secret: string) => Promise<Result>,
  options: { maximumAgeSeconds?: number } = {},
): Promise<Result> {
  const made = await (await stage.unhurried()).listen([row], options);
  try {
    return await work(made, await made.secret());
  } finally {
    await made.stop();
  }
}

const at = ({ sandbox }: Stage, url: string) => sandbox.subscriptions().filter((each) => each.url === url);

/** A delivery that must be refused: with an error, on platforms that respond with one, and without an item. */
const refused = (
  why: string,
  forge: (delivery: Sent, secret: string) => Sent,
  { source = 'section 6', needs = [] }: Partial<Traits> = {},
) =>
  requirement(`delivery:${why}:refused`, { source, needs }, async (stage) => {
    const isRefused = async (made: Listening, secret: string): Promise<void> => {
      const items = await itemsBy(made, secret, async () => {
        const status = await deliver(made, forge(genuine(secret), secret));
        if (stage.platform.lacks.answers === undefined) expect(String(status)).toMatch(/^4\d\d$/);
      });
      expect(items).toEqual([]);
    };
    if (needs.includes('maximumAge')) return listening(stage, isRefused, { maximumAgeSeconds: 300 });
    const { listening: made, secret } = await stage.listener(row);
    return isRefused(made, secret);
  });

/** The id of a listener's delivery about a record. */
const deliveryOf = ({ sandbox }: Stage, { url }: Listening, id: string): string =>
  sandbox.deliveries().find((each) => each.record_id === id && each.url === url)?.id ?? fail(`Nothing was delivered about ${id}.`);

const withHeaders = ({ headers, body }: Sent, more: Record<string, string>): Sent => ({ body, headers: { ...headers, ...more } });

const taken: readonly Requirement[] = [
  ...eventRows.map((each) =>
    requirement(`delivery:genuine(${each.name}):an-item-as-the-core-opens-it`, { source: 'section 6' }, async (stage) => {
      const { listening: made, secret } = await stage.listener(each);
      const delivery = genuine(secret, each);
      await deliver(made, delivery);
      const [subscription] = at(stage, made.url);
      const opened = verifyDelivery(
        { rawBody: delivery.body, headers: delivery.headers },
        { secret, events: [each.name], subscriptionId: subscription?.id ?? '', now: 0 },
        nodeCrypto,
      );
      if (opened.state !== 'accepted') throw new Error(`The core does not take it: ${opened.message}`);
      const item = await itemOf(made, delivery.id);
      const polls = stage.platform.lacks.polls === undefined;
      expect(item).toEqual(polls ? deliveredRecord(opened, 'presented') : deliveredAlone(opened));
      const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
      expect(item).toMatchObject({ event: each.name, delivery_key: hash, ...(polls && { change_key: hash }) });
    }),
  ),
  requirement('delivery:booked-at-the-service:the-record-as-a-search-finds-it', { source: 'G13', needs: ['whole'] }, async (stage) => {
    const { listening: made } = await stage.listener(row);
    const { id } = stage.sandbox.host.book({ start_time: start });
    const item = await itemOf(made, id);
    const { event, delivery_id: _id, delivered_at: _at, delivery_key: _key, change_key: _change, ...record } = item;
    expect([event, deliveryOf(stage, made, id)]).toEqual([row.name, expect.any(String)]);
    const [found = {}] = await stage.core.runOperation(findBooking, { fields: { booking_id: id } });
    expect(record).toEqual(stage.platform.shown?.(findBooking, found, stage.sandbox) ?? found);
  }),
  requirement('delivery:sent-again:no-second-item', { source: 'G20' }, async (stage) => {
    const { listening: made, secret } = await stage.listener(row);
    const { id } = stage.sandbox.host.book({ start_time: start });
    await itemOf(made, id);
    const items = await itemsBy(made, secret, async () => {
      for (let again = 0; again < 3; again += 1) stage.sandbox.host.redeliver(deliveryOf(stage, made, id));
      await stage.sandbox.settled();
    });
    expect(items).toEqual([]);
    expect((await made.items()).filter((each) => each['id'] === id)).toHaveLength(1);
  }),
  requirement('delivery:same-bytes-to-two-listeners:an-item-each,under-a-key-of-its-own', { source: 'section 6' }, (stage) =>
    listening(stage, async (one, secret) => {
      const { listening: other, secret: itsSecret } = await stage.listener(row);
      const { id, ...delivery } = genuine(secret);
      await deliver(one, delivery);
      await deliver(other, withHeaders(delivery, { [name('Signature')]: signatureOf(delivery.body, itsSecret) }));
      const keys = [await itemOf(one, id), await itemOf(other, id)].map((item) => item['delivery_key']);
      expect(new Set(keys).size).toBe(2);
    }),
  ),
  requirement('delivery:replayed-under-ids-to-come:takes-none-of-those-away', { source: 'section 6' }, async (stage) => {
    const { listening: made, secret } = await stage.listener(row);
    const recorded = genuine(secret);
    const others = [genuine(secret), genuine(secret), genuine(secret)];
    const items = await itemsBy(made, secret, async () => {
      await deliver(made, recorded);
      for (const { headers } of others) {
        const idToCome = headers[name('Delivery-ID')] ?? '';
        await deliver(made, withHeaders(recorded, { [name('Delivery-ID')]: idToCome }));
      }
      for (const other of others) await deliver(made, other);
      for (const { id } of others) await itemOf(made, id);
    });
    expect(items.map((item) => item['id']).sort()).toEqual([recorded, ...others].map(({ id }) => id).sort());
    expect(new Set(items.map((item) => item['delivery_key'])).size).toBe(items.length);
  }),
  refused('forged', (delivery) => withHeaders(delivery, { [name('Signature')]: signatureOf(delivery.body, 'guessed') })),
  refused('body-changed', ({ headers, body }) => ({ headers, body: body.replace('rec_contract', 'rec_Contract') })),
  refused(
    'no-json',
    (delivery, secret) => ({
      body: 'booked!',
      headers: { ...delivery.headers, [name('Signature')]: signatureOf('booked!', secret) },
    }),
    { source: 'G13' },
  ),
  refused('stale', (delivery) => withHeaders(delivery, { [name('Timestamp')]: '2020-01-02T08:00:00Z' }), {
    source: 'G37',
    needs: ['maximumAge'],
  }),
  requirement('delivery:secret-lost:nothing-else-is-accepted', { source: 'section 6', needs: ['losesSecret'] }, (stage) =>
    listening(stage, async (made, secret) => {
      const first = genuine(secret);
      await deliver(made, first);
      await itemOf(made, first.id);
      await made.loseSecret();
      for (const forged of [genuine(''), genuine('guessed')]) {
        const status = await deliver(made, forged);
        if (stage.platform.lacks.answers === undefined) expect(String(status)).toMatch(/^[45]\d\d$/);
      }
      const last = genuine(secret);
      const status = await deliver(made, last);
      // A process may still know the secret that its host has lost. If not, the service sends the delivery again.
      const ids = (await made.items()).map(({ id }) => id);
      expect(ids).toEqual(ids.length > 1 ? [first.id, last.id] : [first.id]);
      if (ids.length === 1 && stage.platform.lacks.answers === undefined) expect(status).toBe(503);
    }),
  ),
];

const subscribed: readonly Requirement[] = [
  requirement('listen:start-and-stop:one-subscription-of-its-own', { source: 'section 6' }, async (stage) => {
    const { sandbox } = stage;
    sandbox.host.addSecretlessSubscription({ url: `${nowhere}theirs`, events: ['BOOKING_CREATED'] });
    const before = sandbox.subscriptions().map(({ id }) => id);
    await listening(stage, async ({ url }) => {
      expect(at(stage, url)).toMatchObject([{ events: [row.name], active: true, signed: true }]);
      expect(sandbox.subscriptions()).toHaveLength(before.length + 1);
    });
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual(before);
  }),
  requirement('listen:answer-lost:one-with-a-known-secret', { source: 'G9' }, async (stage) => {
    stage.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after' });
    await listening(stage, async (made, secret) => {
      expect(at(stage, made.url)).toMatchObject([{ signed: true }]);
      expect(await itemsBy(made, secret, () => Promise.resolve())).toEqual([]);
    });
  }),
  requirement('listen:stopped-by-a-page:stopped-only-once-it-is-gone', { source: 'G10' }, async (stage) => {
    const made = await (await stage.unhurried()).listen([row]);
    stage.sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', ...page });
    await made.stop();
    expect(at(stage, made.url)).toEqual([]);
  }),
  requirement('listen:deleted-behind-its-back:stopping-is-no-failure', { source: 'G10' }, async (stage) => {
    await listening(stage, async ({ url }) => stage.sandbox.host.deleteSubscription(at(stage, url)[0]?.id ?? ''));
    expect(requestsTo(stage.sandbox, 'DELETE /v1/hooks/:id').length).toBeGreaterThan(0);
  }),
  requirement('listen:twenty-five-are-there:says-who-holds-them', { source: 'G19' }, async (stage) => {
    const { host } = stage.sandbox;
    const connection = await stage.unhurried();
    while (stage.sandbox.subscriptions().length < 25)
      host.addSecretlessSubscription({ url: `${nowhere}${stage.sandbox.subscriptions().length}`, events: ['BOOKING_CREATED'] });
    const { message } = await refusalOf(connection.listen([row]));
    expect(message).toMatch(/already has 25 active webhook subscriptions.*\d+ at 127\.0\.0\.1:9/);
  }),
  requirement(
    'listen:no-signing-secret-given:refused-and-deleted-again',
    { source: 'G9', alone: { forms: { secret: 'absent' } } },
    async ({ sandbox, connection }) => {
      expect((await refusalOf(connection.listen([row]))).message).toContain('signing_secret');
      expect(sandbox.subscriptions()).toEqual([]);
    },
  ),
];

export const deliveries: readonly Requirement[] = [...taken, ...subscribed].map(({ needs = [], ...each }) => ({
  ...each,
  needs: ['deliveries', ...needs],
}));
