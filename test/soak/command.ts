import { carryOutCommand } from '../../tools/commandLine/command.ts';
import { createsSuite } from './suites/creates.ts';
import { deliveriesSuite } from './suites/deliveries.ts';
import { faultsSuite, replayOne } from './suites/faults.ts';
import { killSuite } from './suites/kill.ts';
import { limitsSuite } from './suites/limits.ts';
import { memorySuite } from './suites/memory.ts';
import { mutationsSuite } from './suites/mutations.ts';
import { situationsSuite } from './suites/situations.ts';
import { socketsSuite } from './suites/sockets.ts';
import { pollsSuite } from './suites/polls.ts';
import { pollsKilledSuite } from './suites/pollsKilled.ts';
import { pollsN8nSuite, pollsQueueSuite } from './suites/pollsN8n.ts';
import { chosen, soak, type Options, type Suite } from './options.ts';

/** A suite prints what a person reads, and ends with one line of JSON that says whether everything passed. */
type RunSuite = (options: Options) => Promise<boolean>;

const runs: Record<Suite, RunSuite> = {
  faults: faultsSuite,
  creates: createsSuite,
  deliveries: deliveriesSuite,
  kill: killSuite,
  limits: limitsSuite,
  mutations: mutationsSuite,
  sockets: socketsSuite,
  situations: situationsSuite,
  memory: memorySuite,
  polls: pollsSuite,
  'polls-killed': pollsKilledSuite,
  'polls-n8n': pollsN8nSuite,
  'polls-queue': pollsQueueSuite,
};

const defaultRuns: Record<Suite, number> = {
  faults: 8_000,
  creates: 20_000,
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
    const held = options.replay === undefined ? await runs[options.suite](options) : await replayOne(options, options.replay);
    return held ? 0 : 1;
  });
