import type { Judgement } from '../judge.ts';
import type { Told } from '../platforms/told.ts';
import { emptyStore } from '../platforms/zapier.ts';
import { AFTERMATH_MS } from '../run.ts';
import type { Wire } from '../wire.ts';
import type { World } from '../world.ts';
import {
  book,
  fated,
  itemsTold,
  judgeItems,
  madeFor,
  surroundings,
  type Fates,
  type ItemTold,
  type Situation,
  type Stage,
  type Wanted,
} from './stage.ts';

const people = ['Ada Lovelace', 'Bob Babbage', 'Cy Noether', 'Di Germain'] as const;

const notDone: Fates = ['reset-before', 'stall', '500', 'html-200-lost', '400'];
const doneOrSlow: Fates = ['drop-after', 'late-commit', 'slow', 'stall-after', '500-after', 'html-200'];
/** None, some or all of it happens, and the sender is told the truth, nothing, or something else. */
const fates: Fates = ['ok', 'ok', ...notDone, ...doneOrSlow];

/** Two or three items with the same email address, type and start: a family, a class, or an assistant who books for several people. */
async function siblings(stage: Stage): Promise<Judgement> {
  const { world, platform, luck, tag, time } = stage;
  const invitee_email = `${tag}@example.com`;
  const start_time = world.freeStart();
  const count = 2 + luck.below(2);
  // Two identical steps in Zapier cannot be distinguished from one step and its replay.
  const mayBeOneName = platform === 'n8n' && luck.happens(0.3);
  const names = Array.from({ length: count }, (_, index) => people[mayBeOneName && luck.happens(0.5) ? 0 : index] ?? people[0]);
  const around = surroundings(stage, world.connect(false, luck), fated(stage, 1 + luck.below(4), fates));
  const wanted = names.map((invitee_name): Wanted => ({ event_type_id: world.eventTypeId, start_time, invitee_name, invitee_email }));
  const [first, ...others] = wanted;
  if (first === undefined) throw new Error('Nothing is wanted.');
  let told: ItemTold[];
  let isWhole = true;
  if (platform === 'n8n') {
    isWhole = luck.happens(0.7);
    told = itemsTold(await book(stage, around, [first, ...others], { continueOnFail: isWhole }), count);
  } else {
    const steps = wanted.map(async (each, index): Promise<Told> => {
      await time.sleep(1 + index * luck.pick([0, 0, 300, 8000, 40_000]));
      return book(stage, around, [each]);
    });
    told = (await Promise.all(steps)).flatMap((each) => itemsTold(each, 1));
  }
  await time.sleep(AFTERMATH_MS);
  return judgeItems(names, told, madeFor(world, invitee_email), isWhole);
}

const TRIES = 3;
const TRY_AGAIN_MS = 1000;

/** Retry On Fail runs the whole node again, and an expression such as `{{ $now }}` gives another value each time. */
async function changingTries(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const names = people.slice(0, 1 + luck.below(3));
  const isOneAddress = luck.happens(0.4);
  const isStartChanging = luck.happens(0.4);
  const start = Date.parse(world.freeStart());
  const around = surroundings(stage, world.connect(false, luck), fated(stage, 1 + luck.below(5), fates));
  const emails = names.map((_, index) => (isOneAddress ? `${tag}@example.com` : `${index}-${tag}@example.com`));
  let told: Told | undefined;
  for (let attempt = 0; attempt < TRIES && told?.outcome !== 'done'; attempt += 1) {
    if (attempt > 0) await time.sleep(TRY_AGAIN_MS);
    const [first, ...others] = names.map(
      (invitee_name, index): Wanted => ({
        event_type_id: world.eventTypeId,
        start_time: new Date(start + (isStartChanging ? attempt * 60_000 : 0)).toISOString(),
        invitee_name,
        invitee_email: emails[index] ?? '',
        notes: `Asked for at ${time.now()}`,
      }),
    );
    if (first !== undefined) told = await book(stage, around, [first, ...others], { retryOnFail: true });
  }
  await time.sleep(AFTERMATH_MS);
  const made = [...new Set(emails)].flatMap((each) => madeFor(world, each));
  return judgeItems(names, told === undefined ? [] : itemsTold(told, names.length), made, false);
}

