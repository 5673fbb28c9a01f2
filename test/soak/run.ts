import { latestCommit } from '../../shared/assumptions.ts';
import type { Forms } from '../../sandbox/service.ts';
import type { Connection, Told } from './application.ts';
import { faults, faultyWire, planOf, type FaultKind, type FaultName, type Harm, type Plan } from './faults/index.ts';
import type { Judgement } from './judge.ts';
import { operations, type OperationName, type OperationUnderTest } from './operations.ts';
import { chance, drawing, seedOf } from './random.ts';
import { pathOf, type Wire, type World } from './world.ts';

/** Identifies a run. The same case gives the same run, alone or among others. */
export interface Case {
  fault: FaultName;
  operation: OperationName;
  seed: number;
}

export interface Outcome extends Judgement {
  habits: Partial<Forms>;
  plan: Plan;
  harmed: Harm[];
  /** How often it was tried again because it may or may not have been done. */
  triedAgain: number;
}

/** Longer than any operation may take, including waits. */
const LONGEST_MS = 10 * 60_000;

/** What is still on its way when the user has been told arrives within this time (G29). */
export const AFTERMATH_MS = latestCommit.seconds * 1000 + 1000;

/** Whoever was told "may or may not" tries again after one of these times: a retry, a person, a replay. */
const AGAIN_AFTER_MS = [1000, 5000, 61_000, 3_600_000] as const;
const MOST_TRIES = 3;

/** Longer ago than any clock, or any list, is wrong. */
const OLD_MS = 30 * 60_000;

/** More than the requests themselves take: a wait. */
const WAIT_MS = 500;

/** How far lists are behind: what a late request makes must be listed within the time of G29 as well. */
const behindMs = ({ listLag = 'none' }: Partial<Forms>): number => ({ none: 0, '1s': 1_000, '45s': 45_000, replicas: 45_000 })[listLag];

/** Runs one case in a world that other cases have used before. */
export async function runCase(given: Case, world: World): Promise<Outcome> {
  const { time, sandbox, habits } = world;
  const luck = chance(seedOf(given.fault, given.operation, given.seed));
  const kind: FaultKind = faults[given.fault];
  const operation: OperationUnderTest = operations[given.operation];
  const plan = planOf(given.fault, luck);
  const connection = world.connect(kind.expired === true, luck);
  const harmed: Harm[] = [];
  const leftBefore = world.elsewhere.length;

  const circumstances = {
    time,
    chance: luck,
    latestMs: AFTERMATH_MS - 2000 - behindMs(habits),
    revoke: () => revoke(world, connection),
    shrink: () => {
      const victim = sandbox.bookings().find(({ status, id }) => status === 'CONFIRMED' && luck.happens(0.2) && id !== '');
      if (victim !== undefined) sandbox.host.cancel(victim.id);
    },
  };
  const tag = `${given.operation}-${given.seed}-${luck.below(1_000_000_000)}`;
  const spent: Spent = { ms: 0, writes: 0 };
  const faulty = faultyWire(delayed(world, luck.below(150), spent), plan, operation.isMain, circumstances, harmed);
  const rivals = chance(seedOf('rivals', tag));
  const wire: Wire = async (request) => {
    if (request.method === 'GET' || !operation.isMain(request, pathOf(request))) return faulty(request);
    spent.writes += 1;
    if (spent.rival !== undefined) spent.after = spent.rival;
    const struckBefore = harmed.length;
    const sent = faulty(request);
    // While the sender waits for what became of it, somebody else books what may be it.
    if (harmed.length > struckBefore && hidesItsEffect(given.fault) && rivals.happens(0.3)) spent.rival ??= attempt.rival?.();
    return sent;
  };
  const attempt = operation.prepare(world, { wire, time, connection }, tag);
  // What was there before is old, and listed everywhere.
  if (operation.isWrite === true) await time.sleep(OLD_MS);

  time.skewMs = 0;
  const begun = time.now();
  let told = undefined as Told | undefined;
  let waitedMs = 0;
  let triedAgain = 0;
  await drawing(luck, async () => {
    told = await ended(world, LONGEST_MS, () => attempt.run());
    waitedMs = time.now() - begun - spent.ms;
    for (; isInDoubt(told) && triedAgain < MOST_TRIES && luck.happens(0.7); triedAgain += 1) {
      await time.sleep(luck.pick(AGAIN_AFTER_MS));
      told = await ended(world, LONGEST_MS, () => attempt.run());
    }
    await time.sleep(AFTERMATH_MS);
  }).finally(() => (time.skewMs = 0));
  const isLeaked = world.elsewhere.length > leftBefore;
  const isCut = !(await connection.tokens.read())?.refresh_token;
  const judgement = ((): Judgement => {
    if (isLeaked) return { end: 'leaked', why: 'another origin was asked' };
    if (told === undefined) return { end: 'hung', why: 'nobody was told anything' };
    if (isCut) return { end: 'lost', why: 'the refresh token was dropped' };
    if (spent.after !== undefined) return { end: 'duplicated', why: `it was sent again although ${spent.after} may be it` };
    const judged = attempt.judge(told);
    if (kind.isReconnectVain === true && told.outcome === 'failed' && /reconnect/i.test(told.words))
      return { end: 'untyped', why: `asks to reconnect, which mends nothing: ${told.words}` };
    const isDoubtful = kind.isCertain !== true && harmed.some(({ method, path }) => method !== 'GET' || !path.startsWith('/v1/'));
    if (judged.end === 'unknown' && !isDoubtful && isInDoubt(told))
      return { end: 'untyped', why: `in doubt, though nothing was doubtful: ${judged.why}` };
    const worse =
      given.fault === 'none' && (judged.end === 'failed' || judged.end === 'done') ? worseThan(judged, waitedMs, spent.writes) : undefined;
    return worse === undefined ? judged : { end: 'worsened', why: worse };
  })();
  return { ...judgement, habits, plan, harmed, triedAgain };
}

