import { table } from '../../tools/start/shown.ts';
import { faultNames, type FaultName } from './faults/index.ts';
import { findings, isFindingEnd, noTally, type Tally } from './judge.ts';
import { operationNames, operations, type OperationName, type OperationUnderTest } from './operations.ts';
import { runCase, type Case, type Outcome } from './run.ts';
import { chance, seedOf } from './random.ts';
import { VirtualTime } from './time.ts';
import { createWorld, drawHabits } from './world.ts';

export interface Finding extends Case, Pick<Outcome, 'end' | 'why' | 'habits' | 'plan'> {}

/** The outcomes that are findings, and `unknown`: "it may exist, look for ...". */
export interface Summary extends Omit<Tally, 'done' | 'failed'> {
  runs: number;
  /** Runs in which the fault affected a request. */
  befallen: number;
  /** Runs in which somebody who was told "may or may not" tried again. */
  triedAgain: number;
}

export interface Matrix {
  summary: Summary;
  tallies: Map<string, Tally>;
  findings: Finding[];
}

interface Selection {
  faults?: readonly FaultName[];
  operations?: readonly OperationName[];
  /** Runs of each fault and operation. */
  seeds: number;
  firstSeed: number;
  /** Findings that are kept with their cases. */
  most?: number;
}

const cellKey = (fault: string, operation: string): string => `${fault} ${operation}`;

const countsOf = ({ done: _done, failed: _failed, ...counts }: Tally): Omit<Tally, 'done' | 'failed'> => counts;

/** Runs every chosen fault against every chosen operation, with habits of the service. */
export async function runMatrix({ seeds, firstSeed, most = 50, ...chosen }: Selection): Promise<Matrix> {
  const time = new VirtualTime();
  const matrix: Matrix = {
    summary: { runs: 0, befallen: 0, ...countsOf(noTally()), triedAgain: 0 },
    tallies: new Map(),
    findings: [],
  };
  for (const operation of chosen.operations ?? operationNames) {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const { isListed = false, isWrite = false }: OperationUnderTest = operations[operation];
      // The service has habits that the seed decides.
      const forms = isWrite ? drawHabits(chance(seedOf('habits', operation, seed))) : {};
      const world = await createWorld(time, isListed, { forms });
      for (const fault of chosen.faults ?? faultNames) {
        const given = { fault, operation, seed };
        enter(matrix, given, await runCase(given, world), most);
      }
      await world.sandbox.stop();
    }
  }
  return matrix;
}

function enter({ summary, tallies, findings: kept }: Matrix, given: Case, outcome: Outcome, most: number): void {
  const { end, why, habits, plan, harmed, triedAgain } = outcome;
  const key = cellKey(given.fault, given.operation);
  const tally = tallies.get(key) ?? noTally();
  tallies.set(key, tally);
  tally[end] += 1;
  summary.runs += 1;
  if (harmed.length > 0) summary.befallen += 1;
  if (end !== 'done' && end !== 'failed') summary[end] += 1;
  if (triedAgain > 0) summary.triedAgain += 1;
  if (isFindingEnd(end) && kept.length < most) kept.push({ ...given, end, why, habits, plan });
}

/** A cell says how many runs were done, failed with a sentence, or may exist. Findings follow. */
function cell(tally: Tally | undefined): string {
  if (tally === undefined) return '-';
  const bad = findings.flatMap((end) => (tally[end] > 0 ? [`${end} ${tally[end]}`] : []));
  return [`${tally.done}/${tally.failed}/${tally.unknown}`, ...bad].join(' ');
}

/** The runs by fault and operation. */
export function tableOf({ tallies }: Matrix, faults: readonly string[], operations: readonly string[]): string {
  const rows = faults.map((fault) => [fault, ...operations.map((operation) => cell(tallies.get(cellKey(fault, operation))))]);
  return `${table(['Fault', ...operations], rows)}

Each cell: done / failed with a sentence and nothing happened / may exist, with what to look for. Findings follow by name.`;
}

/** One finding, and how to reproduce it alone. */
export const lineOf = ({ fault, operation, seed, end, why, habits }: Finding): string =>
  `${end}: ${operation} under ${fault}, habits ${JSON.stringify(habits)}: ${why.slice(0, 400)}\n  npm run soak -- --fault ${fault} --operation ${operation} --runs 1 --seed ${seed}`;
