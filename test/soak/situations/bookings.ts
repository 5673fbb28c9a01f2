import type { Judgement } from '../judge.ts';
import { runNode } from '../platforms/n8n.ts';
import type { Told } from '../platforms/told.ts';
import { method, runStep } from '../platforms/zapier.ts';
import { AFTERMATH_MS } from '../run.ts';
import {
  bookingInput,
  bookingItem,
  both,
  delayed,
  fated,
  isBooking,
  itemsTold,
  judgeItems,
  madeFor,
  surroundings,
  type Fate,
  type ItemTold,
  type Situation,
  type Stage,
} from './stage.ts';

const people = ['Ada Lovelace', 'Bob Babbage', 'Cy Noether', 'Di Germain'] as const;

/** None, some or all of it happens, and the sender is told the truth, nothing, or something else. */
const fates: readonly [Fate, ...Fate[]] = [
  'ok',
  'ok',
  'reset-before',
  'drop-after',
  'late-commit',
  'slow',
  'stall',
  'stall-after',
  '500',
  '500-after',
  'html-200',
  'html-200-lost',
  '400',
];

export const createPerform = method('creates.create_booking.operation.perform');

const SECOND_MS = 1000;

/** Two or three items with the same email address, type and start: a family, a class, or an assistant who books for several people. */
async function siblings(stage: Stage): Promise<Judgement> {
  const { world, platform, luck, tag, time } = stage;
  const email = `${tag}@example.com`;
  const start = world.freeStart();
  const count = 2 + luck.below(2);
  // Two identical steps in Zapier cannot be distinguished from one step and its replay.
  const mayBeOneName = platform === 'n8n' && luck.happens(0.3);
  const names = Array.from({ length: count }, (_, index) => people[mayBeOneName && luck.happens(0.5) ? 0 : index] ?? people[0]);
  const wire = fated(
    delayed(stage, world.wire),
    stage,
    isBooking,
    Array.from({ length: 1 + luck.below(4) }, () => luck.pick(fates)),
  );
  const around = surroundings(stage, world.connect(false, luck), wire);
  const wanted = names.map((name) => ({ eventTypeId: world.eventTypeId, start, name, email }));
  let told: ItemTold[];
  let isWhole = true;
  if (platform === 'n8n') {
    isWhole = luck.happens(0.7);
    told = itemsTold(await runNode(around, wanted.map(bookingItem), { continueOnFail: isWhole, executionId: tag }), count);
  } else {
    const steps = wanted.map(async (each, index): Promise<Told> => {
      await time.sleep(1 + index * luck.pick([0, 0, 300, 8000, 40_000]));
      return runStep(around, createPerform, { inputData: bookingInput(each) });
    });
    told = (await Promise.all(steps)).flatMap((each) => itemsTold(each, 1));
  }
  await time.sleep(AFTERMATH_MS);
  return judgeItems(names, told, madeFor(world.sandbox, email), isWhole);
}

const TRIES = 3;

/** Retry On Fail runs the whole node again, and an expression such as `{{ $now }}` gives another value each time. */
async function changingTries(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const count = 1 + luck.below(3);
  const names = people.slice(0, count);
  const isOneAddress = luck.happens(0.4);
  const isStartChanging = luck.happens(0.4);
  const start = Date.parse(world.freeStart());
  const wire = fated(
    delayed(stage, world.wire),
    stage,
    isBooking,
    Array.from({ length: 1 + luck.below(5) }, () => luck.pick(fates)),
  );
  const around = surroundings(stage, world.connect(false, luck), wire);
  const email = (index: number): string => (isOneAddress ? `${tag}@example.com` : `${index}-${tag}@example.com`);
  let told: Told | undefined;
  for (let attempt = 0; attempt < TRIES && told?.outcome !== 'done'; attempt += 1) {
    if (attempt > 0) await time.sleep(SECOND_MS);
    const at = new Date(start + (isStartChanging ? attempt * 60_000 : 0)).toISOString();
    const items = names.map((name, index) =>
      bookingItem({ eventTypeId: world.eventTypeId, start: at, name, email: email(index), notes: `Asked for at ${time.now()}` }),
    );
    told = await runNode(around, items, { retryOnFail: true, executionId: tag });
  }
  await time.sleep(AFTERMATH_MS);
  const made = [...new Set(names.map((_, index) => email(index)))].flatMap((each) => madeFor(world.sandbox, each));
  return judgeItems(names, itemsTold(told ?? { outcome: 'failed', words: '', isUnsure: false }, count), made, false);
}

/** A loop reaches the node again with the same values, and each time is intended. */
async function loop(stage: Stage): Promise<Judgement> {
  const { world, luck, tag, time } = stage;
  const email = `${tag}@example.com`;
  const start = world.freeStart();
  const wire = fated(
    delayed(stage, world.wire),
    stage,
    isBooking,
    Array.from({ length: luck.below(4) }, () => luck.pick(fates)),
  );
  const around = surroundings(stage, world.connect(false, luck), wire);
  const names = [people[0], people[0]];
  const told: ItemTold[] = [];
  for (const [runIndex, name] of names.entries()) {
    const item = bookingItem({ eventTypeId: world.eventTypeId, start, name, email });
    told.push(...itemsTold(await runNode(around, [item], { retryOnFail: true, continueOnFail: true, executionId: tag, runIndex }), 1));
  }
  await time.sleep(AFTERMATH_MS);
  return judgeItems(names, told, madeFor(world.sandbox, email), true);
}

export const bookingSituations = {
  siblings: {
    says: 'two or three bookings with one e-mail, type and start; requests and answers get lost',
    platforms: both,
    play: siblings,
  },
  'changing-tries': { says: 'Retry On Fail, with other values at each try', platforms: ['n8n'], play: changingTries },
  loop: { says: 'a loop books the same again, on purpose', platforms: ['n8n'], play: loop },
} satisfies Record<string, Situation>;
