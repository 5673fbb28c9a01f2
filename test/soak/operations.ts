import { type Operation, cancelBooking, createBooking, createSubscription, deleteSubscription } from '../../shared/operations/index.ts';
import { applicationOn, type Surroundings, type Told } from './application.ts';
import { chance, seedOf } from './random.ts';
import type { World } from './world.ts';

/**
 * The outcome of one run. The first three are as they should be:
 * - `done`: carried out once, and reported as done; `failed`: reported as failed, and nothing happened;
 * - `unknown`: reported as "may exist", with what to look for.
 *
 * The others are findings: `lost`: it exists but was reported as failed; `invented`: reported as done but not
 * there; `stolen`: somebody else's record was mistaken for ours, or changed; `duplicated`: done more than once; `hung`: did not end in time; `untyped`: ended without a
 * sentence that helps, or in doubt although nothing was doubtful; `unsent`: truly lost, and not sent by a later try either, although nothing
 * there can be it; `misnamed`: what another person or another slot has was named as perhaps ours;
 * `worsened`: nothing went wrong, and a habit of the service alone cost a second write, a wait or a failure; `leaked`: something was sent to
 * another origin.
 */
const findings = ['lost', 'invented', 'stolen', 'duplicated', 'hung', 'untyped', 'unsent', 'misnamed', 'worsened', 'leaked'] as const;
const ends = ['done', 'failed', 'unknown', ...findings] as const;

type End = (typeof ends)[number];

export const isFinding = (end: End): boolean => (findings as readonly End[]).includes(end);

/** How often each outcome came: never. */
export const noEnds = (): Record<End, number> => Object.fromEntries(ends.map((end) => [end, 0])) as Record<End, number>;

export interface Judgement {
  end: End;
  /** What was seen, for the person who reads a finding. */
  why: string;
  /** Of an `unknown`: whether it was done. */
  isThere?: boolean;
}

interface Facts {
  /** How often the service has what was asked for. */
  times: number;
  /** Whether the returned value is what the service has. */
  isRight: (value: unknown) => boolean;
  /** What a person needs in order to look for it. An "it may exist" has to say it. */
  key: readonly string[];
}

/** Compares what the service has with what the user was told. */
function judge(told: Told, { times, isRight, key }: Facts): Judgement {
  const words = told.outcome === 'done' ? JSON.stringify(told.value)?.slice(0, 300) : told.words;
  if (times > 1) return { end: 'duplicated', why: `it was done ${times} times; told as ${told.outcome}: ${words}` };
  if (told.outcome === 'done') {
    if (times === 0) return { end: 'invented', why: `told as done, and not there: ${words}` };
    return isRight(told.value) ? { end: 'done', why: '' } : { end: 'stolen', why: `another thing was handed out: ${words}` };
  }
  if (told.defect !== undefined) return { end: 'untyped', why: `${told.defect}: ${told.words}` };
  if (told.isUnsure) {
    const missing = key.find((part) => !told.words.includes(part));
    return missing === undefined
      ? { end: 'unknown', why: told.words, isThere: times > 0 }
      : { end: 'untyped', why: `"${missing}" is not told: ${told.words}` };
  }
  return times === 0 ? { end: 'failed', why: told.words } : { end: 'lost', why: `told as failed, and there: ${told.words}` };
}

/** One run of an operation: what it does, and what its outcome is compared with. */
interface Attempt {
  run(): Promise<Told>;
  /** While the sender waits for an answer, others do what looks like it and is not. */
  meanwhile?(): void;
  /** Whether it needs a day to pass first, because what is there must be certainly older. */
  isOld?: boolean;
  judge(told: Told): Judgement;
}

export interface OperationUnderTest {
  /** The request that it is about. */
  main: string;
  /** @param tag a word that no other run has */
  prepare(world: World, around: Surroundings, tag: string): Attempt;
}

/** What was handed out: a record, or those of a list. */
const recordsIn = (value: unknown): Record<string, unknown>[] => [value].flat() as Record<string, unknown>[];

const idsIn = (value: unknown): unknown[] => recordsIn(value).map((record) => record?.['id']);

const subscribersAt = ({ sandbox }: World, url: string): string[] =>
  sandbox.subscriptions().flatMap((each) => (new URL(each.url).href === new URL(url).href ? [each.id] : []));

const asked = (around: Surroundings, operation: Operation, fields: Record<string, unknown>): Pick<Attempt, 'run'> => {
  const application = applicationOn(around);
  return { run: () => application(operation, fields) };
};

