import {
  cancelBooking,
  createBooking,
  findBooking,
  findContact,
  getBooking,
  getManyBookings,
  getManyEventTypes,
  searchContacts,
  type Operation,
} from '../../shared/operations/index.ts';
import type { Known } from '../../shared/webhooks/index.ts';
import { panelOf } from '../contract/platforms/n8nPanel.ts';
import { judge, judgeRead, type Judgement } from './judge.ts';
import { insist, runNode, type Run } from './platforms/n8n.ts';
import type { Connection, Told } from './platforms/told.ts';
import { allPages, emptyStore, method, runAction, runStep, type Surroundings } from './platforms/zapier.ts';
import { chance, seedOf } from './random.ts';
import { manyBookings, type World } from './world.ts';
import type { WireRequest } from './wire.ts';

export const platforms = ['n8n', 'zapier'] as const;
export type PlatformName = (typeof platforms)[number];

/** One run of an operation: what it does on each platform, and what its outcome is compared with. */
export interface Attempt {
  n8n(): Promise<Told>;
  zapier(): Promise<Told>;
  /** Somebody else does what may look like it. @returns the id of what they made */
  rival?(): string;
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

const idOf = (value: unknown): unknown => (typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined);

/** n8n gives a list of items; Zapier one record, or a page of results. */
const records = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const idsOf = (value: unknown): unknown[] => records(value).map(idOf);

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

const subscribersAt = ({ sandbox }: World, url: string): string[] =>
  sandbox.subscriptions().flatMap((each) => (new URL(each.url).href === new URL(url).href ? [each.id] : []));

/** An operation on both platforms. */
const onBoth = (around: Surroundings, operation: Operation, fields: Record<string, unknown>, run?: Run): Pick<Attempt, PlatformName> => ({
  n8n: () => runNode(around, [panelOf(operation, { fields })], run),
  zapier: () => runAction(around, operation, fields),
});

const create: OperationUnderTest = {
  isWrite: true,
  isMain: requests('POST', /^\/v1\/bookings$/),
  prepare(world, around, tag) {
    const luck = chance(seedOf(tag));
    const email = luck.pick([`${tag}@example.com`, `Ada+Work.${tag}@Example.com`, `${tag}@bücher.example`]);
    const name = luck.pick(['Ada Lovelace', "Ada  O'Lovelace-Byron 🎉 & Co"]);
    if (luck.happens(0.4)) world.book(email, 'Countess of Lovelace');
    const run = { retryOnFail: luck.happens(0.5), executionId: tag };
    const start = world.freeStart();
    const asked = { event_type_id: world.eventTypeId, start_time: start, invitee_name: name, invitee_email: email };
    let rival = '';
    return {
      ...onBoth(around, createBooking, asked, run),
      rival: () => (rival = world.book(`rival-${tag}@example.com`, name, start).id),
      judge(told) {
        // No other run has this start; what the service made of the rest is its own.
        const made = world.sandbox.bookings().filter((each) => Date.parse(each.start_time) === Date.parse(start) && each.id !== rival);
        // A service that shows no record, and lists it late, leaves only what was sent.
        const isRight = (value: unknown): boolean => [undefined, made[0]?.id].some((id) => id === idsOf(value)[0]);
        if (told.outcome === 'done' && rival !== '' && idsOf(told.value)[0] === rival)
          return { end: 'stolen', why: `what another person booked, ${rival}, was handed out` };
        return judge(told, { times: made.length, isRight, key: [email, start] });
      },
    };
  },
};

const cancel: OperationUnderTest = {
  isWrite: true,
  isMain: requests('POST', /^\/v1\/bookings\/[^/]+\/cancel$/),
  prepare(world, around, tag) {
    const { id } = world.book(`${tag}@example.com`);
    return {
      ...onBoth(around, cancelBooking, { booking_id: id }),
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

const judgeOne = (told: Told, id: string): Judgement =>
  judgeRead(told, (value) => (idsOf(value).join() === id ? undefined : `not what was asked for: ${JSON.stringify(value)?.slice(0, 200)}`));

const get: OperationUnderTest = {
  isMain: requests('GET', /^\/v1\/bookings\/[^/]+$/),
  prepare(world, around, tag) {
    const { id } = world.book(`${tag}@example.com`);
    const zapier = () => runAction(around, findBooking, { booking_id: id });
    return { ...onBoth(around, getBooking, { booking_id: id }), zapier, judge: (told) => judgeOne(told, id) };
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
    // Zapier has only a search.
    let email: string | undefined;
    const before = { all: confirmed(), many: confirmed(manyBookings) };
    const zapier = () => runAction(around, findBooking, { email: (email = manyBookings), status: 'CONFIRMED' });
    return {
      ...onBoth(around, getManyBookings, { status: 'CONFIRMED' }),
      zapier,
      judge: (told) => judgeRead(told, (value) => complaintAbout(value, email === undefined ? before.all : before.many, confirmed(email))),
    };
  },
};

const listEventTypes: OperationUnderTest = {
  isMain: requests('GET', /^\/v1\/event-types$/),
  prepare(world, around) {
    const there = new Set(world.sandbox.eventTypes().map(({ id }) => id));
    const choosable = new Set(world.sandbox.eventTypes().flatMap(({ id, active }) => (active ? [id] : [])));
    let expected = there;
    const zapier = () => {
      expected = choosable;
      return allPages(around, method('creates.create_booking.operation.inputFields.event_type_id.choices.perform'));
    };
    return {
      ...onBoth(around, getManyEventTypes, {}),
      zapier,
      judge: (told) => judgeRead(told, (value) => complaintAbout(value, there, expected)),
    };
  },
};

const searchContact: OperationUnderTest = {
  isMain: requests('GET', /^\/v1\/contacts$/),
  prepare(world, around) {
    const [{ id, email } = { id: '', email: '' }] = world.sandbox.contacts();
    const zapier = () => runAction(around, findContact, { email });
    return { ...onBoth(around, searchContacts, { email }), zapier, judge: (told) => judgeOne(told, id) };
  },
};

const subscribe: OperationUnderTest = {
  isWrite: true,
  isHurried: true,
  isMain: requests('POST', /^\/v1\/hooks$/),
  prepare(world, around, tag) {
    const url = `http://LOCALHOST:5678/webhook/${tag}/webhook`;
    const events = ['BOOKING_CREATED'];
    const staticData: Record<string, Known> = {};
    const kept = (value: unknown): Known => staticData['webhook'] ?? (value as Known);
    let isInN8n = false;
    return {
      n8n: () => (isInN8n = true) && insist(around, { url, events, staticData }, 'create'),
      zapier: () => runStep(around, method('triggers.booking_created.operation.performSubscribe'), { targetUrl: url }),
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
        if (judgement.end === 'duplicated' && told.outcome === 'failed' && (isInN8n || (told.isUnsure && told.words.includes(tag))))
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
    return {
      n8n: () => insist(around, { url, events: ['BOOKING_CREATED'], staticData: { webhook: kept } }, 'delete'),
      zapier: () =>
        runStep(around, method('triggers.booking_created.operation.performUnsubscribe'), { targetUrl: url, subscribeData: kept }),
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
  get,
  list: listBookings,
  'event-types': listEventTypes,
  'find-contact': searchContact,
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
