import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';

const node = ['node:*'];

/**
 * @param {string} path from the project's root
 * @param {string} key
 * @returns {unknown}
 */
function entryOf(path, key) {
  /** @type {unknown} */
  const read = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', path), 'utf8'));
  return typeof read === 'object' && read !== null ? Object.entries(read).find(([name]) => name === key)?.[1] : undefined;
}

/** The face of the core: what stands directly in it, and the `index.ts` of each of its folders. Everything else is its inside. */
const ofTheCore = readdirSync(join(import.meta.dirname, '..', '..', '..', 'shared'), { withFileTypes: true }).map((entry) =>
  entry.isDirectory() ? `shared/${entry.name}/index.ts` : `shared/${entry.name}`,
);

const ownPackage = String(entryOf('sdk/package.json', 'name'));

/**
 * Which part of the project may import which, as a table. A folder may always import itself; a folder or package that is not listed is
 * refused.
 *
 * @type {Record<string, { parts: string[], packages: string[] }>}
 */
const allowed = {
  shared: { parts: ['brand.json'], packages: ['zod/v4', 'luxon', 'node:crypto'] },
  zapier: { parts: ofTheCore, packages: ['zapier-platform-core', 'zod/v4', 'luxon', 'node:crypto'] },
  n8n: { parts: ofTheCore, packages: ['n8n-workflow', 'zod/v4', 'luxon', 'node:crypto'] },
  mcp: {
    parts: [...ofTheCore, 'sdk/client', 'sdk/node', 'sdk/oauth'],
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio', '@hono/node-server', 'zod/v4', ...node],
  },
  // Another build of the core: which of its files it imports decides which types it ships. An entry for only one platform says so in its path: `node/`, `cli/`, `stores/`.
  sdk: { parts: ['shared'], packages: ['zod/v4', ...node] },
  // The second witness: it describes the service independently, from the public document.
  sandbox: { parts: ['shared/brand.ts'], packages: ['hono', 'hono/cookie', 'hono/html', '@hono/node-server', 'zod/v4', 'luxon', ...node] },
  // Written as an outside developer would write it, with nothing but the installed package.
  examples: {
    parts: [],
    packages: [ownPackage, `${ownPackage}/*`, 'hono', 'hono/*', '@hono/node-server', 'cloudflare:workers', ...node],
  },
  tools: { parts: ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox', 'brand.json', 'package.json'], packages: ['*'] },
  bench: { parts: ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox', 'tools'], packages: ['*'] },
  evals: {
    parts: ['sandbox', 'sdk/node', 'tools'],
    packages: ['@modelcontextprotocol/client', '@modelcontextprotocol/client/*', 'zod/v4', 'luxon', ...node],
  },
  // Tests may use everything, and nothing may import them.
  test: {
    parts: ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox', 'tools', 'bench', 'evals', 'brand.json', 'package.json', 'docs'],
    packages: ['*'],
  },
};

/** @type {import('eslint').Rule.RuleModule} */
export const boundaries = {
  meta: { type: 'problem', schema: [], docs: { description: 'Keep the direction between the parts of the project' } },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const part = file.includes('/') ? file.slice(0, file.indexOf('/')) : '';

    /** @param {import('estree').Node} at @param {unknown} source */
    const judge = (at, source) => {
      if (typeof source !== 'string') return;
      const complaint = judgeImport(context.cwd, context.filename, part, source);
      if (complaint) context.report({ node: at, message: complaint });
    };
    return {
      ImportDeclaration: (at) => judge(at, at.source.value),
      ExportNamedDeclaration: (at) => judge(at, at.source?.value),
      ExportAllDeclaration: (at) => judge(at, at.source.value),
      ImportExpression: (at) => judge(at, at.source.type === 'Literal' ? at.source.value : undefined),
      CallExpression: (at) => {
        const [first] = at.arguments;
        if (at.callee.type === 'Identifier' && at.callee.name === 'require' && first?.type === 'Literal') judge(at, first.value);
      },
    };
  },
};

/**
 * @param {string} root
 * @param {string} file the importing file's full path
 * @param {string} part the folder of the project that contains it, '' for the root
 * @param {string} source the imported path
 * @returns {string | undefined} why it is refused
 */
function judgeImport(root, file, part, source) {
  if (source === 'zod' || source === 'zod/v3')
    return "Import zod as `import * as z from 'zod/v4'`: anything else carries a second copy into the bundles.";
  if (isBuiltin(source) && !source.startsWith('node:')) return `Write node:${source}: the prefix shows that it is not a package.`;
  const rule = allowed[part];
  if (part === '') return undefined;
  if (rule === undefined) return `${part}/ is new: say in tools/check/lint/boundaries.mjs what it may import.`;
  if (!source.startsWith('.')) {
    const may = rule.packages.some(
      (name) => name === '*' || name === source || (name.endsWith('*') && source.startsWith(name.slice(0, -1))),
    );
    return may ? undefined : `${part}/ does not import '${source}'; it may import ${rule.packages.join(', ')}.`;
  }
  const target = relative(root, resolve(dirname(file), source))
    .split(sep)
    .join('/');
  const may = [part, ...rule.parts].some((each) => target === each || target.startsWith(`${each}/`));
  if (!may && target.startsWith('shared/') && rule.parts.includes('shared/operations/index.ts'))
    return `${target} is internal to the core: import it from the index.ts of its folder.`;
  return may ? undefined : `${part}/ does not import ${target}; besides itself, it may import ${rule.parts.join(', ')}.`;
}
