import { carryOutCommand } from '../../tools/commandLine/command.ts';
import { chosen, soak, type Options, type Suite } from './options.ts';

/** A suite prints what a person reads, and ends with one line of JSON that says whether everything passed. */
type RunSuite = (options: Options) => Promise<boolean>;

/** Only the chosen one is loaded. */
const runs: Record<Suite, () => Promise<RunSuite>> = {
  faults: async () => (await import('./suites/faults.ts')).faultsSuite,
  deliveries: async () => (await import('./suites/deliveries.ts')).deliveriesSuite,
  kill: async () => (await import('./suites/kill.ts')).killSuite,
  limits: async () => (await import('./suites/limits.ts')).limitsSuite,
  mutations: async () => (await import('./suites/mutations.ts')).mutationsSuite,
  sockets: async () => (await import('./suites/sockets.ts')).socketsSuite,
  situations: async () => (await import('./suites/situations.ts')).situationsSuite,
  memory: async () => (await import('./suites/memory.ts')).memorySuite,
  polls: async () => (await import('./suites/polls.ts')).pollsSuite,
  'polls-killed': async () => (await import('./suites/pollsKilled.ts')).pollsKilledSuite,
  'polls-n8n': async () => (await import('./suites/pollsN8n.ts')).pollsN8nSuite,
  'polls-queue': async () => (await import('./suites/pollsN8n.ts')).pollsQueueSuite,
};

const defaultRuns: Record<Suite, number> = {
  faults: 8_000,
  deliveries: 20_000,
  kill: 40,
  limits: 9_800,
  mutations: 1_000_000,
  sockets: 544,
  situations: 100,
  memory: 100_000,
  polls: 100,
  'polls-killed': 50,
  'polls-n8n': 10,
  'polls-queue': 10,
};

export const command = (): Promise<void> =>
  carryOutCommand(soak, async ({ values }) => {
    const options = chosen(values, defaultRuns);
    if (options.replay === undefined) return (await (await runs[options.suite]())(options)) ? 0 : 1;
    const { replayOne } = await import('./suites/faults.ts');
    return (await replayOne(options, options.replay)) ? 0 : 1;
  });
