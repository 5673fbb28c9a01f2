import { VirtualTime } from '../../bench/virtualTime.ts';
import { idempotencyKey, latestCommit } from '../../shared/assumptions.ts';
import type { Forms } from '../../sandbox/service.ts';
import type { Told, Wire } from './application.ts';
import { faultNames, faults, faultyWire, planOf, type FaultKind, type FaultName } from './faults.ts';
import {
  isFinding,
  noEnds,
  operationNames,
  operations,
  type Judgement,
  type OperationName,
  type OperationUnderTest,
} from './operations.ts';
import { chance, drawing, seedOf } from './random.ts';
import { createWorld, drawHabits, routeOf, type World } from './world.ts';

/** Identifies a run. The same case gives the same run, alone or among others. */
interface Case {
  fault: FaultName;
  operation: OperationName;
  seed: number;
}

/** Longer than any operation may take, including waits. */
const LONGEST_MS = 10 * 60_000;

/** What is still on its way when the user has been told arrives within this time (G29). */
const AFTERMATH_MS = latestCommit.seconds * 1000 + 1000;

/** Whoever was told "may or may not" tries again after one of these times: a retry, a person, a replay. */
const AGAIN_AFTER_MS = [1000, 5000, 61_000, 3_600_000] as const;
const MOST_TRIES = 3;

/** Longer ago than any list is wrong; and longer ago than all time zones can explain. */
const [LISTED_MS, OLD_MS] = [30 * 60_000, 30 * 3_600_000];

/** More than the requests themselves take: a wait. */
const WAIT_MS = 500;

/** The longest wait after a lost answer if the service heeds idempotency keys: until the one repeat. */
const REPEAT_MS = 1000;

/** How far lists are behind: what a late request makes must be listed within the time of G29 as well. */
const behindMs = ({ listLag = 'none' }: Partial<Forms>): number => ({ none: 0, '1s': 1_000, '45s': 45_000, replicas: 45_000 })[listLag];

/** Runs one case in a world that other cases have used before. */
async function runCase(given: Case, world: World) {
  const { time, habits } = world;
  const luck = chance(seedOf(given.fault, given.operation, given.seed));
  const kind: FaultKind = faults[given.fault];
  const operation: OperationUnderTest = operations[given.operation];
  const plan = planOf(kind, luck);
  const harmed: Request[] = [];
  const leftBefore = world.elsewhere.length;
  const tag = `${given.operation}-${given.seed}-${luck.below(1_000_000_000)}`;

  /** How long requests were on their way, and how often the one was sent that the operation is about. */
  const spent = { ms: 0, writes: 0 };
  /** How long the operation has waited in one run, and at most. `isFree`: it may, for the rate limit, or because a read failed. */
  const slept = { ms: 0, longestMs: 0, isFree: false };
  /** Nothing goes wrong any more. */
  let isCalm = false;
  const wayMs = 20 + luck.below(150);
  const delayed: Wire = async (request) => {
    spent.ms += wayMs;
    await time.sleep(wayMs);
    return world.wire(request);
  };
  const faulty = faultyWire(
    delayed,
    kind,
    plan,
    operation.main,
    {
      time,
      chance: luck,
      latestMs: AFTERMATH_MS - 2000 - behindMs(habits),
    },
    harmed,
  );
  const wire: Wire = async (request) => {
    if (request.method !== 'GET' && routeOf(request) === operation.main) spent.writes += 1;
    if (isCalm) return delayed(request);
    const struckBefore = harmed.length;
    const sent = faulty(request);
    void sent.then(({ status }) => (slept.isFree ||= status === 429)).catch(() => undefined);
    slept.isFree ||= harmed.length > struckBefore && request.method === 'GET';
    if (harmed.length > struckBefore && routeOf(request) === operation.main) attempt.meanwhile?.();
    return sent;
  };
  const attempt = operation.prepare(
    world,
    { wire, time, sandbox: world.sandbox, waits: (milliseconds) => (slept.ms += milliseconds) },
    tag,
  );
  // What was there before is old, and listed everywhere.
  await time.sleep(attempt.isOld === true ? OLD_MS : LISTED_MS);

  time.skewMs = 0;
  const begun = time.now();
  const run = async () => {
    slept.ms = 0;
    const end = await Promise.race([attempt.run(), time.sleep(LONGEST_MS).then(() => undefined)]);
    // What never left this machine is tried again as ever.
    if (!slept.isFree && kind.isCertain !== true) slept.longestMs = Math.max(slept.longestMs, slept.ms);
    return end;
  };
  let told = undefined as Told | undefined;
  let waitedMs = 0;
  let triedAgain = 0;
  let isUnsent = false;
  await drawing(luck, async () => {
    told = await run();
    waitedMs = time.now() - begun - spent.ms;
    for (; isInDoubt(told) && triedAgain < MOST_TRIES && luck.happens(0.7); triedAgain += 1) {
      await time.sleep(luck.pick(AGAIN_AFTER_MS));
      told = await run();
    }
    await time.sleep(AFTERMATH_MS);
    if (!isInDoubt(told) || kind.always === true) return;
    // Whoever tries once more, a minute later and undisturbed, gets what was lost.
    isCalm = true;
    told = await run();
    isUnsent = isInDoubt(told);
  }).finally(() => (time.skewMs = 0));

  const judged = ((): Judgement => {
    if (world.elsewhere.length > leftBefore) return { end: 'leaked', why: 'another origin was asked' };
    if (told === undefined) return { end: 'hung', why: 'nobody was told anything' };
    const judgement = attempt.judge(told);
    const isSettled = judgement.isThere === true && !idempotencyKey.isHeeded;
    if (isUnsent && judgement.end === 'unknown' && !isSettled) return { end: 'unsent', why: judgement.why };
    const isDoubtful = kind.isCertain !== true && harmed.map(routeOf).some((route) => !route.startsWith('GET /v1/'));
    if (judgement.end === 'unknown' && !isDoubtful && isInDoubt(told))
      return { end: 'untyped', why: `in doubt, though nothing was doubtful: ${judgement.why}` };
    if (idempotencyKey.isHeeded && !isFinding(judgement.end) && slept.longestMs > REPEAT_MS)
      return { end: 'worsened', why: `it waited ${slept.longestMs} ms, although the service heeds keys` };
    if (given.fault !== 'none' || (judgement.end !== 'failed' && judgement.end !== 'done')) return judgement;
    if (judgement.end === 'failed') return { end: 'worsened', why: judgement.why };
    if (spent.writes > 1) return { end: 'worsened', why: `${spent.writes} writes were sent` };
    return waitedMs > WAIT_MS ? { end: 'worsened', why: `it waited ${Math.round(waitedMs)} ms` } : judgement;
  })();
  return { ...judged, habits, harmed: harmed.length, triedAgain, waitedMs: slept.longestMs };
}

