import { createHmac } from 'node:crypto';
import { brand } from '../../shared/brand.ts';
import { emptyStore, method, runStep, type Surroundings } from '../soak/platforms/zapier.ts';
import { VirtualTime } from '../soak/time.ts';
import { receiveDelivery, type TriggerPlace } from './receiveDelivery.ts';

const secret = 'whsec_of-this-subscription';
const name = (suffix: string) => `${brand.headerPrefix}-${suffix}`;

interface Delivery {
  body: Buffer;
  id: string | undefined;
}

/** An attacker who has recorded a delivery has its body and its signature, and can put anything into the other headers. */
const headersOf = ({ body, id }: Delivery, key = secret): Record<string, string> => ({
  'content-type': 'application/json',
  [name('Event')]: 'BOOKING_CREATED',
  [name('Timestamp')]: '2030-01-02T08:00:00Z',
  [name('Signature')]: `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  ...(id !== undefined && { [name('Delivery-ID')]: id }),
});

const telling = (booking: string, id: string): Delivery => ({
  body: Buffer.from(JSON.stringify({ event: 'BOOKING_CREATED', created_at: '2030-01-02T08:00:00Z', data: { id: booking } })),
  id,
});
/** The body holds neither a time nor an event id, so the same bytes may be a second event of the same kind. */
const timeless = (booking: string, id: string | undefined): Delivery => ({
  body: Buffer.from(JSON.stringify({ event: 'BOOKING_CREATED', data: { id: booking } })),
  id,
});

interface Receiver {
  /** How many runs a delivery starts. */
  deliver(delivery: Delivery): Promise<number>;
  /** The same service, subscribed by somebody else who signs with another secret. The numbers and ids are the same. */
  elsewhere(secret: string): Receiver;
}

let workflows = 0;
const n8n = (key = secret, workflowId = `workflow ${(workflows += 1)}`): Receiver => {
  const url = 'http://localhost:5678/webhook/5b0c/webhook';
  const place: TriggerPlace = {
    url,
    workflowId,
    events: ['BOOKING_CREATED'],
    staticData: { webhook: { id: 'sub_1', url, signing_secret: key } },
  };
  return {
    deliver: async (delivery) => (await receiveDelivery(place, delivery.body, headersOf(delivery, key))).items.length,
    elsewhere: (other) => n8n(other),
  };
};

const zapier = (key = secret, connection = 'connection 1', store = emptyStore()): Receiver => {
  const around: Surroundings = {
    time: new VirtualTime(),
    store,
    wire: () => Promise.reject(new Error('no request is expected')),
    connection: { id: connection, baseUrl: 'http://127.0.0.1:9/api/v1', clientId: '', clientSecret: '', accessToken: '', refreshToken: '' },
  };
  return {
    async deliver(delivery) {
      const headers = Object.fromEntries(Object.entries(headersOf(delivery, key)).map(([header, value]) => [`Http-${header}`, value]));
      const rawRequest = { method: 'POST' as const, querystring: '', content: delivery.body.toString('utf8'), headers };
      const told = await runStep(around, method('triggers.booking_created.operation.perform'), {
        rawRequest,
        subscribeData: { id: 'sub_1', signing_secret: key },
      } as never);
      if (told.outcome !== 'done') throw new Error(told.words);
      return (told.value as unknown[]).length;
    },
    elsewhere: (other) => zapier(other, 'connection 2', store),
  };
};

async function runs(receiver: Receiver, deliveries: Iterable<Delivery>): Promise<number> {
  let started = 0;
  for (const delivery of deliveries) started += await receiver.deliver(delivery);
  return started;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

// Zapier keeps every key for a day, however many there are, so counting them would show nothing more.
describe.each([
  ['n8n', n8n, 25_000],
  ['Zapier', zapier, 2_000],
] as const)('replays in %s', (_, open, many) => {
  it('under ids that are predicted hide no genuine delivery: all 500 with those ids start a run', async () => {
    const receiver = open();
    const recorded = telling('bkg_recorded', 'dlv_1000');
    expect(await receiver.deliver(recorded)).toBe(1);
    expect(
      await runs(
        receiver,
        range(1001, 1500).map((id) => ({ ...recorded, id: `dlv_${id}` })),
      ),
    ).toBe(0);
    expect(
      await runs(
        receiver,
        range(1001, 1500).map((id) => telling(`bkg_${id}`, `dlv_${id}`)),
      ),
    ).toBe(500);
  });

  it('push nothing out of the memory: of tens of thousands, one starts a run, and an earlier delivery is still known', async () => {
    const receiver = open();
    const before = telling('bkg_before', 'dlv_1');
    const recorded = telling('bkg_recorded', 'dlv_2');
    expect(await receiver.deliver(before)).toBe(1);
    expect(
      await runs(
        receiver,
        range(1, many).map((id) => ({ ...recorded, id: `dlv_replayed_${id}` })),
      ),
    ).toBe(1);
    expect(await receiver.deliver(before)).toBe(0);
  });

  it('together with the genuine one start one run, whichever comes first', async () => {
    const receiver = open();
    const genuine = telling('bkg_1', 'dlv_1');
    const copies = range(1, 20).map((id) => ({ ...genuine, id: `dlv_replayed_${id}` }));
    const started = await Promise.all([...copies.slice(10), genuine, ...copies.slice(0, 10)].map((each) => receiver.deliver(each)));
    expect(started.reduce((sum, each) => sum + each)).toBe(1);
  });

  it('of bodies that cannot identify themselves are recognised by id and bytes together', async () => {
    const receiver = open();
    expect(await runs(receiver, [timeless('bkg_1', 'dlv_1'), timeless('bkg_1', 'dlv_1')])).toBe(1);
    // The same bytes may be a new event, and different bytes are one, even under an id that somebody used before.
    expect(await receiver.deliver(timeless('bkg_1', 'dlv_2'))).toBe(1);
    expect(await receiver.deliver(timeless('bkg_2', 'dlv_2'))).toBe(1);
    expect(await receiver.deliver(telling('bkg_1', 'dlv_2'))).toBe(1);
    expect(await runs(receiver, [timeless('bkg_1', undefined), timeless('bkg_1', undefined)])).toBe(2);
  });

  it('at another receiver, whose service uses the same numbers, hide nothing here, nor do the same bytes', async () => {
    const receiver = open();
    const foreign = receiver.elsewhere('whsec_of-another-service');
    const deliveries = range(1, 50).flatMap((id) => [telling(`bkg_${id}`, `dlv_${id}`), timeless(`bkg_${id}`, `dlv_${id}`)]);
    expect(await runs(foreign, deliveries)).toBe(100);
    expect(await runs(receiver, deliveries)).toBe(100);
    expect(await runs(receiver.elsewhere(secret), [telling('bkg_1', 'dlv_1')])).toBe(1);
  });
});
