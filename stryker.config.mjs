import { group } from './tools/check/mutationGroups.mjs';

/**
 * Changes the code of one group, one place at a time, and counts the changes that no test notices. `npm run mutation` runs it for
 * every group.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: group.mutate.map((file) => file.replace(/(?<!\.ts)$/, '.ts')),
  testRunner: 'jest',
  jest: { configFile: 'jest.mutation.config.mjs', enableFindRelatedTests: false },
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  ignorePatterns: ['.local', '.git', 'coverage', '**/dist', 'zapier/build', 'docs', 'bench'],
  tempDirName: `.local/mutation/${process.env.MUTATION_GROUP}`,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `.local/mutation-${process.env.MUTATION_GROUP}.json` },
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  concurrency: 1,
  // A change that makes a loop endless is one that is noticed; the tests themselves take seconds.
  timeoutMS: 4_000,
  // What is only declared – labels, choices, rows of tables – is held by the golden files and the tests of declarations.
  ignoreStatic: true,
  // Sentences and docstrings aside, every change counts; a sentence is judged where it is made, not by every letter.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 97, low: 95, break: 95 },
};
