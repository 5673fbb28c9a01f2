import { createBooking } from '../../shared/operations/index.ts';
import { endSubscription, keepSubscription, type Subscribed, type WantedSubscription } from '../../sdk/webhooks/index.ts';
import { Application, toldBy } from './application.ts';
import { faults, stall, type FaultKind, type FaultName } from './faults/index.ts';
import { isFindingEnd, judge, noTally, type Judgement, type Tally } from './judge.ts';
import { chance, drawing, seedOf, type Chance } from './random.ts';
import { AFTERMATH_MS, ended } from './run.ts';
import { VirtualTime } from './time.ts';
import { createWorld, pathOf, type Wire, type World } from './world.ts';

/** What one run of a situation can use. */
interface Stage {
  world: World;
  luck: Chance;
  time: VirtualTime;
  /** A word that no other run has. */
  tag: string;
}

const fine: Judgement = { end: 'done', why: '' };

/** What happens to a request: `ok`, a kind of fault, or a slow answer. */
type Fate = FaultName | 'ok' | 'slow';

const SLOW_MS = 5000;
const notDone: readonly Fate[] = ['reset-before', 'stall', '500', 'html-200-lost', '400'];
const doneOrSlow: readonly Fate[] = ['drop-after', 'late-commit', 'slow', 'stall-after', '500-after', 'html-200'];

/** A wire, some milliseconds long, on which each of the first bookings meets a fate: none, some or all of it happens, and nobody says so. */
function fated({ world, time, luck }: Stage, count: number): Wire {
  const drawn = Array.from({ length: count }, () => luck.pick<Fate>(['ok', 'ok', ...notDone, ...doneOrSlow]));
  return async (request) => {
    const path = pathOf(request);
    const fate = request.method === 'POST' && path === '/v1/bookings' ? (drawn.shift() ?? 'ok') : 'ok';
    const serve = async () => {
      await time.sleep(20 + luck.below(150));
      return world.wire(request);
    };
    if (fate === 'ok') return serve();
    if (fate === 'slow') return time.sleep(SLOW_MS).then(serve);
    const { strike }: FaultKind = faults[fate];
    const nothing = { revoke: async () => undefined, shrink: () => undefined, memory: new Map<string, string>() };
    const latestMs = AFTERMATH_MS - 2000;
    return strike({ ...nothing, request, path, time, chance: luck, serve, stall, latestMs });
  };
}

const people = ['Ada Lovelace', 'Bob Babbage', 'Cy Noether'] as const;

/** Two or three people with one email address, type and start: a family, a class, or an assistant who books for several people. */
async function siblings(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const [invitee_email, start_time] = [`${tag}@example.com`, world.freeStart()];
  const application = new Application({ wire: fated(stage, 1 + luck.below(4)), time, connection: world.connect(false, luck) });
  const names = people.slice(0, 2 + luck.below(2));
  const told = await Promise.all(
    names.map(async (invitee_name, index) => {
      await time.sleep(1 + index * luck.pick([0, 0, 300, 8000, 40_000]));
      return application.run(createBooking, { event_type_id: world.eventTypeId, start_time, invitee_name, invitee_email });
    }),
  );
  await time.sleep(AFTERMATH_MS);
  const judgements = told.map((each, index) => {
    const made = world.sandbox
      .bookings()
      .filter((booking) => booking.invitee_email === invitee_email && booking.invitee_name === names[index]);
    const isRight = (value: unknown): boolean => (value as { id?: string }).id === made[0]?.id;
    return judge(each, { times: made.length, isRight, key: [invitee_email, start_time] });
  });
  return judgements.find(({ end }) => isFindingEnd(end)) ?? judgements.find(({ end }) => end !== 'done') ?? fine;
}

/** More requests than two lives of a receiver take: it subscribes, checks and ends. */
const REQUESTS = 14;
/** Of the 25 subscriptions that an account may have, others use so many that one too many is left for this receiver. */
const OF_OTHERS = 22;

