import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { check } from 'recheck';
import { version } from 'recheck/package.json';
import ts from 'typescript';
import { reader } from '../../shared/reading/reader.ts';
import { rows } from '../../shared/reading/rows.ts';
import { expressions as made, fits } from '../../shared/reading/shapes.ts';
import { cacheFolder } from '../../tools/rigs/n8n/install.ts';
import { root } from '../../tools/root.cjs';
import { sent, told } from '../support/forms.ts';

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

const atRunTime = 'made at run time';

/** Every regular expression literal, and where one is built at run time, which could not be checked. */
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
      found.push({ where, source: '', flags: atRunTime });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const literals = sources.flatMap(expressionsIn);

/** Those of the table of forms are texts: what reading the answers of the services needs of them, and every row. */
function ofTheTable(): Found[] {
  for (const each of sent) told(reader, each);
  for (const { at } of rows) for (const name of at.split(/\.(?![*+?])/)) fits('', name);
  return [...made.values()].map(({ source, flags }) => ({ where: 'shared/reading/rows.ts', source, flags }));
}

/** Each once, named by the first place that has it. */
const expressions = [...literals.filter(({ flags }) => flags !== atRunTime), ...ofTheTable()].filter(
  ({ source, flags }, at, all) => all.findIndex((each) => each.source === source && each.flags === flags) === at,
);

it('finds the regular expressions in everything that is shipped', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(expressions.length).toBeGreaterThan(40);
});

it('no regular expression is built at run time, where no tool could check it, but those of the table of forms', () => {
  expect(literals.filter(({ flags }) => flags === atRunTime).map(({ where }) => where.split(':')[0])).toEqual(['shared/reading/shapes.ts']);
});

/**
 * A proof depends on nothing but the expression and the checker, and takes up to ten seconds: what was proved is kept for all clones, named by
 * both. Whatever is not linear is looked at again each time.
 */
const proofOf = ({ source, flags }: Found): string =>
  join(cacheFolder(), `recheck-${version}`, createHash('sha256').update(`/${source}/${flags}`).digest('hex'));

it.each(expressions)('$where takes linear time: /$source/$flags', async (expression) => {
  const proof = proofOf(expression);
  if (existsSync(proof)) return;
  const verdict = await check(expression.source, expression.flags, { checker: 'automaton', timeout: 240_000 });
  expect(verdict.status === 'safe' ? verdict.complexity.type : verdict).toMatch(/^(?:linear|safe)$/);
  mkdirSync(dirname(proof), { recursive: true });
  writeFileSync(proof, '');
});