const isInDoubt = (told: Told | undefined): boolean => told?.outcome === 'failed' && told.isUnsure;

interface Selection {
  faults?: readonly FaultName[];
  operations?: readonly OperationName[];
  /** Runs of each fault and operation. */
  seeds: number;
  firstSeed: number;
  /** Whether the service heeds idempotency keys, and they are sent. */
  keys?: boolean | undefined;
}

/**
 * Runs every chosen fault against every chosen operation, with habits of the service that the seed decides.
 *
 * @returns how often what came, and a line for each finding
 */
export async function runMatrix({ seeds, firstSeed, keys = false, ...chosen }: Selection) {
  idempotencyKey.isHeeded = keys;
  const time = new VirtualTime(1);
  // In how many runs the fault affected a request, and somebody who was told "may or may not" tried again.
  const summary = { runs: 0, befallen: 0, triedAgain: 0, longestWaitMs: 0, ...noEnds() };
  const findings: string[] = [];
  for (const operation of chosen.operations ?? operationNames) {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const drawn = drawHabits(chance(seedOf('habits', operation, seed)));
      const world = await createWorld(time, { ...drawn, ...(keys && { idempotencyKey: 'heeded' }) });
      for (const fault of chosen.faults ?? faultNames) {
        const given = { fault, operation, seed };
        const outcome = await time.during(runCase(given, world));
        summary.runs += 1;
        summary[outcome.end] += 1;
        if (outcome.harmed > 0) summary.befallen += 1;
        if (outcome.triedAgain > 0) summary.triedAgain += 1;
        summary.longestWaitMs = Math.max(summary.longestWaitMs, outcome.waitedMs);
        if (isFinding(outcome.end)) findings.push(lineOf(given, outcome));
      }
      await world.sandbox.stop();
    }
  }
  return { summary, findings };
}

/** One finding, and how to reproduce it alone. */
const lineOf = ({ fault, operation, seed }: Case, { end, why, habits }: Awaited<ReturnType<typeof runCase>>): string =>
  `${end}: ${operation} under ${fault}, habits ${JSON.stringify(habits)}: ${why.slice(0, 400)}\n  npm run soak -- --fault ${fault} --operation ${operation} --runs 1 --seed ${seed}${idempotencyKey.isHeeded ? ' --keys' : ''}`;
