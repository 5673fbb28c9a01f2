/**
 * `npm run mutation` changes the code that decides about a write or a delivery, one place at a time, and counts the changes that no test
 * notices. A change that slips through here books twice, or lets in what is forged.
 */
export default {
  mutate: [
    'shared/writes/{journal,lookFor,runWrite,uncertain}.ts',
    'shared/client/pendingWrites.ts',
    'shared/operations/booking/{create,cancel,fit,match,search}.ts',
    'shared/reading/{emailForms,subscriptionForms}.ts',
    'shared/webhooks/{delivery,key,nodeCrypto,signature,subscriptions}.ts',
    'n8n/adapter/claims.ts',
    'zapier/adapter/store.ts',
  ],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    configFile: 'jest.config.mjs',
    config: {
      // Not the contract: under most changes of a signature it waits half a minute for deliveries, and these suites notice the same.
      testMatch: [
        'shared/{accountSubscriptions,delivery,emailForms,find,form,match,ordinaryServices,pendingWrites,questions,records,runOperation,runWrite,search,signature,subscriptions,writes}',
        'n8n/receive',
        // What a form and its help are in the declarations, the goldens hold.
        'zapier/{definition,store}',
      ].map((tests) => `<rootDir>/test/${tests}.test.ts`),
    },
    enableFindRelatedTests: true,
  },
  coverageAnalysis: 'perTest',
  ignorePatterns: ['.local', 'coverage', '**/dist', 'zapier/build'],
  tempDirName: '.local/mutation/work',
  incremental: true,
  incrementalFile: '.local/mutation/before.json',
  reporters: ['progress-append-only', 'clear-text', 'html'],
  htmlReporter: { fileName: '.local/mutation/report.html' },
  thresholds: { high: 97, low: 95, break: 95 },
  // A change that makes a loop endless counts as noticed. The tests have time limits of their own, which are shorter.
  timeoutMS: 30_000,
  // A busy machine may need long for the run without a change.
  dryRunTimeoutMinutes: 30,
  // A sentence is judged where it is made, not by every letter.
  mutator: { excludedMutations: ['StringLiteral'] },
};
