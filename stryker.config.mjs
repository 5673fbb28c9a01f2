import { availableParallelism } from 'node:os';
import { shipped } from './tools/check/mutation/scope.ts';

/**
 * Changes the code that ships, one place at a time, and counts the changes that no test notices. `npm run mutation` runs it.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: shipped,
  testRunner: 'in-process',
  plugins: ['./tools/check/mutation/runner.ts'],
  coverageAnalysis: 'perTest',
  ignorePatterns: ['.local', '.git', 'coverage', '**/dist', 'zapier/build', 'bench'],
  tempDirName: '.local/mutation/work',
  // What no change of a source or a test can have altered is not asked again. What only some tests were asked about is not kept.
  incremental: process.env.MUTATION_TESTS === undefined,
  incrementalFile: '.local/mutation/before.json',
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: '.local/mutation/report.json' },
  // The tests wait for more than half of their time.
  concurrency: 2 * availableParallelism() + 2,
  // Servers that a change left open, and the modules that they keep in memory, end with their process.
  maxTestRunnerReuse: 400,
  // A change that makes a loop endless counts as noticed. The tests have time limits of their own, which are shorter.
  timeoutMS: 30_000,
  // A busy machine may need long for the run without a change.
  dryRunTimeoutMinutes: 30,
  // A sentence is judged where it is made, not by every letter.
  mutator: { excludedMutations: ['StringLiteral'] },
};