/** A loop reaches the node again with the same values, and each time is intended. */
async function loop(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const around = surroundings(stage, world.connect(false, luck), fated(stage, luck.below(4), fates));
  const [invitee_name] = people;
  const wanted: Wanted = {
    event_type_id: world.eventTypeId,
    start_time: world.freeStart(),
    invitee_name,
    invitee_email: `${tag}@example.com`,
  };
  const told: ItemTold[] = [];
  for (const runIndex of [0, 1])
    told.push(...itemsTold(await book(stage, around, [wanted], { retryOnFail: true, continueOnFail: true, runIndex }), 1));
  await time.sleep(AFTERMATH_MS);
  return judgeItems([invitee_name, invitee_name], told, madeFor(world, wanted.invitee_email), true);
}

/** An undisturbed step takes a second or two. If it takes longer than this, it feels another user's trouble. */
const UNDISTURBED_MS = 10_000;

/** The way to a second account, in which everything has the same ids as in the first: the service numbers each account from one. */
function alike({ wire, eventTypeId, sandbox }: World, account: string): Wire {
  const own = sandbox.eventTypes().find((each) => each.account_id === account && each.name === 'Intro Call')?.id ?? '';
  return async (request, signal) => {
    const body = request.body?.replaceAll(eventTypeId, own);
    const answer = await wire({ ...request, url: request.url.replaceAll(eventTypeId, own), body }, signal);
    return { ...answer, body: Buffer.from(answer.body.toString('utf8').replaceAll(own, eventTypeId)) };
  };
}

const refusals: Fates = ['500', '429-hour', '429-seconds', 'html-200-lost'];
const silences: Fates = ['late-commit', 'late-commit', 'late-commit', 'reset-before', 'drop-after', 'stall', 'stall-after'];
const troubles: Fates = ['ok', ...refusals, ...silences];

/** Two users of one process, or of one store, book something with the same key. The first user's request meets a fault. */
async function twoUsers(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const { sandbox } = world;
  const wanted: Wanted = {
    event_type_id: world.eventTypeId,
    start_time: world.freeStart(),
    invitee_name: people[0],
    invitee_email: `${tag}@example.com`,
  };
  const { id: account } = sandbox.addAccount();
  const store = emptyStore();
  const troubled = surroundings(stage, world.connect(luck.happens(0.2), luck), fated(stage, 2, troubles), store);
  const theirs = { ...stage, world: { ...world, wire: alike(world, account) } };
  const undisturbed = surroundings(stage, world.connect(false, luck, account), fated(theirs, 0, troubles), store);
  const mine = book(stage, troubled, [wanted]);
  // A step of Zapier that could not see the result is held after 28 seconds.
  await time.sleep(luck.happens(0.3) ? 1 + luck.below(2000) : 20_000 + luck.below(40_000));
  const begun = time.now();
  const toldTheirs = await book(stage, undisturbed, [wanted], { executionId: `${tag} of the second` });
  const tookMs = time.now() - begun;
  const toldMine = await mine;
  await time.sleep(AFTERMATH_MS);

  const second = judgeItems([people[0]], itemsTold(toldTheirs, 1), madeFor(world, wanted.invitee_email, account), true);
  if (tookMs > UNDISTURBED_MS) return { end: 'crossed', why: `the second user waited ${tookMs} ms: ${second.why}` };
  if (second.end !== 'done') return { end: 'crossed', why: `the second user, whom nothing happened to: ${second.end}, ${second.why}` };
  return judgeItems([people[0]], itemsTold(toldMine, 1), madeFor(world, wanted.invitee_email), true);
}

export const bookingSituations = {
  siblings: { platforms: ['n8n', 'zapier'], play: siblings },
  'changing-tries': { platforms: ['n8n'], play: changingTries },
  loop: { platforms: ['n8n'], play: loop },
  'two-users': { platforms: ['n8n', 'zapier'], play: twoUsers },
} satisfies Record<string, Situation>;
