import {
  isBooking,
  itemsTold,
  judgeItems,
  bookingInput,
  bookingItem,
  both,
  delayed,
  fated,
  fine,
  surroundings,
  type Fate,
  type Situation,
  type Stage,
  worst,
} from './stage.ts';
import type { Judgement } from '../judge.ts';
import { runNode } from '../platforms/n8n.ts';
import type { Connection, Told } from '../platforms/told.ts';
import { emptyStore, runStep } from '../platforms/zapier.ts';
import { AFTERMATH_MS } from '../run.ts';
import type { Wire } from '../wire.ts';
import { createPerform } from './bookings.ts';

const MINUTE_MS = 60_000;

/** An undisturbed step takes a second or two. If it takes longer than this, it feels another user's trouble. */
const UNDISTURBED_MS = 10_000;

/**
 * The second user's account, in which everything has the same names and ids as in the first one's: the service numbers each account from
 * one.
 */
function alike(world: Stage['world']): { wire: Wire; connect: () => Connection; made: (email: string) => { id: string; name: string }[] } {
  const { sandbox } = world;
  const { id } = sandbox.addAccount();
  const own = sandbox.eventTypes().find((each) => each.account_id === id && each.name === 'Intro Call')?.id ?? '';
  const swap = (text: string, from: string, to: string): string => text.replaceAll(from, to);
  const wire: Wire = async (request, signal) => {
    const body = request.body === undefined ? undefined : swap(request.body, world.eventTypeId, own);
    const answer = await world.wire({ ...request, url: swap(request.url, world.eventTypeId, own), body }, signal);
    return { ...answer, body: Buffer.from(swap(answer.body.toString('utf8'), own, world.eventTypeId)) };
  };
  return {
    wire,
    connect: () => {
      const { access_token: accessToken, refresh_token: refreshToken } = sandbox.issueToken({
        accountId: id,
        expiresInSeconds: 1_000_000_000,
      });
      return {
        id: `credential of ${id}`,
        baseUrl: sandbox.baseUrl,
        clientId: sandbox.client.id,
        clientSecret: sandbox.client.secret,
        accessToken,
        refreshToken,
      };
    },
    made: (email) =>
      sandbox
        .bookings()
        .flatMap((each) => (each.account_id === id && each.invitee_email === email ? [{ id: each.id, name: each.invitee_name }] : [])),
  };
}

const troubles: readonly [Fate, ...Fate[]] = [
  'late-commit',
  'late-commit',
  'late-commit',
  'reset-before',
  'drop-after',
  'stall',
  'stall-after',
  '500',
  '429-hour',
  '429-seconds',
  'html-200-lost',
  'ok',
];

/** Two users of one process, or of one store, book something with the same key. The first user's request meets a fault. */
async function twoUsers(stage: Stage): Promise<Judgement> {
  const { world, platform, luck, tag, time } = stage;
  const email = `${tag}@example.com`;
  const start = world.freeStart();
  const theirs = alike(world);
  const store = emptyStore();
  const isExpired = luck.happens(0.2);
  const first = { ...world.connect(isExpired, luck) };
  const isSilent = isExpired && luck.happens(0.7);
  const troubled = fated(
    delayed(stage, world.wire),
    stage,
    (request, path) => isBooking(request, path) || (isSilent && path.endsWith('/oauth/token')),
    isSilent ? ['stall', 'stall'] : [luck.pick(troubles), luck.pick(troubles)],
  );
  const A = surroundings(stage, first, troubled, store);
  const B = surroundings(stage, theirs.connect(), delayed(stage, theirs.wire), store);
  const wanted = { eventTypeId: world.eventTypeId, start, name: 'Ada Lovelace', email };
  const book = (around: typeof A, run: string): Promise<Told> =>
    platform === 'n8n'
      ? runNode(around, [bookingItem(wanted)], { executionId: run })
      : runStep(around, createPerform, { inputData: bookingInput(wanted) });
  const mine = book(A, tag);
  // A step of Zapier that could not see the result is held after 28 seconds.
  await time.sleep(luck.happens(0.3) ? 1 + luck.below(2000) : 20_000 + luck.below(40_000));
  const begun = time.now();
  const toldB = await book(B, `${tag} of the second`);
  const tookMs = time.now() - begun;
  const toldA = await mine;
  await time.sleep(AFTERMATH_MS);

  const second = judgeItems(['Ada Lovelace'], itemsTold(toldB, 1), theirs.made(email), true);
  if (tookMs > UNDISTURBED_MS)
    return {
      end: 'crossed',
      why: `the second user waited ${Math.round(tookMs / 1000)} s: ${toldB.outcome === 'failed' ? toldB.words : 'done'}`,
    };
  if (second.end !== 'done') return { end: 'crossed', why: `the second user, whom nothing happened to: ${second.end}, ${second.why}` };
  const isFirsts = ({ account_id: account, invitee_email: at }: { account_id: string; invitee_email: string }): boolean =>
    account === world.sandbox.account.id && at === email;
  const made = world.sandbox.bookings().flatMap((each) => (isFirsts(each) ? [{ id: each.id, name: each.invitee_name }] : []));
  return judgeItems(['Ada Lovelace'], itemsTold(toldA, 1), made, true);
}

