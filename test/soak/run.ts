import { faults, faultyWire, planOf, type FaultName, type Harm, type Plan } from './faults/index.ts';
import type { FaultKind } from './faults/struck.ts';
import type { Judgement } from './judge.ts';
import { around, operations, type OperationName, type OperationUnderTest, type PlatformName } from './operations.ts';
import type { Told } from './platforms/told.ts';
import { StepEnded } from './platforms/zapier.ts';
import { chance, seedOf } from './random.ts';
import type { Wire } from './wire.ts';
import type { World } from './world.ts';

/** Identifies a run. The same case gives the same run, alone or among others. */
export interface Case {
  fault: FaultName;
  operation: OperationName;
  platform: PlatformName;
  seed: number;
}

export interface Outcome extends Judgement {
  plan: Plan;
  harmed: Harm[];
  /** Whether an answer was lost so that the result was open. */
  isAmbiguous: boolean;
  /** "It may exist", although every look at the service that the policy allows was answered. */
  isAvoidable: boolean;
}

/**
 * Longer than any operation may take, including waits: n8n's longest retries, Zapier holding a step for an hour three times, and an agent's
 * three calls.
 */
export const LONGEST_MS = { n8n: 15 * 60_000, zapier: 4 * 3_600_000, mcp: 10 * 60_000, package: 10 * 60_000 };

/** n8n publishes a workflow up to five times. */
const PUBLISHING_TRIES = 5;

/** What is still on its way when the user has been told arrives within this time (G29). */
export const AFTERMATH_MS = 31_000;

/** Runs one case in a world that other cases have used before. */
export async function carryOut(given: Case, world: World): Promise<Outcome> {
  const { time, sandbox } = world;
  const luck = chance(seedOf(given.fault, given.operation, given.platform, given.seed));
  const kind: FaultKind = faults[given.fault];
  const operation: OperationUnderTest = operations[given.operation];
  const plan = planOf(given.fault, luck);
  const connection = world.connect(kind.expired === true, luck);
  const harmed: Harm[] = [];
  const leftBefore = world.elsewhere.requests.length;

  const circumstances = {
    time,
    chance: luck,
    revoke: () => revoke(world, connection.refreshToken),
    shrink: () => {
      const victim = sandbox.bookings().find(({ status, id }) => status === 'CONFIRMED' && luck.happens(0.2) && id !== '');
      if (victim !== undefined) sandbox.host.cancel(victim.id);
    },
  };
  const tag = `${given.operation}-${given.platform}-${given.seed}-${luck.below(1_000_000_000)}`;
  const slow = delayed(world, luck.below(150));
  const place = {
    ...around(world, connection, faultyWire(slow, plan, operation.isMain, circumstances, harmed)),
    isOldHost: luck.happens(0.3),
  };
  const attempt = operation.prepare(world, place, tag);

  time.skewMs = 0;
  const giveBack = time.takeOver(() => luck.next());
  let told: Told | undefined;
  try {
    told = await ended(world, LONGEST_MS[given.platform] * (operation.isHurried === true ? PUBLISHING_TRIES : 1), () =>
      attempt[given.platform](),
    );
    await time.sleep(AFTERMATH_MS);
  } finally {
    giveBack();
    time.skewMs = 0;
  }
  const isCut = given.platform === 'zapier' && !connection.refreshToken;
  const judgement: Judgement =
    told === undefined
      ? { end: 'hung', why: 'nobody was told anything' }
      : isCut
        ? { end: 'lost', why: 'the refresh token was dropped' }
        : attempt.judge(told);
  const isLeaked = world.elsewhere.requests.length > leftBefore;
  const vain =
    kind.isReconnectVain === true && told?.outcome === 'failed' && /reconnect/i.test(told.words)
      ? `asks to reconnect, which mends nothing: ${told.words}`
      : undefined;
  return {
    ...(isLeaked ? { end: 'leaked', why: 'another origin was asked' } : vain !== undefined ? { end: 'untyped', why: vain } : judgement),
    plan,
    harmed,
    isAmbiguous: kind.isAmbiguous === true && harmed.some(({ method }) => method === 'POST'),
    isAvoidable:
      judgement.end === 'unknown' &&
      operation.isHurried !== true &&
      kind.isMisleading !== true &&
      !harmed.some(({ method }) => method === 'GET'),
  };
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
  } catch (error) {
    if (error instanceof StepEnded) return undefined;
    throw error;
  } finally {
    time.clear(timer);
    time.whenStuck = () => undefined;
  }
}

const delayed =
  ({ wire, time }: World, ms: number): Wire =>
  async (request, signal) => {
    await time.sleep(20 + ms);
    return wire(request, signal);
  };

/** Anyone with a refresh token can end its authorization (section 5, step 5). */
function revoke({ sandbox }: World, token: string): void {
  const { id, secret } = sandbox.client;
  void sandbox.fetch(
    new Request(`${sandbox.origin}/api/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, client_id: id, client_secret: secret }).toString(),
    }),
  );
}
