import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, normalize, relative, sep } from 'node:path';
import { parse } from 'yaml';
import { packageExports, type Exported } from '../../tools/docs/packageReference.ts';
import { n8nVersion } from '../../tools/rigs/n8n/install.ts';
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
  const core = page.slice(page.indexOf('## Inside the core'), page.indexOf('## How a booking is made'));
  const named = [...core.matchAll(/`([\w./]+)`/g)].map(([, name = '']) => name.replace(/\/$/, '')).filter((name) => name !== 'fetch');
  expect(named.filter((name) => !existsSync(join(root, 'shared', name)))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

test('the recipe for Docker installs what the build makes, before the n8n that all tests run on starts, and answers only this machine', () => {
  const { services, volumes } = parse(readFileSync(join(root, 'examples', 'docker', 'compose.yaml'), 'utf8')) as {
    services: Record<
      'n8n' | 'package',
      { image: string; volumes: string[]; depends_on?: object; environment?: object; command?: string[] }
    >;
    volumes: object;
  };
  for (const { image } of Object.values(services)) expect(image).toBe(`n8nio/n8n:${n8nVersion}`);
  expect(services.n8n.depends_on).toHaveProperty('package');
  expect(services.package.volumes).toContain('../../.local/package:/package:ro');
  expect(services.package.command?.join()).toContain('cd /home/node/.n8n/nodes && npm install --legacy-peer-deps --prefix .');
  for (const service of Object.values(services)) expect(service.volumes).toContain(`${Object.keys(volumes).join()}:/home/node/.n8n`);
  expect(services.n8n.environment).toMatchObject({ N8N_LISTEN_ADDRESS: '127.0.0.1', WEBHOOK_URL: 'http://localhost:5678/' });
});

describe('the package for developers', () => {
  let exported: Exported[] = [];
  beforeAll(async () => {
    exported = [...(await packageExports()).values()].flat();
  });

  it('explains the purpose of everything that it exports', () => {
    expect(exported.filter(({ purpose }) => purpose === '').map(({ id }) => id)).toEqual([]);
  });

  it('exports every type that a declaration names', () => {
    // Types that every TypeScript program knows.
    const known =
      'AbortSignal AsyncIterable Date Error Exclude Extract Partial Pick Promise Readonly Record Request RequestInit Required Response URL URLSearchParams Uint8Array';
    const names = new Set([...exported.map(({ name }) => name), ...known.split(' ')]);
    const unknown = exported.flatMap(({ id, declaration }) => {
      const plain = declaration.replaceAll(/\/\*[^]*?\*\/|'[^'\n]*'|"[^"\n]*"/g, '');
      const parameters = /[<[]([A-Z]\w*) (?:extends|in) |<([A-Z]\w*)>\(|^(?:interface|type) \w+<([A-Z]\w*)/g;
      const own = [...plain.matchAll(parameters)].flatMap(([, ...each]) => each);
      const named = [...plain.matchAll(/(?<![\w.])[A-Z]\w*/g)].map(([each]) => each);
      return named.filter((each) => !names.has(each) && !own.includes(each)).map((each) => `${id}: ${each}`);
    });
    expect(unknown).toEqual([]);
  });
});
