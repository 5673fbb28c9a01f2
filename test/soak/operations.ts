import type { Booking } from '../../sandbox/service.ts';
import type { Known } from '../../shared/webhooks/index.ts';
import { judge, judgeRead, type Judgement } from './judge.ts';
import { Program } from './platforms/mcp.ts';
import { Application } from './platforms/package.ts';
import { insist, runNode } from './platforms/n8n.ts';
import type { Connection, Told } from './platforms/told.ts';
import { chance, seedOf } from './random.ts';
import { dropdown, emptyStore, method, runStep, type Surroundings } from './platforms/zapier.ts';
import { manyBookings, type World } from './world.ts';
import type { WireRequest } from './wire.ts';

/** The operations that take deliveries. */
export type TriggerPlatform = 'n8n' | 'zapier';
export type PlatformName = TriggerPlatform | 'mcp' | 'package';

export const triggerPlatforms: readonly TriggerPlatform[] = ['n8n', 'zapier'];
export const platforms: readonly PlatformName[] = [...triggerPlatforms, 'mcp', 'package'];

/** One run of an operation: what it does on each platform, and what its outcome is compared with. */
export interface Attempt {
  n8n(): Promise<Told>;
  zapier(): Promise<Told>;
  mcp(): Promise<Told>;
  package(): Promise<Told>;
  judge(told: Told): Judgement;
}

export interface OperationUnderTest {
  /** Whether it needs lists of several pages. */
  isListed?: boolean;
  /** Whether it changes something, so that the service's habits matter to it. */
  isWrite?: boolean;
  /** A person waits for it on both platforms, and n8n publishes a workflow several times. */
  isHurried?: boolean;
  /** The request that it is about. */
  isMain: (request: WireRequest, path: string) => boolean;
  /** @param tag a word that no other run has */
  prepare(world: World, around: Surroundings, tag: string): Attempt;
}

const requests =
  (verb: string, path: RegExp) =>
  (request: WireRequest, at: string): boolean =>
    request.method === verb && path.test(at);

const locator = (value: string) => ({ __rl: true, mode: 'id', value });

const idOf = (value: unknown): unknown => (typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined);

/** n8n gives a list of items; Zapier one record, or a page of results. */
const records = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const idsOf = (value: unknown): unknown[] => records(value).map(idOf);

const isOne =
  (id: string) =>
  (value: unknown): boolean =>
    idsOf(value).join() === id;

/**
 * A list has everything that exists throughout, and nothing twice. Records that came or went in the meantime may or may not be in it. One
 * whose id cannot be read is listed without it.
 */
function complaintAbout(value: unknown, before: ReadonlySet<string>, after: ReadonlySet<string>): string | undefined {
  const all = idsOf(value);
  const ids = all.filter((id) => id !== undefined && id !== '').map(String);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return `twice in the list: ${twice}`;
  const missing = [...after].filter((id) => before.has(id) && !ids.includes(id));
  if (missing.length > all.length - ids.length) return `${missing.length} of ${after.size} are missing from the list`;
  const strange = ids.find((id) => !before.has(id) && !after.has(id));
  return strange === undefined ? undefined : `not of the list: ${strange}`;
}

/** Reads all pages of a search step or of a dropdown, as long as Zapier gets a token for the next page. */
async function pages(around: Surroundings, path: string | ReturnType<typeof dropdown>, inputData: object): Promise<Told> {
  const perform = typeof path === 'string' ? method(path) : path;
  const all: unknown[] = [];
  for (let token: unknown; ; ) {
    const told = await runStep(around, perform, { inputData, meta: token === undefined ? {} : { paging_token: token } } as never);
    if (told.outcome === 'failed') return told;
    const { results, paging_token: next } = told.value as { results: unknown[]; paging_token?: unknown };
    all.push(...results);
    if (next === null || next === undefined) return { outcome: 'done', value: all };
    token = next;
  }
}

const subscribersAt = ({ sandbox }: World, url: string): string[] =>
  sandbox.subscriptions().flatMap((each) => (new URL(each.url).href === new URL(url).href ? [each.id] : []));

const create: OperationUnderTest = {
  isWrite: true,
  isMain: requests('POST', /^\/v1\/bookings$/),
  prepare(world, around, tag) {
    const luck = chance(seedOf(tag));
    const email = luck.pick([`${tag}@example.com`, `Ada+Work.${tag}@Example.com`, `${tag}@bücher.example`]);
    const name = luck.pick(['Ada Lovelace', "Ada  O'Lovelace-Byron 🎉 & Co"]);
    if (luck.happens(0.4)) world.book(email, 'Countess of Lovelace');
    const program = new Program(around);
    const application = new Application(around);
    const retryOnFail = luck.happens(0.5);
    const start = world.freeStart();
    const asked = { event_type_id: world.eventTypeId, start_time: start, invitee_name: name, invitee_email: email };
    // No other run has this start; what the service made of the rest is its own.
    const made = (): Booking[] => world.sandbox.bookings().filter((each) => Date.parse(each.start_time) === Date.parse(start));
    return {
      n8n: () =>
        runNode(
          around,
          [
            {
              resource: 'booking',
              operation: 'create',
              eventTypeId: locator(world.eventTypeId),
              startTime: start,
              inviteeName: name,
              inviteeEmail: email,
              questionResponsesMode: 'fields',
              questionResponses: { mappingMode: 'defineBelow', value: null },
              additionalFields: {},
              simplify: false,
            },
          ],
          { retryOnFail, executionId: tag },
        ),
      zapier: () => runStep(around, method('creates.create_booking.operation.perform'), { inputData: asked }),
      mcp: () => program.call('create_booking', asked),
      package: () => application.call('bookings', 'create', asked),
      judge(told) {
        const [first, ...others] = made();
        const isRight = (value: unknown): boolean => {
          const [record] = records(value);
          // A service that shows no record, and lists it late, leaves only what was sent.
          return idOf(record) === undefined || idOf(record) === first?.id;
        };
        return judge(told, { times: (first === undefined ? 0 : 1) + others.length, isRight, key: [email, start] });
      },
    };
  },
};

