import { runProgram } from '../../tools/commandLine/command.ts';
import { chosen, soak, type Options, type Suite } from './options.ts';

/** A suite prints what a person reads, and ends with one line of JSON that says whether everything passed. */
type RunSuite = (options: Options) => Promise<boolean>;

/** Only the chosen one is loaded. */
const runs: Record<Suite, () => Promise<RunSuite>> = {
  faults: async () => (await import('./suites/faults.ts')).faultsSuite,
  kill: async () => (await import('./suites/kill.ts')).killSuite,
  situations: async () => (await import('./suites/situations.ts')).situationsSuite,
  polls: async () => (await import('./suites/polls.ts')).pollsSuite,
};

const defaultRuns: Record<Suite, number> = {
  faults: 8_000,
  kill: 40,
  situations: 100,
  polls: 100,
};

export const command = (): Promise<void> =>
  runProgram(soak, async ({ values }) => {
    const options = chosen(values, defaultRuns);
    if (options.replay === undefined) return (await (await runs[options.suite]())(options)) ? 0 : 1;
    const { replayOne } = await import('./suites/faults.ts');
    return (await replayOne(options, options.replay)) ? 0 : 1;
  });
