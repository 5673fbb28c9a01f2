import tseslint from 'typescript-eslint';
import { boundaries } from './tools/check/lint/boundaries.mjs';
import { noServiceName } from './tools/check/lint/noServiceName.mjs';

const sources = ['**/*.ts', '**/*.mjs', '**/*.cjs'];

/** What a part would have to be handed in instead of reaching for it. */
const globalsThatNeedAPort = [
  'fetch',
  'process',
  'console',
  'globalThis',
  'global',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
  'performance',
];
/**
 * @param {string} message
 * @param {string[]} names
 * @returns {import('eslint').Linter.RuleEntry}
 */
const forbid = (message, names) => ['error', ...names.map((name) => ({ name, message }))];

export default tseslint.config(
  { ignores: ['**/node_modules/', '**/dist/', 'zapier/build/', '**/coverage/', '.local/', 'n8n/eslint.config.mjs'] },
  // A rule that is right has no exceptions: a comment cannot switch it off.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: sources,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  },
  {
    files: sources,
    plugins: { project: { rules: { boundaries, 'no-service-name': noServiceName } } },
    rules: {
      'project/boundaries': 'error',
      'project/no-service-name': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      'no-warning-comments': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'prefer-const': 'error',
      'no-useless-catch': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_$' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-ignore': true, 'ts-expect-error': true, 'ts-nocheck': true }],
      // A port is asynchronous whether or not one of its implementations has to wait.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['shared/**/*.ts'],
    rules: {
      'no-restricted-globals': forbid(
        'shared/ knows no platform: let the transport, the clock and the log be handed in.',
        globalsThatNeedAPort,
      ),
    },
  },
  {
    files: ['n8n/**/*.ts'],
    rules: {
      'no-restricted-globals': forbid(
        'n8n refuses packages that use this: n8n-workflow has sleep(), and the node context the rest.',
        globalsThatNeedAPort.filter((name) => name !== 'fetch'),
      ),
    },
  },
  // One table of all entries each, which its readers want in one place.
  { files: ['shared/assumptions.ts'], rules: { 'max-lines': 'off' } },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' }, rules: { '@typescript-eslint/no-require-imports': 'off' } },
  // A file of tests is read by its titles, and one `describe` is a chapter. What a mocked or recorded call hands over is asserted there, not typed.
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off', 'max-lines': ['error', { max: 450 }], 'max-lines-per-function': 'off' },
  },
);
