import { endSubscription, keepSubscription, type Subscribed, type WantedSubscription } from '../../sdk/webhooks/index.ts';
import { Application, toldBy } from './application.ts';
import type { Judgement } from './judge.ts';
import { chance, drawing, seedOf, type Chance } from './random.ts';
import { ended } from './run.ts';
import { VirtualTime } from './time.ts';
import { createWorld, type Wire, type World } from './world.ts';

/** More requests than two lives of a receiver take: it subscribes, checks and ends. */
const REQUESTS = 14;
/** Of the 25 subscriptions that an account may have, others use so many that one too many is left for this receiver. */
const OF_OTHERS = 22;

/** The process that keeps a subscription dies at any of its requests, before or after the service carries it out. Another one goes on. */
async function killed(world: World, luck: Chance, tag: string): Promise<Judgement> {
  const { sandbox, time } = world;
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
  return id === there[0]?.id && isGiven ? { end: 'done', why: '' } : { end: 'undelivered', why: 'its deliveries cannot be verified' };
}

/** Longer than several steps in a row may take, including waits. */
const LONGEST_MS = 3_600_000;

/** A world's tables grow with every run, and a new world costs as much as a few runs. */
const RUNS_A_WORLD = 60;

/** So many runs from a seed on. @returns those that did not end well, each as a line that says how to repeat it */
export async function playKills(runs: number, firstSeed: number): Promise<string[]> {
  const found: string[] = [];
  const time = new VirtualTime();
  for (let first = firstSeed; first < firstSeed + runs; first += RUNS_A_WORLD) {
    const world = await createWorld(time, false);
    for (let seed = first; seed < Math.min(first + RUNS_A_WORLD, firstSeed + runs); seed += 1) {
      const luck = chance(seedOf('kill', seed));
      const play = () => killed(world, luck, `kill-${seed}-${luck.below(1_000_000_000)}`);
      const { end, why } = (await drawing(luck, () => ended(world, LONGEST_MS, play))) ?? { end: 'hung', why: 'no end came' };
      if (end !== 'done') found.push(`${end}: ${why.slice(0, 400)}\n  npm run soak -- --suite kill --runs 1 --seed ${seed}`);
    }
    await world.sandbox.stop();
  }
  return found;
}
