import { availableParallelism } from 'node:os';
import base from './jest.config.mjs';

/**
 * The tests for the inner loop: those of the parts, and of the contract on each platform. A test there that starts another program, takes
 * long or needs the real clock is named `.slow.test.ts`.
 */
export default {
  ...base,
  // They calculate and do not wait: more workers than that take each other's time.
  maxWorkers: availableParallelism() + 1,
  testMatch: ['<rootDir>/test/{shared,zapier,n8n,mcp,sdk,sandbox,contract/quick}/**/*.test.ts'],
  testPathIgnorePatterns: [...(base.testPathIgnorePatterns ?? []), '\\.slow\\.test\\.ts$'],
};
