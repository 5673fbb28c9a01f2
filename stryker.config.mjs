/**
 * `npm run mutation`: changes the code that must not fail, one place at a time, and counts the changes that no test notices.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    ...['signature', 'delivery', 'memory', 'key', 'subscriptions', 'accountSubscriptions'].map((name) => `shared/webhooks/${name}.ts`),
    ...['reconcile', 'pendingWrites', 'retry', 'limiter', 'rollingWindow', 'backOff', 'pages', 'envelope'].map((name) => `shared/api/${name}.ts`),
    ...['carryOut', 'runs', 'renewal', 'operations/booking/create', 'operations/booking/cancel'].map((name) => `shared/${name}.ts`),
  ],
  testRunner: 'jest',
  jest: { configFile: 'jest.mutation.config.mjs', enableFindRelatedTests: false },
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  ignorePatterns: ['.local', '.git', 'coverage', '**/dist', '**/build', 'docs', 'bench'],
  tempDirName: '.local/mutation',
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  concurrency: 1,
  // A change that makes a loop endless is one that is noticed; the tests themselves take seconds.
  timeoutMS: 4_000,
  // Sentences and docstrings aside, every change counts; a sentence is judged where it is made, not by every letter.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 97, low: 95, break: 95 },
};
