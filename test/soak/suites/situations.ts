import { isFindingEnd, noTally, type Judgement, type Tally } from '../judge.ts';
import type { PlatformName } from '../operations.ts';
import type { Options } from '../options.ts';
import { chance, seedOf } from '../random.ts';
import { ended } from '../run.ts';
import { situationNames, situations, type SituationName } from '../situations/index.ts';
import type { Situation } from '../situations/stage.ts';
import { VirtualTime } from '../time.ts';
import { createWorld, type World } from '../world.ts';

export interface SituationCase {
  situation: SituationName;
  platform: PlatformName;
  seed: number;
}

/** Longer than several steps in a row may take, including waits and holding. */
const LONGEST_MS = 6 * 3_600_000;

/** A world's tables grow with every run, and a new world costs as much as a few runs. */
const RUNS_A_WORLD = 60;

export interface SituationsResult {
  runs: number;
  /** By situation and platform. */
  tallies: Record<string, Tally>;
  found: (SituationCase & Judgement)[];
}

export interface SituationsSelection {
  situations?: readonly SituationName[];
  platforms: readonly PlatformName[];
  /** Runs of each situation on each of its platforms. */
  seeds: number;
  firstSeed: number;
}

/** Plays every chosen situation on each of its platforms. */
export async function playAll({
  situations: chosen = situationNames,
  platforms,
  seeds,
  firstSeed,
}: SituationsSelection): Promise<SituationsResult> {
  const result: SituationsResult = { runs: 0, tallies: {}, found: [] };
  const time = new VirtualTime();
  for (const situation of chosen) {
    const { platforms: its }: Situation = situations[situation];
    for (const platform of its.filter((each) => platforms.includes(each))) {
      const tally = noTally();
      result.tallies[`${situation} ${platform}`] = tally;
      let world: World | undefined;
      for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
        if (world === undefined || (seed - firstSeed) % RUNS_A_WORLD === 0) {
          await world?.sandbox.stop();
          world = await createWorld(time, false, { forms: { slots: 'shared' } });
        }
        const given = { situation, platform, seed };
        const judgement = await playOne(given, world);
        tally[judgement.end] += 1;
        result.runs += 1;
        if (isFindingEnd(judgement.end)) result.found.push({ ...given, ...judgement });
      }
      await world?.sandbox.stop();
    }
  }
  return result;
}

/** One case, in a world that others have used before. */
export async function playOne({ situation, platform, seed }: SituationCase, world: World): Promise<Judgement> {
  const { time } = world;
  const luck = chance(seedOf('situations', situation, platform, seed));
  const { play, longestMs = LONGEST_MS }: Situation = situations[situation];
  const tag = `${situation}-${platform}-${seed}-${luck.below(1_000_000_000)}`;
  time.skewMs = 0;
  const giveBack = time.takeOver(() => luck.next());
  try {
    return (await ended(world, longestMs, () => play({ world, platform, luck, time, tag }))) ?? { end: 'hung', why: 'no end came' };
  } finally {
    giveBack();
    time.skewMs = 0;
  }
}

const SHOWN = 40;
const ENDS = Object.keys(noTally()) as (keyof Tally)[];

export async function situationsSuite({ runs, seed, platforms, situations: chosen }: Options): Promise<boolean> {
  const started = performance.now();
  const { tallies, found, runs: played } = await playAll({ situations: chosen, platforms, seeds: runs, firstSeed: seed });
  for (const { situation, platform, seed: at, end, why } of found.slice(0, SHOWN)) {
    console.log(
      `${end}: ${platform} ${situation}: ${why.slice(0, 400)}\n  npm run soak -- --suite situations --situation ${situation} --platform ${platform} --runs 1 --seed ${at}`,
    );
  }
  for (const [name, tally] of Object.entries(tallies)) {
    console.log(
      `${name.padEnd(28)} ${ENDS.filter((end) => tally[end] > 0)
        .map((end) => `${end} ${tally[end]}`)
        .join(', ')}`,
    );
  }
  const total = noTally();
  for (const tally of Object.values(tallies)) for (const end of ENDS) total[end] += tally[end];
  console.log(
    JSON.stringify({
      suite: 'situations',
      situations: chosen.length,
      seeds: runs,
      firstSeed: seed,
      runs: played,
      ...total,
      tallies,
      seconds: Math.round((performance.now() - started) / 1000),
    }),
  );
  return found.length === 0;
}