/** The process that keeps a subscription dies at any of its requests, before or after the service carries it out. Another one goes on. */
async function killed({ world, luck, tag, time }: Stage): Promise<Judgement> {
  const { sandbox } = world;
  for (let index = 0; index < OF_OTHERS; index += 1)
    sandbox.host.addSecretlessSubscription({ url: `http://localhost:4040/${tag}/${index}`, events: ['BOOKING_DENIED'] });
  const connection = world.connect(false, luck);
  const answers: string[] = [];
  const serve: Wire = async (request) => {
    const answer = await world.wire(request);
    answers.push(await answer.clone().text());
    return answer;
  };
  let kept: Subscribed | undefined;
  const wanted: WantedSubscription = {
    url: `http://localhost:5678/${tag}`,
    store: {
      read: () => structuredClone(kept),
      write: (value) => void (kept = structuredClone(value)),
      delete: () => void (kept = undefined),
      withLock: (work) => work(),
    },
  };

  const death = Promise.withResolvers<void>();
  let left = luck.below(REQUESTS);
  const isCarriedOut = luck.happens(0.5);
  const dying: Wire = async (request) => {
    left -= 1;
    if (left >= 0) return serve(request);
    if (left === -1 && isCarriedOut) await serve(request);
    death.resolve();
    return new Promise<never>(() => undefined);
  };
  // Nor does a timeout wake a dead process.
  const itsTime = {
    set: (fire: () => void, ms: number) => time.set(() => void (left >= 0 && fire()), ms),
    sleep: (ms: number, signal?: AbortSignal) => time.sleep(ms, signal),
    date: () => time.date(),
  };
  const life = async (): Promise<void> => {
    const { client } = new Application({ wire: dying, time: itsTime, connection });
    while (left >= 0) {
      for (let checks = 0; checks < 2; checks += 1) await keepSubscription(client, wanted);
      await endSubscription(client, wanted.store);
    }
  };
  await Promise.race([life(), death.promise]);
  await time.sleep(1 + luck.below(10_000));

  const { client } = new Application({ wire: serve, time, connection });
  const told = await toldBy(() => keepSubscription(client, wanted));
  const there = sandbox.subscriptions().filter(({ url }) => url === wanted.url);
  for (const each of sandbox.subscriptions()) if (each.url.includes(tag)) sandbox.host.deleteSubscription(each.id);
  if (told.outcome === 'failed') return { end: 'lost', why: `it could not be subscribed again: ${told.words}` };
  if (there.length !== 1) return { end: 'duplicated', why: `it has ${there.length} subscriptions` };
  const { id, signing_secret: secret } = kept ?? {};
  const isGiven = answers.some((body) => body.includes(`"${there[0]?.id}"`) && body.includes(`"signing_secret":"${secret}"`));
  return id === there[0]?.id && isGiven ? fine : { end: 'undelivered', why: 'its deliveries cannot be verified' };
}

/** Calls that can interfere with each other, and what may happen at any moment. */
const situations = { siblings, killed } satisfies Record<string, (stage: Stage) => Promise<Judgement>>;

export type SituationName = keyof typeof situations;
export const situationNames = Object.keys(situations) as SituationName[];

interface Case {
  situation: SituationName;
  seed: number;
}

/** Longer than several steps in a row may take, including waits. */
const LONGEST_MS = 3_600_000;

/** A world's tables grow with every run, and a new world costs as much as a few runs. */
const RUNS_A_WORLD = 60;

interface Played {
  runs: number;
  tallies: Record<string, Tally>;
  found: (Case & Judgement)[];
}

/**
 * Plays every chosen situation.
 *
 * @param seeds runs of each
 */
export async function playAll(chosen: readonly SituationName[], seeds: number, firstSeed: number): Promise<Played> {
  const result: Played = { runs: 0, tallies: {}, found: [] };
  const time = new VirtualTime();
  for (const situation of chosen) {
    const tally = (result.tallies[situation] = noTally());
    for (let first = firstSeed; first < firstSeed + seeds; first += RUNS_A_WORLD) {
      const world = await createWorld(time, false);
      for (let seed = first; seed < Math.min(first + RUNS_A_WORLD, firstSeed + seeds); seed += 1) {
        const judgement = await playOne({ situation, seed }, world);
        tally[judgement.end] += 1;
        result.runs += 1;
        if (isFindingEnd(judgement.end)) result.found.push({ situation, seed, ...judgement });
      }
      await world.sandbox.stop();
    }
  }
  return result;
}

/** One case, in a world that others have used before. */
async function playOne({ situation, seed }: Case, world: World): Promise<Judgement> {
  const { time } = world;
  const luck = chance(seedOf('situations', situation, seed));
  const tag = `${situation}-${seed}-${luck.below(1_000_000_000)}`;
  const play = (): Promise<Judgement> => situations[situation]({ world, luck, time, tag });
  return (await drawing(luck, () => ended(world, LONGEST_MS, play))) ?? { end: 'hung', why: 'no end came' };
}

/** One finding, and how to reproduce it alone. */
export const lineOfSituation = ({ situation, seed, end, why }: Case & Judgement): string =>
  `${end}: ${situation}: ${why.slice(0, 400)}\n  npm run soak -- --suite situations --situation ${situation} --runs 1 --seed ${seed}`;
