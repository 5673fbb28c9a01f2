import base from './jest.config.mjs';
import { groups } from './scripts/mutationGroups.mjs';

/** The tests that judge what is mutated. */
export default {
  ...base,
  testMatch: groups[process.env.MUTATION_GROUP].tests.map((name) => `<rootDir>/test/${name}.test.ts`),
};
