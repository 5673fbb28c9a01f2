import { existsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from './tools/rigs/queue/servers.ts';
import { chromiumPath } from './test/support/chromiumPath.ts';

/** Jest in CommonJS mode: every source goes through esbuild, and so do the packages that exist as ES modules only. */
const throughEsbuild = '<rootDir>/test/jest/esbuild.mjs';
const esmOnly = '(?:oauth4webapi|@noble/hashes)';

/** What the tests need beside Node, and npm cannot bring along. */
const needs = [
  {
    what: 'Chromium (apt-get install chromium fonts-liberation)',
    isHere: () => chromiumPath() !== undefined,
    // A test that its file leaves out itself.
    also: ['/the tour in test/e2e/start'],
    tests: ['/test/n8n/editor', '/test/sandbox/hostPageInBrowser', '/test/hosted/pages', '/test/hosted/n8n'],
  },
  {
    what: 'PostgreSQL and Redis (apt-get install postgresql redis-server)',
    isHere: () => isInstalled('initdb') && isInstalled('postgres') && isInstalled('redis-server'),
    also: ['/the examples with a database in test/docs/workflows'],
    tests: ['/test/queue/', '/test/sdk/postgresStores'],
  },
  {
    what: 'terminal for programs (script, of util-linux)',
    isHere: () => process.platform === 'linux' && existsSync('/usr/bin/script'),
    tests: ['/test/mcp/quickstart', '/test/sdk/quickstart', '/test/zapier/cli'],
  },
];

// Where .ci/run has installed them, their absence is a failure of the tests themselves. Elsewhere their tests are left out, and it is said.
const missing = process.env.CI ? [] : needs.filter(({ isHere }) => !isHere());
for (const { what, tests, also = [] } of missing)
  console.error(`Left out, because this machine has no ${what}: ${[...tests, ...also].map((path) => path.slice(1)).join(', ')}`);

// Jest's workers and all programs of the tests inherit it. They are hundreds, which load the same sources and tools.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

// Nobody reads what npm would ask the registry about known faults.
process.env.npm_config_audit ??= 'false';

/** @type {import('jest').Config} */
export default {
  // So that every copy of the sources finds what was compiled for another.
  id: 'scheduling-connector',
  // Those of the MCP server for many users are run by `npm run test:hosted`, and left out here: CI replaces the patterns that are ignored.
  testMatch: ['<rootDir>/test/**/*.test.ts', '!**/test/hosted/**'],
  testPathIgnorePatterns: ['/node_modules/', ...missing.flatMap(({ tests }) => tests)],
  transform: {
    '\\.ts$': throughEsbuild,
    '/tools/process/.+\\.mjs$': throughEsbuild,
    [`node_modules/${esmOnly}/.+\\.js$`]: throughEsbuild,
  },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'node'],
  transformIgnorePatterns: [`/node_modules/(?!${esmOnly}/)`],
  modulePathIgnorePatterns: ['<rootDir>/(n8n|zapier)/(dist|build)/', '<rootDir>/.local/'],
  coveragePathIgnorePatterns: ['/node_modules/', '/test/'],
  // The long suites wait for much of their time: jest's own choice on two processors is one worker, and only six keep both busy.
  maxWorkers: Math.max(6, availableParallelism() - 1),
  testSequencer: '<rootDir>/test/jest/longestFirst.mjs',
  // After thousands of tests, a worker takes longer to end than the usual half second: jest would report it as a leak.
  workerGracefulExitTimeout: 5_000,
  // A test's own global object is slow to ask: these are handed to each module instead. Others are names that some package declares itself.
  sandboxInjectedGlobals: ['Array', 'Math', 'Number', 'Object', 'String'],
  // A bound for what hangs, and no measure of speed: machines are busy.
  testTimeout: 300_000,
  setupFiles: process.env.YEARS_AHEAD === undefined ? [] : ['<rootDir>/test/jest/clockAhead.ts'],
};
