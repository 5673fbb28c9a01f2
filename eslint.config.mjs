import tseslint from 'typescript-eslint';
import sdk from './sdk/package.json' with { type: 'json' };

const sources = ['**/*.ts', '**/*.mjs', '**/*.cjs'];

const parts = ['shared', 'zapier', 'n8n', 'mcp', 'hosted', 'sdk', 'sandbox', 'examples', 'tools', 'bench', 'evals', 'test'];
/** The face of the core: what stands directly in it, and the `index.ts` of each of its folders. */
const core = 'shared/(?:\\w+/index|\\w+)\\.ts$';

/**
 * Which part of the project may import which, as patterns. A part may always import itself.
 *
 * @type {Record<string, { parts: string[], packages: string[] }>}
 */
const allowed = {
  shared: { parts: ['brand.json'], packages: ['zod/v4', 'luxon', 'node:crypto'] },
  zapier: { parts: [core], packages: ['zapier-platform-core', 'zod/v4', 'luxon', 'node:crypto'] },
  n8n: { parts: [core], packages: ['n8n-workflow', 'zod/v4', 'luxon', 'node:crypto'] },
  mcp: {
    parts: [core, 'sdk/(?:client|node|oauth)/', 'sdk/webhooks/body\\.ts$'],
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio', '@hono/node-server', 'zod/v4', 'node:.*'],
  },
  // The local server's tools and the package's OAuth, for many users.
  hosted: {
    parts: [
      core,
      'shared/client/(?:account|keyedMutex)\\.ts$',
      'mcp/adapter/',
      'sdk/(?:oauth|stores)/',
      'sdk/(?:client/(?:proxy|transport)|webhooks/body)\\.ts$',
    ],
    packages: [
      '@modelcontextprotocol/server',
      '@hono/node-server(?:/.*)?',
      'hono(?:/.*)?',
      'oidc-provider',
      'ipaddr.js',
      'zod/v4',
      'pg',
      '@opentelemetry/api',
      'node:.*',
    ],
  },
  // Another build of the core: which of its files it imports decides which types it ships. An entry for only one platform says so in its path: `node/`, `cli/`, `stores/`.
  sdk: { parts: ['shared/'], packages: ['zod/v4', '@noble/hashes/(?:hmac|sha2|utils)\\.js', 'node:.*'] },
  // The second witness: it describes the service independently, from the public document.
  sandbox: {
    parts: ['shared/brand.ts'],
    packages: ['hono', 'hono/html', '@hono/node-server', 'zod/v4', 'luxon', 'moment-timezone', 'node:.*'],
  },
  // Written as an outside developer would write it, with nothing but the installed package.
  examples: { parts: [], packages: [`${sdk.name}(?:/.*)?`, 'hono(?:/.*)?', '@hono/node-server', 'cloudflare:workers', 'node:.*'] },
  // The contract is a page of the reference.
  tools: { parts: ['(?:shared|zapier|n8n|mcp|hosted|sdk|sandbox|test/contract/requirements)/', 'brand.json'], packages: ['.*'] },
  bench: { parts: ['(?:shared|zapier|n8n|mcp|sdk|sandbox|tools|test/support)/'], packages: ['.*'] },
  evals: {
    parts: ['(?:shared|mcp|sdk|sandbox|tools)/'],
    packages: ['@modelcontextprotocol/client(?:/.*)?', 'zod/v4', 'luxon', 'node:.*'],
  },
  // Tests may use everything but the examples. Measurements share what stands in for people, and nothing else may import them.
  test: { parts: ['(?:shared|zapier|n8n|mcp|hosted|sdk|sandbox|tools|bench|evals)/', 'brand.json'], packages: ['.*'] },
};

/** What only `test/support/wire.ts` spells of the tests, so that a form of the service changes in one place. */
const wire = {
  selector: [
    'ObjectExpression > Property[key.name=/^(?:next_?[cC]ursor|has_more)$/]',
    // n8n's credentials have `data` as well, beside their names.
    'ObjectExpression:not(:has(> Property[key.name=/^(?:name|id)$/])) > Property[key.name="data"] > :matches(ObjectExpression, ArrayExpression)',
    'Property[key.name="body"] > ObjectExpression > Property[key.name="data"]',
    'ObjectExpression:has(> Property[key.name="error"]) > Property[key.name="code"] > Literal[raw=/[A-Z]{3}/]',
    ':matches(Literal[value=/^.?\\{.*"(?:data|next_cursor)":.*\\}$/], TemplateElement[value.raw=/^\\{.*"(?:data|next_cursor)":/])',
  ].join(', '),
  message: 'test/support/wire.ts writes what the service sends: listOf, oneOf, errorOf, delivered.',
};
/** Each of these is about the many other forms of one body; those of one gap are named after it, and go when it is settled. */
const aboutForms = ['*.G*', 'pages', 'delivery', 'successBody'].map((name) => `test/shared/${name}.test.ts`);