const cancel: OperationUnderTest = {
  isWrite: true,
  isMain: requests('POST', /^\/v1\/bookings\/[^/]+\/cancel$/),
  prepare(world, around, tag) {
    const { id } = world.book(`${tag}@example.com`);
    const program = new Program(around);
    const application = new Application(around);
    return {
      n8n: () =>
        runNode(around, [{ resource: 'booking', operation: 'cancel', bookingId: locator(id), additionalFields: {}, simplify: false }]),
      zapier: () => runStep(around, method('creates.cancel_booking.operation.perform'), { inputData: { booking_id: id } }),
      mcp: () => program.call('cancel_booking', { booking_id: id, confirm: true }),
      package: () => application.call('bookings', 'cancel', { booking_id: id }),
      judge(told) {
        const times = world.sandbox.bookings().some((each) => each.id === id && each.status === 'CANCELLED') ? 1 : 0;
        const isRight = (value: unknown): boolean => {
          const [record] = records(value) as Record<string, unknown>[];
          // Where a booking shows its status is the service's habit.
          return record?.['id'] === id && record['already_cancelled'] === false;
        };
        return judge(told, { times, isRight, key: [id] });
      },
    };
  },
};

const getBooking: OperationUnderTest = {
  isMain: requests('GET', /^\/v1\/bookings\/[^/]+$/),
  prepare(world, around, tag) {
    const { id } = world.book(`${tag}@example.com`);
    return {
      n8n: () => runNode(around, [{ resource: 'booking', operation: 'get', bookingId: locator(id), simplify: false }]),
      zapier: () => pages(around, 'searches.find_booking.operation.perform', { booking_id: id }),
      mcp: () => new Program(around).call('get_booking', { booking_id: id }),
      package: () => new Application(around).call('bookings', 'get', { booking_id: id }),
      judge: (told) =>
        judgeRead(told, (value) =>
          isOne(id)(value) ? undefined : `not the booking that was asked for: ${JSON.stringify(value)?.slice(0, 200)}`,
        ),
    };
  },
};

const listBookings: OperationUnderTest = {
  isListed: true,
  isMain: requests('GET', /^\/v1\/bookings$/),
  prepare(world, around) {
    const confirmed = (email?: string): Set<string> =>
      new Set(
        world.sandbox
          .bookings()
          .flatMap((each) => (each.status === 'CONFIRMED' && (email === undefined || each.invitee_email === email) ? [each.id] : [])),
      );
    const before = { all: confirmed(), many: confirmed(manyBookings) };
    let isAll = true;
    return {
      n8n: () =>
        runNode(around, [
          { resource: 'booking', operation: 'getMany', returnAll: true, simplify: false, filters: { status: 'CONFIRMED' } },
        ]),
      zapier: () => {
        isAll = false;
        return pages(around, 'searches.find_booking.operation.perform', { email: manyBookings, status: 'CONFIRMED' });
      },
      mcp: () => new Program(around).list('list_bookings', { status: 'CONFIRMED' }),
      package: () => new Application(around).call('bookings', 'list', { status: 'CONFIRMED' }),
      judge: (told) =>
        judgeRead(told, (value) =>
          isAll ? complaintAbout(value, before.all, confirmed()) : complaintAbout(value, before.many, confirmed(manyBookings)),
        ),
    };
  },
};

const listEventTypes: OperationUnderTest = {
  isMain: requests('GET', /^\/v1\/event-types$/),
  prepare(world, around) {
    const there = new Set(world.sandbox.eventTypes().map(({ id }) => id));
    const choosable = new Set(world.sandbox.eventTypes().flatMap(({ id, active }) => (active ? [id] : [])));
    let expected = there;
    return {
      n8n: () => runNode(around, [{ resource: 'eventType', operation: 'getMany', returnAll: true, simplify: false }]),
      zapier: () => {
        expected = choosable;
        return pages(around, dropdown('creates.create_booking.operation.inputFields', 'event_type_id'), {});
      },
      mcp: () => new Program(around).list('list_event_types'),
      package: () => new Application(around).call('eventTypes', 'list'),
      judge: (told) => judgeRead(told, (value) => complaintAbout(value, there, expected)),
    };
  },
};

