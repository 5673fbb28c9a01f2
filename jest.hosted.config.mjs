import base from './jest.config.mjs';

/** The tests of the MCP server for many users. It has packages of its own, which no other test needs: the rig installs them. */
export default { ...base, testMatch: ['<rootDir>/test/hosted/**/*.test.ts'] };
