import base from './jest.config.mjs';

/** The tests of the MCP server for many users. It has packages of its own, which are installed first. */
export default {
  ...base,
  globalSetup: '<rootDir>/test/support/hostedPackages.ts',
  testMatch: ['<rootDir>/test/hosted/**/*.test.ts'],
};
