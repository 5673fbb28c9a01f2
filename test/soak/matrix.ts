import { faultNames, faults, type FaultName } from './faults/index.ts';
import type { FaultKind } from './faults/struck.ts';
import { isFindingEnd, noTally, type Tally } from './judge.ts';
import { operationNames, operations, platforms, type OperationName, type OperationUnderTest, type PlatformName } from './operations.ts';
import { carryOut, type Case, type Outcome } from './run.ts';
import { VirtualTime } from './time.ts';
import { createWorld, type World } from './world.ts';

export interface Finding extends Case, Pick<Outcome, 'end' | 'why' | 'plan'> {}

/** The outcomes that are findings, and `unknown`: "it may exist, look for ...". */
export interface Summary extends Omit<Tally, 'done' | 'failed'> {
  runs: number;
  /** Runs in which the fault affected a request. */
  befallen: number;
  /** Unknown outcomes that the reads allowed by the policy would have settled. Always a finding in n8n. */
  unknownAvoidable: Record<PlatformName, number>;
  /** Creates whose answer was lost, and how many of them ended as unknown. */
  ambiguousCreates: Record<PlatformName, { runs: number; unknown: number }>;
}

export interface Matrix {
  summary: Summary;
  tallies: Map<string, Tally>;
  findings: Finding[];
}

export interface Selection {
  faults?: readonly FaultName[];
  operations?: readonly OperationName[];
  platforms?: readonly PlatformName[];
  /** Runs of each fault and operation. The platforms take turns. */
  seeds: number;
  firstSeed: number;
  /** Findings that are kept with their cases. */
  most?: number;
}

/** A world's tables grow with every run, and a new world costs as much as a few runs. */
const RUNS_A_WORLD = { writing: 40, listing: 120 } as const;

export const cellKey = (fault: string, operation: string): string => `${fault} ${operation}`;

const countsOf = ({ done: _done, failed: _failed, ...counts }: Tally): Omit<Tally, 'done' | 'failed'> => counts;

/**
 * Whether the outcome is an error: a finding of the judge, an unknown outcome in n8n that a look would have settled, or one under a fault
 * that leaves nothing open.
 */
export const isFinding = (
  { end, isAvoidable }: Pick<Outcome, 'end' | 'isAvoidable'>,
  { platform, fault }: Pick<Case, 'platform' | 'fault'>,
): boolean => isFindingEnd(end) || (end === 'unknown' && ((isAvoidable && platform === 'n8n') || leavesNothingOpen(fault)));

const leavesNothingOpen = (fault: FaultName): boolean => (faults[fault] as FaultKind).isCertain === true;

/** Runs every chosen fault against every chosen operation on both platforms. */
export async function runMatrix({ seeds, firstSeed, most = 50, ...chosen }: Selection): Promise<Matrix> {
  const time = new VirtualTime();
  const matrix: Matrix = {
    summary: {
      runs: 0,
      befallen: 0,
      ...countsOf(noTally()),
      unknownAvoidable: { n8n: 0, zapier: 0, mcp: 0, package: 0 },
      ambiguousCreates: {
        n8n: { runs: 0, unknown: 0 },
        zapier: { runs: 0, unknown: 0 },
        mcp: { runs: 0, unknown: 0 },
        package: { runs: 0, unknown: 0 },
      },
    },
    tallies: new Map(),
    findings: [],
  };
  const turn = chosen.platforms ?? platforms;
  for (const operation of chosen.operations ?? operationNames) {
    const { isListed = false }: OperationUnderTest = operations[operation];
    let world: World | undefined;
    let used = 0;
    for (const fault of chosen.faults ?? faultNames) {
      for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
        if (world === undefined || used >= (isListed ? RUNS_A_WORLD.listing : RUNS_A_WORLD.writing)) {
          await world?.sandbox.stop();
          world = await createWorld(time, isListed);
          used = 0;
        }
        used += 1;
        const given = { fault, operation, platform: turn[seed % turn.length] ?? 'n8n', seed };
        enter(matrix, given, await carryOut(given, world), most);
      }
    }
    await world?.sandbox.stop();
  }
  return matrix;
}

/** One case alone, in a world of its own. */
export async function replay(given: Case): Promise<Outcome> {
  const { isListed = false }: OperationUnderTest = operations[given.operation];
  const world = await createWorld(new VirtualTime(), isListed);
  try {
    return await carryOut(given, world);
  } finally {
    await world.sandbox.stop();
  }
}

function enter({ summary, tallies, findings: kept }: Matrix, given: Case, outcome: Outcome, most: number): void {
  const { end, why, plan, harmed, isAmbiguous, isAvoidable } = outcome;
  const key = cellKey(given.fault, given.operation);
  const tally = tallies.get(key) ?? noTally();
  tallies.set(key, tally);
  tally[end] += 1;
  summary.runs += 1;
  if (harmed.length > 0) summary.befallen += 1;
  if (end !== 'done' && end !== 'failed') summary[end] += 1;
  if (end === 'unknown' && isAvoidable) summary.unknownAvoidable[given.platform] += 1;
  if (isAmbiguous && given.operation === 'create') {
    const creates = summary.ambiguousCreates[given.platform];
    creates.runs += 1;
    if (end === 'unknown') creates.unknown += 1;
  }
  if (isFinding(outcome, given) && kept.length < most) kept.push({ ...given, end, why, plan });
}