/** A pattern as a selector takes it. @param {string} source */
const pattern = (source) => `/${source.replaceAll('/', '\\u002F')}/`;

/** @param {string} part */
function boundariesOf(part) {
  const { parts: others, packages } = allowed[part] ?? { parts: [], packages: [] };
  const elsewhere = `(?:${parts.filter((each) => each !== part).join('|')})/|brand\\.json`;
  const refused = [`^\\.(?:/|\\./)(?:\\.\\./)*(?!${['$^', ...others].join('|')})(?:${elsewhere})`, `^(?!\\.|(?:${packages.join('|')})$)`];
  const importing = ':matches(ImportDeclaration, ExportAllDeclaration, ExportNamedDeclaration, ImportExpression)';
  const boundaries = {
    selector: refused.map((source) => `${importing}[source.value=${pattern(source)}]`).join(', '),
    message: `${part}/ does not import this: eslint.config.mjs says what it may. Of the core, platforms import the index.ts of its folders.`,
  };
  /** @type {import('eslint').Linter.RuleEntry} */
  const restricted = ['error', boundaries];
  /** @type {import('eslint').Linter.RuleEntry} */
  const withWire = ['error', boundaries, wire];
  const files = sources.map((source) => `${part}/${source}`);
  const all = { files, rules: { 'no-restricted-syntax': restricted } };
  return part === 'test'
    ? [all, { files, ignores: ['test/support/wire.ts', ...aboutForms], rules: { 'no-restricted-syntax': withWire } }]
    : [all];
}

/** The folders of a part, each of which may know those before it. */
const layers = Object.entries({
  shared: ['time', 'records', 'reading', 'client', 'writes', 'oauth', 'webhooks', 'operations', 'polling'],
  hosted: ['database', 'signIn'],
  sandbox: ['openapi', 'routes'],
  tools: ['process', 'commandLine', 'build', 'rigs', 'start', 'commands'],
});

/** @param {[part: string, folders: string[]]} part */
function fromBelow([part, folders]) {
  return folders.slice(0, -1).map((folder, index) => {
    const message = `${part}/${folder}/ imports nothing of the folders that are built on it.`;
    const patterns = [{ regex: `^(?:\\.\\./)+(?:${folders.slice(index + 1).join('|')})/`, message }];
    /** @type {import('eslint').Linter.RuleEntry} */
    const restricted = ['error', { patterns }];
    return { files: [`${part}/${folder}/**/*.ts`], rules: { '@typescript-eslint/no-restricted-imports': restricted } };
  });
}

/** What the core has to be handed in instead of reaching for it. */
const ports =
  'fetch process console globalThis global setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask performance';

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      '**/dist/',
      'zapier/build/',
      '**/coverage/',
      '.local/',
      'n8n/eslint.config.mjs',
      'tools/build/split/scripts/',
    ],
  },
  // A rule that is right has no exceptions: a comment cannot switch it off.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: sources,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  },
  {
    files: sources,
    rules: {
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
  ...parts.flatMap(boundariesOf),
  {
    files: ['shared/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...ports
          .split(' ')
          .map((name) => ({ name, message: 'shared/ knows no platform: let the transport, the clock and the log be handed in.' })),
      ],
    },
  },
  ...layers.flatMap(fromBelow),
  // A reader of one gap can be deleted when the service has answered, because nobody else knows what is in it.
  {
    files: sources,
    ignores: ['shared/reading/**', 'test/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '/reading/(?!index\\.ts)', message: 'Whatever the service may answer is read by shared/reading/index.ts.' }],
        },
      ],
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' }, rules: { '@typescript-eslint/no-require-imports': 'off' } },
  // A file of tests is read by its titles, and one `describe` is a chapter. What a mocked or recorded call hands over is asserted there, not typed.
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off', 'max-lines': ['error', { max: 450 }], 'max-lines-per-function': 'off' },
  },
);
