import { isFindingEnd, noTally, type Judgement, type Tally } from '../judge.ts';
import type { PlatformName } from '../operations.ts';
import { chance, seedOf } from '../random.ts';
import { ended } from '../run.ts';
import { VirtualTime } from '../time.ts';
import { createWorld, type World } from '../world.ts';
import { bookingSituations } from './bookings.ts';
import { moments } from './moments.ts';
import type { Situation } from './stage.ts';

/** Everything that can interfere with each other, as data. */
const situations = { ...bookingSituations, ...moments };

export type SituationName = keyof typeof situations;

export const situationNames = Object.keys(situations) as SituationName[];

interface Case {
  situation: SituationName;
  platform: PlatformName;
  seed: number;
}

/** Longer than several steps in a row may take, including waits and holding. */
const LONGEST_MS = 6 * 3_600_000;

/** A world's tables grow with every run, and a new world costs as much as a few runs. */
const RUNS_A_WORLD = 60;

interface Played {
  runs: number;
  /** By situation and platform. */
  tallies: Record<string, Tally>;
  found: (Case & Judgement)[];
}

interface Selection {
  situations: readonly SituationName[];
  platforms: readonly PlatformName[];
  /** Runs of each situation on each of its platforms. */
  seeds: number;
  firstSeed: number;
}

/** Plays every chosen situation on each of its platforms. */
export async function playAll({ situations: chosen, platforms, seeds, firstSeed }: Selection): Promise<Played> {
  const result: Played = { runs: 0, tallies: {}, found: [] };
  const time = new VirtualTime();
  for (const situation of chosen) {
    const { platforms: its }: Situation = situations[situation];
    for (const platform of its.filter((each) => platforms.includes(each))) {
      const tally = (result.tallies[`${situation} ${platform}`] = noTally());
      for (let first = firstSeed; first < firstSeed + seeds; first += RUNS_A_WORLD) {
        const world = await createWorld(time, false);
        for (let seed = first; seed < Math.min(first + RUNS_A_WORLD, firstSeed + seeds); seed += 1) {
          const given = { situation, platform, seed };
          const judgement = await playOne(given, world);
          tally[judgement.end] += 1;
          result.runs += 1;
          if (isFindingEnd(judgement.end)) result.found.push({ ...given, ...judgement });
        }
        await world.sandbox.stop();
      }
    }
  }
  return result;
}

/** One case, in a world that others have used before. */
async function playOne({ situation, platform, seed }: Case, world: World): Promise<Judgement> {
  const { time } = world;
  const luck = chance(seedOf('situations', situation, platform, seed));
  const { play }: Situation = situations[situation];
  const tag = `${situation}-${platform}-${seed}-${luck.below(1_000_000_000)}`;
  const giveBack = time.takeOver(() => luck.next());
  try {
    return (await ended(world, LONGEST_MS, () => play({ world, platform, luck, time, tag }))) ?? { end: 'hung', why: 'no end came' };
  } finally {
    giveBack();
  }
}

/** One finding, and how to reproduce it alone. */
export const lineOfSituation = ({ situation, platform, seed, end, why }: Case & Judgement): string =>
  `${end}: ${platform} ${situation}: ${why.slice(0, 400)}\n  npm run soak -- --suite situations --situation ${situation} --platform ${platform} --runs 1 --seed ${seed}`;
