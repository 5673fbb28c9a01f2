import base from './jest.config.mjs';
import { group } from './tools/check/mutationGroups.mjs';

/** The tests that judge what is mutated. */
export default {
  ...base,
  testMatch: group.tests.map((name) => `<rootDir>/test/${name}.test.ts`),
};