/** Nobody waits longer than this for a refresh that another execution is doing. */
const RENEWAL_MS = 45_000;

/** One call of the token endpoint hangs. Later executions with the same credential come along. */
async function stalledRenewal(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const connection = world.connect(true, luck);
  const wire = fated(delayed(stage, world.wire), stage, (_, path) => path.endsWith('/oauth/token'), ['stall']);
  const around = surroundings(stage, connection, wire);
  const book = async (count: number): Promise<Judgement> => {
    const email = `${count}-${tag}@example.com`;
    const begun = time.now();
    const told = await runNode(
      around,
      [bookingItem({ eventTypeId: world.eventTypeId, start: world.freeStart(), name: 'Ada Lovelace', email })],
      { executionId: `${tag} ${count}` },
    );
    if (time.now() - begun > RENEWAL_MS)
      return { end: 'hung', why: `execution ${count} waited ${Math.round((time.now() - begun) / 1000)} s for the renewal of the token` };
    await time.sleep(AFTERMATH_MS);
    const made = world.sandbox
      .bookings()
      .flatMap((each) => (each.invitee_email === email ? [{ id: each.id, name: each.invitee_name }] : []));
    return judgeItems(['Ada Lovelace'], itemsTold(told, 1), made, true);
  };
  const first = book(1);
  await time.sleep(luck.below(2 * MINUTE_MS));
  return worst(await Promise.all([first, book(2)]));
}

const refreshes: readonly [Fate, ...Fate[]] = [
  'refresh-page',
  'refresh-503',
  'refresh-dropped',
  'refresh-silent',
  'refresh-429',
  'refresh-refused',
  'refresh-refused-200',
];

const MOST_TOKEN_CALLS = 3;

/** Many items find the token expired, and it cannot be refreshed. */
async function bulkOnExpired(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const fate = luck.pick(refreshes);
  let calls = 0;
  const isToken = (_: unknown, path: string): boolean => {
    if (!path.endsWith('/oauth/token')) return false;
    calls += 1;
    return true;
  };
  const wire = fated(
    delayed(stage, world.wire),
    stage,
    isToken,
    Array.from({ length: 1000 }, () => fate),
  );
  const count = 1 + luck.below(30);
  const names = Array.from({ length: count }, (_, index) => `Guest ${index}`);
  const items = names.map((name) =>
    bookingItem({ eventTypeId: world.eventTypeId, start: world.freeStart(), name, email: `${tag}@example.com` }),
  );
  const begun = time.now();
  const told = await runNode(surroundings(stage, world.connect(true, luck), wire), items, { continueOnFail: true, executionId: tag });
  const tookMs = time.now() - begun;
  if (tookMs > RENEWAL_MS) return { end: 'hung', why: `${fate}: ${count} items took ${Math.round(tookMs / 1000)} s` };
  if (calls > MOST_TOKEN_CALLS) return { end: 'stormed', why: `${fate}: ${calls} calls of the token endpoint for ${count} items` };
  const made = world.sandbox
    .bookings()
    .flatMap((each) => (each.invitee_email === `${tag}@example.com` ? [{ id: each.id, name: each.invitee_name }] : []));
  const all = itemsTold(told, count);
  const misled = all.find(
    (item) =>
      item.end !== 'done' &&
      ((item.end === 'unknown' && fate !== 'refresh-silent') || (!fate.startsWith('refresh-refused') && /reconnect/i.test(item.words))),
  );
  if (misled !== undefined && misled.end !== 'done') return { end: 'untyped', why: `${fate}: ${misled.words}` };
  return worst([judgeItems(names, all, made, true), fine]);
}

export const userSituations = {
  'two-users': {
    says: 'two users of one process or store book what has the same key; one of them is in trouble',
    platforms: both,
    play: twoUsers,
  },
  'stalled-renewal': {
    says: 'a call of the token endpoint hangs while other executions come along',
    platforms: ['n8n'],
    play: stalledRenewal,
  },
  'bulk-on-expired': {
    says: 'up to thirty items find the token expired, and it cannot be renewed',
    platforms: ['n8n'],
    play: bulkOnExpired,
  },
} satisfies Record<string, Situation>;
