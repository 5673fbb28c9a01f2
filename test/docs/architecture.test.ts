import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize, relative, sep } from 'node:path';
import { root } from '../../tools/root.cjs';

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const parts = ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox'];

/** The other parts that a part imports, as arrows. */
function arrowsOf(part: string): string[] {
  const arrows = new Set<string>();
  for (const entry of readdirSync(join(root, part), { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts') || /[\\/](node_modules|dist|build)([\\/]|$)/.test(entry.parentPath)) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, path = ''] of text.matchAll(/from '(\.{1,2}\/[^']+)'/g)) {
      const to = relative(root, normalize(join(entry.parentPath, path))).split(sep)[0] ?? '';
      if (to !== part && parts.includes(to)) arrows.add(`${part} --> ${to}`);
    }
  }
  return [...arrows];
}

it('the picture of the architecture shows what imports what', () => {
  const drawn = [...page.matchAll(/^ {2}(\w+ --> \w+)$/gm)].map(([, arrow]) => arrow);
  expect(drawn.sort()).toEqual(parts.flatMap(arrowsOf).sort());
});

it('every file and folder of the core that it names is there', () => {
  const core = page.slice(page.indexOf('## Inside the core'), page.indexOf('## The way of a booking'));
  const named = [...core.matchAll(/`([\w./]+)`/g)].map(([, name = '']) => name.replace(/\/$/, '')).filter((name) => name !== 'fetch');
  expect(named.filter((name) => !existsSync(join(root, 'shared', name)))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
