/** Jest in CommonJS mode: every source goes through esbuild, and so do the packages that exist as ES modules only. */
const throughEsbuild = '<rootDir>/scripts/jest-esbuild.mjs';
const esmOnly = 'oauth4webapi';

/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '\\.ts$': throughEsbuild,
    [`node_modules/${esmOnly}/.+\\.js$`]: throughEsbuild,
  },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'node'],
  transformIgnorePatterns: [`/node_modules/(?!${esmOnly}/)`],
  modulePathIgnorePatterns: ['<rootDir>/(n8n|zapier)/(dist|build)/', '<rootDir>/.local/'],
  coveragePathIgnorePatterns: ['/node_modules/', '/test/'],
  testTimeout: 30_000,
};