const create: OperationUnderTest = {
  main: 'POST /v1/bookings',
  prepare(world, around, tag) {
    const luck = chance(seedOf(tag));
    const email = luck.pick([`${tag}@example.com`, `Ada+Work.${tag}@Example.com`, `${tag}@bücher.example`]);
    const name = luck.pick(['Ada Lovelace', "Ada  O'Lovelace-Byron 🎉 & Co"]);
    const start = world.freeStart();
    const form = { event_type_id: world.eventTypeId, start_time: start, invitee_name: name, invitee_email: email };
    /** What is there beside it, and never it. */
    const others: string[] = [];
    const ofOthers = (count: number) => {
      for (let each = 0; each < count; each += 1) others.push(world.book(`seat-${others.length}-${tag}@example.com`, name, start).id);
    };
    // Other weeks at half past, so that neither a start in local time nor another run can be taken for it.
    const later = () => new Date(Date.parse(start) + (others.length + 1) * 7 * 86_400_000 + 30 * 60_000).toISOString();
    if (luck.happens(0.4)) world.book(email, 'Countess of Lovelace', later());
    const ofThisPerson = () => void others.push(world.book(email, name, later()).id);
    const cancelled = () => {
      const { id } = world.book(email, name, start);
      world.sandbox.host.cancel(id);
      others.push(id);
    };
    const [before, meanwhile] = luck.pick<readonly [() => void, () => void]>([
      [() => undefined, () => undefined],
      // A class.
      [() => ofOthers(12), () => ofOthers(3)],
      // One person in many slots.
      [ofThisPerson, ofThisPerson],
      [cancelled, ofThisPerson],
    ]);
    before();
    return {
      ...asked(around, createBooking, form),
      isOld: before === cancelled,
      meanwhile,
      judge(told) {
        // No other run has this start; what the service made of the rest is its own.
        const made = world.sandbox
          .bookings()
          .filter((each) => Date.parse(each.start_time) === Date.parse(start) && !others.includes(each.id));
        // A service that shows no record, and lists it late, leaves only what was sent.
        const isRight = (value: unknown): boolean => [undefined, made[0]?.id].some((id) => id === idsIn(value)[0]);
        const named = told.outcome === 'failed' ? others.find((id) => told.words.includes(id)) : undefined;
        if (named !== undefined) return { end: 'misnamed', why: `${named} is another booking: ${JSON.stringify(told)}` };
        return judge(told, { times: made.length, isRight, key: [email, start] });
      },
    };
  },
};

const cancel: OperationUnderTest = {
  main: 'POST /v1/bookings/:id/cancel',
  prepare(world, around, tag) {
    const { id } = world.book(`${tag}@example.com`);
    return {
      ...asked(around, cancelBooking, { booking_id: id }),
      judge(told) {
        const times = world.sandbox.bookings().some((each) => each.id === id && each.status === 'CANCELLED') ? 1 : 0;
        // Where a booking shows its status is the service's habit.
        const isRight = (value: unknown): boolean => recordsIn(value)[0]?.['already_cancelled'] === false && idsIn(value)[0] === id;
        return judge(told, { times, isRight, key: [id] });
      },
    };
  },
};

const subscribe: OperationUnderTest = {
  main: 'POST /v1/hooks',
  prepare(world, around, tag) {
    const url = `http://LOCALHOST:5678/webhook/${tag}/webhook`;
    const events = ['BOOKING_CREATED'];
    return {
      ...asked(around, createSubscription, { url, events }),
      judge(told) {
        const there = subscribersAt(world, url);
        const judgement = judge(told, {
          times: there.length,
          isRight: (value) => {
            const { id, signing_secret: secret = '' } = value as { id?: string; signing_secret?: string };
            return id === there[0] && /^whsec_/.test(secret);
          },
          // The address may be told in its normal form.
          key: [tag],
        });
        for (const id of there) world.sandbox.host.deleteSubscription(id);
        // A 2xx that shows no secret has made one that is of no use, and says so.
        const isUseless = /without a signing_secret/.test(judgement.why);
        return isUseless && judgement.end === 'lost' ? { ...judgement, end: 'unknown' } : judgement;
      },
    };
  },
};

const unsubscribe: OperationUnderTest = {
  main: 'DELETE /v1/hooks/:id',
  prepare(world, around, tag) {
    const url = `http://localhost:5678/webhook/${tag}/webhook`;
    const { id } = world.sandbox.host.addSecretlessSubscription({ url, events: ['BOOKING_CREATED'] });
    return {
      ...asked(around, deleteSubscription, { subscription_id: id }),
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
  subscribe,
  unsubscribe,
} satisfies Record<string, OperationUnderTest>;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as OperationName[];