const findContact: OperationUnderTest = {
  isMain: requests('GET', /^\/v1\/contacts$/),
  prepare(world, around) {
    const [contact] = world.sandbox.contacts();
    const { id = '', email = '' } = contact ?? {};
    return {
      n8n: () => runNode(around, [{ resource: 'contact', operation: 'search', email, returnAll: true, simplify: false }]),
      zapier: () => pages(around, 'searches.find_contact.operation.perform', { email }),
      mcp: () => new Program(around).list('search_contacts', { email }),
      package: () => new Application(around).call('contacts', 'search', { email }),
      judge: (told) =>
        judgeRead(told, (value) =>
          isOne(id)(value) ? undefined : `not the contact that was asked for: ${JSON.stringify(value)?.slice(0, 200)}`,
        ),
    };
  },
};

const subscribe: OperationUnderTest = {
  isWrite: true,
  isHurried: true,
  isMain: requests('POST', /^\/v1\/hooks$/),
  prepare(world, around, tag) {
    const url = `http://LOCALHOST:5678/webhook/${tag}/webhook`;
    const program = new Program(around);
    const application = new Application(around);
    const staticData: Record<string, Known> = {};
    const kept = (value: unknown): Known => staticData['webhook'] ?? (value as Known);
    let isInN8n = false;
    let isOwn = false;
    return {
      n8n: () => (isInN8n = isOwn = true) && insist(around, { url, events: ['BOOKING_CREATED'], staticData }, 'create'),
      zapier: () => (isOwn = true) && runStep(around, method('triggers.booking_created.operation.performSubscribe'), { targetUrl: url }),
      mcp: () => program.call('create_subscription', { url, events: ['BOOKING_CREATED'] }),
      package: () => application.call('subscriptions', 'create', { url, events: ['BOOKING_CREATED'] }),
      judge(told) {
        const there = subscribersAt(world, url);
        const judgement = judge(told, {
          times: there.length,
          isRight: (value) => kept(value).id === there[0] && /^whsec_/.test(kept(value).signing_secret ?? ''),
          // The address may be told in its normal form.
          key: [tag],
        });
        for (const id of there) world.sandbox.host.deleteSubscription(id);
        // At a trigger's own address, the next publishing removes what is told as unsure. n8n shows only the last of five errors.
        if (
          isOwn &&
          judgement.end === 'duplicated' &&
          told.outcome === 'failed' &&
          (isInN8n || (told.isUnsure && told.words.includes(tag)))
        )
          return { end: 'unknown', why: told.words };
        // What a lost request made later is removed when the Zap is turned off, or the workflow is unpublished.
        if (judgement.end === 'duplicated' && told.outcome === 'done' && kept(told.value).repeated === true)
          return { end: 'done', why: '' };
        // The last error of publishing may be about a subscription that was there before: its id is what to look for.
        if (
          isInN8n &&
          judgement.end === 'untyped' &&
          told.outcome === 'failed' &&
          /webhook subscription "\w+", whose deletion/.test(told.words)
        )
          return { end: 'unknown', why: told.words };
        // n8n shows the last of five errors. A 2xx that shows no secret has made one that is of no use, and says so.
        const isUseless = /without a signing_secret/.test(judgement.why);
        return (isInN8n || isUseless) && judgement.end === 'lost' ? { ...judgement, end: 'unknown' } : judgement;
      },
    };
  },
};

const unsubscribe: OperationUnderTest = {
  isWrite: true,
  isHurried: true,
  isMain: requests('DELETE', /^\/v1\/hooks\/[^/]+$/),
  prepare(world, around, tag) {
    const url = `http://localhost:5678/webhook/${tag}/webhook`;
    const { id } = world.sandbox.host.addSecretlessSubscription({ url, events: ['BOOKING_CREATED'] });
    const kept = { id, signing_secret: 'kept', url };
    const program = new Program(around);
    const application = new Application(around);
    return {
      n8n: () => insist(around, { url, events: ['BOOKING_CREATED'], staticData: { webhook: kept } }, 'delete'),
      zapier: () =>
        runStep(around, method('triggers.booking_created.operation.performUnsubscribe'), { targetUrl: url, subscribeData: kept }),
      mcp: () => program.call('delete_subscription', { subscription_id: id, confirm: true }),
      package: () => application.call('subscriptions', 'delete', { subscription_id: id }),
      judge(told) {
        const there = subscribersAt(world, url);
        for (const each of there) world.sandbox.host.deleteSubscription(each);
        return judge(told, { times: there.length === 0 ? 1 : 0, isRight: () => true, key: [id] });
      },
    };
  },
};

/** The operations, by their names in the table. */
export const operations = {
  create,
  cancel,
  get: getBooking,
  list: listBookings,
  'event-types': listEventTypes,
  'find-contact': findContact,
  subscribe,
  unsubscribe,
} satisfies Record<string, OperationUnderTest>;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as OperationName[];

export const around = (world: World, connection: Connection, wire: World['wire']): Surroundings => ({
  wire,
  time: world.time,
  connection,
  store: emptyStore(),
});
