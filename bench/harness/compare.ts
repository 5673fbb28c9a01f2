import { seeded } from '../../tools/rigs/simulation/random.ts';
import { mean, median, quantile, shuffled } from './statistics.ts';

/** One way of doing something, to be compared with others. */
export interface Candidate {
  name: string;
  run: () => unknown;
}

/** What each candidate cost, round by round, by its name: in nanoseconds a call (blocks) or milliseconds (paths). */
export type Costs = Record<string, number[]>;

/** What came out, by the candidates' names. */
export interface Comparison {
  /** What one call costs, in the unit of the costs. */
  cost(name: string): number;
  /** The cost over that of another, and the quartiles of the rounds' own ratios. */
  ratio(name: string, other: string): { ratio: number; spread: readonly [low: number, high: number] };
}

/** Short enough that whatever else the machine does falls on all alike, long enough for the clock, which counts microseconds. */
const blockNs = 6_000_000;

/**
 * Compares calls of microseconds: blocks of a few milliseconds, interleaved in a new order each round, each block's cost
 * set against another's of the same round. Absolute times drift twofold on a shared machine; these ratios do not.
 *
 * @param candidates those that give a promise are awaited, because their users must too
 */
export async function compareBlocks(candidates: readonly Candidate[], { rounds = 100 }: { rounds?: number } = {}): Promise<Comparison> {
  const timed: { name: string; block: () => Promise<number> }[] = [];
  for (const { name, run } of candidates) {
    const calls = await callsPerBlock(run);
    timed.push({ name, block: async () => (await timeOf(run, calls)) / calls });
  }
  return compareRounds(
    await inRounds(
      timed.map(({ name, block }) => ({ name, measure: block })),
      rounds,
    ),
  );
}

/**
 * What whole paths cost of the CPU time of this process: what servers in other processes and the network take is not in it.
 *
 * @param runs how often each goes its path in a row, so that who leaves garbage behind also collects most of it
 * @param warmUp rounds that do not count: until the engine has compiled a path, it costs up to a fifth more
 */
export function costsOfPaths(
  candidates: readonly Candidate[],
  { rounds = 7, runs = 1, warmUp = 6 }: { rounds?: number; runs?: number; warmUp?: number } = {},
): Promise<Costs> {
  const measured = candidates.map(({ name, run }) => ({
    name,
    measure: async () => {
      const before = process.cpuUsage();
      for (let each = 0; each < runs; each += 1) await run();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / runs;
    },
  }));
  return inRounds(measured, rounds, warmUp);
}

interface Measured {
  name: string;
  measure: () => Promise<number>;
}

async function inRounds(candidates: readonly Measured[], rounds: number, warmUp = 3): Promise<Costs> {
  const random = seeded(2030);
  const costs: Costs = Object.fromEntries(candidates.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, measure } of shuffled(candidates, random)) {
      const cost = await measure();
      if (round >= 0) costs[name]?.push(cost);
    }
  }
  return costs;
}

/** The costs of the same candidates in several processes: how the engine compiles and where it puts things differs from one to the next. */
export const joined = (several: readonly Costs[]): Costs =>
  Object.fromEntries(Object.keys(several[0] ?? {}).map((name) => [name, several.flatMap((costs) => costs[name] ?? [])]));

/** Calls that are all alike: the median of the rounds, which leaves out what befell single ones. */
const compareRounds = (costs: Costs): Comparison => comparison(costs, median, (own, others) => median(ratios(own, others)));

/**
 * Whole paths: all rounds together. The engine collects garbage once in several runs, so that a round may pay for the ones
 * before it; the middle round would say nothing of that, and the total pays all of it.
 */
export const compareTotals = (costs: Costs): Comparison => comparison(costs, mean, (own, others) => mean(own) / mean(others));

const ratios = (own: readonly number[], others: readonly number[]) => own.map((cost, round) => cost / (others[round] ?? Number.NaN));

function comparison(
  costs: Costs,
  typical: (own: readonly number[]) => number,
  over: (own: readonly number[], others: readonly number[]) => number,
): Comparison {
  const of = (name: string) => {
    const own = costs[name];
    if (own === undefined) throw new RangeError(`Nothing named ${name} was compared.`);
    return own;
  };
  return {
    cost: (name) => typical(of(name)),
    ratio(name, other) {
      const rounds = ratios(of(name), of(other));
      return { ratio: over(of(name), of(other)), spread: [quantile(rounds, 0.25), quantile(rounds, 0.75)] };
    },
  };
}

/** What a candidate runs for before it counts: the engine has compiled by then what it is going to compile. */
const warmUpNs = 200_000_000;

/** Warms a candidate up, and finds how many of its calls fill a block. */
async function callsPerBlock(run: () => unknown): Promise<number> {
  let calls = 1;
  let cost = Number.POSITIVE_INFINITY;
  for (let total = 0; total < warmUpNs; calls = Math.min(calls * 2, Math.ceil(blockNs / cost))) {
    const spent = await timeOf(run, calls);
    // The clock counts microseconds: too short a block says nothing about a call.
    cost = Math.max(spent, 1000) / calls;
    total += spent;
  }
  return calls;
}

/** The processor's time and not the clock's: a block that the machine interrupts for something else costs no more. */
const spentNs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

/** What a call gives is kept, so that the engine cannot leave the work out. */
let kept: unknown;

async function timeOf(run: () => unknown, calls: number): Promise<number> {
  kept = run();
  if (kept instanceof Promise) await kept;
  const waits = kept instanceof Promise;
  const start = spentNs();
  if (waits) for (let call = 0; call < calls; call += 1) kept = await run();
  else for (let call = 0; call < calls; call += 1) kept = run();
  return spentNs() - start;
}