const isInDoubt = (told: Told | undefined): boolean => told?.outcome === 'failed' && told.isUnsure;

/** What a run without any fault cost its user more than one request. */
function worseThan({ end, why }: Judgement, waitedMs: number, writes: number): string | undefined {
  if (end === 'failed') return why;
  if (writes > 1) return `${writes} writes were sent`;
  return waitedMs > WAIT_MS ? `it waited ${Math.round(waitedMs)} ms` : undefined;
}

/** The result of `work`, such as what the user is told; nothing if it does not end. */
export async function ended<Result>(
  world: Pick<World, 'time'>,
  longestMs: number,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const { time } = world;
  const hung = Promise.withResolvers<undefined>();
  time.whenStuck = () => hung.resolve(undefined);
  const timer = time.set(() => hung.resolve(undefined), longestMs);
  try {
    return await Promise.race([work(), hung.promise]);
  } finally {
    time.clear(timer);
    time.whenStuck = () => undefined;
  }
}

interface Spent {
  /** On the way to the service and back. */
  ms: number;
  /** How often the request was sent that the operation is about. */
  writes: number;
  /** What somebody else made that may be it, and whether it was sent once more after that. */
  rival?: string | undefined;
  after?: string;
}

/** Whether a fault leaves it open what became of a request: not an answer that it was refused, nor a connection that was never made. */
const hidesItsEffect = (fault: FaultName): boolean => {
  const { isCertain, expired }: FaultKind = faults[fault];
  return isCertain !== true && expired !== true && !/^clock|^token/.test(fault);
};

/** The way to the service, which takes its time. */
const delayed =
  ({ wire, time }: World, ms: number, spent: Spent): Wire =>
  async (request) => {
    spent.ms += 20 + ms;
    await time.sleep(20 + ms);
    return wire(request);
  };

/** Anyone with a refresh token can end its authorization (section 5, step 5). */
const revoke = ({ sandbox, time }: World, { tokens, clientId, clientSecret }: Connection): Promise<void> =>
  time.during(async () => {
    const { refresh_token: token = '' } = (await tokens.read()) ?? {};
    const body = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
    await sandbox.fetch(new Request(`${sandbox.origin}/api/oauth/revoke`, { method: 'POST', body }));
  });
