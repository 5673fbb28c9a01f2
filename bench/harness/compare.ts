import { seeded } from '../../tools/rigs/simulation/random.ts';
import { mean, median, quantile, shuffled } from './statistics.ts';

/** One way of doing something, to be compared with others. */
export interface Candidate {
  name: string;
  run: () => unknown;
}

/** What each candidate cost in each round, by name: in nanoseconds per call (blocks) or milliseconds (paths). */
export type Costs = Record<string, number[]>;

/** The results, by the candidates' names. */
export interface Comparison {
  /** What one call costs, in the same unit as the costs. */
  cost(name: string): number;
  /** The ratio of one candidate's cost to another's, and the quartiles of the ratios of the rounds. */
  ratio(name: string, other: string): { ratio: number; spread: readonly [low: number, high: number] };
}

/** Short enough for other load on the machine to affect all candidates alike, but long enough for the clock, which counts microseconds. */
const blockNs = 6_000_000;

/**
 * Compares calls that take microseconds. It runs blocks of a few milliseconds, in a new order each round, and compares the cost of each
 * block with another's in the same round. On a shared machine absolute times vary by a factor of two, but these ratios do not.
 *
 * @param candidates those that return a promise are awaited, because their users have to await them too
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
 * What whole paths cost in CPU time of this process. It does not include the time that servers in other processes and the network take.
 *
 * @param runs how often each candidate runs in a row, so that a candidate that leaves garbage behind also collects most of it
 * @param warmUp rounds that do not count: a path costs up to a fifth more until the engine has compiled it
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

/**
 * The costs of the same candidates in several processes, because the compiled code and its place in memory differ from process to process.
 */
export const joined = (several: readonly Costs[]): Costs =>
  Object.fromEntries(Object.keys(several[0] ?? {}).map((name) => [name, several.flatMap((costs) => costs[name] ?? [])]));

/** For calls that are all alike: the median of the rounds, which ignores outliers. */
export const compareRounds = (costs: Costs): Comparison => comparison(costs, median, (own, others) => median(ratios(own, others)));

/**
 * For whole paths: all rounds together. The engine collects garbage once in several runs, so one round may pay for the rounds before it.
 * The median round would miss that cost; the total includes it.
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

/** How long a candidate runs before it counts. By then the engine has compiled what it is going to compile. */
const warmUpNs = 200_000_000;

/** Warms up a candidate and works out how many of its calls fill a block. */
async function callsPerBlock(run: () => unknown): Promise<number> {
  let calls = 1;
  let cost = Number.POSITIVE_INFINITY;
  for (let total = 0; total < warmUpNs; calls = Math.min(calls * 2, Math.ceil(blockNs / cost))) {
    const spent = await timeOf(run, calls);
    // The clock counts microseconds, so a block that is too short says nothing about a call.
    cost = Math.max(spent, 1000) / calls;
    total += spent;
  }
  return calls;
}

/** Processor time instead of real time: a block costs no more if the machine interrupts it for something else. */
const spentNs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

/** The result of each call is kept, so that the engine cannot optimise the work away. */
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
