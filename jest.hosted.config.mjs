import base from './jest.config.mjs';

/** The tests of the MCP server for many users, whose packages nothing else needs. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/hosted/**/*.test.ts'],
  testPathIgnorePatterns: base.testPathIgnorePatterns?.filter((path) => path !== '/test/hosted/'),
};
