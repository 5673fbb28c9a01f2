import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { root } from '../../tools/root.cjs';

interface Found {
  where: string;
  source: string;
  flags: string;
}

const parts = ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox'];

const sources = parts.flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/[\\/](node_modules|dist|build)([\\/]|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name)),
);

/** Every regular expression literal. One that is built at run time could not be checked, and there is none. */
function expressionsIn(path: string): Found[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const where = `${relative(root, path)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ where, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (ts.isIdentifier(node) && node.text === 'RegExp' && !ts.isTypeReferenceNode(node.parent))
      found.push({ where, source: '', flags: 'made at run time' });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const expressions = sources.flatMap(expressionsIn);

it('finds the regular expressions in everything that is shipped', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(expressions.length).toBeGreaterThan(40);
});

it('no regular expression is built at run time, where no tool could check it', () => {
  expect(expressions.filter(({ flags }) => flags === 'made at run time')).toEqual([]);
});

it.each(expressions)('$where takes linear time: /$source/$flags', async ({ source, flags }) => {
  const verdict = await check(source, flags, { checker: 'automaton', timeout: 240_000 });
  expect(verdict.status === 'safe' ? verdict.complexity.type : verdict).toMatch(/^(?:linear|safe)$/);
});
