import { execFileSync } from 'node:child_process';
import { root } from '../../tools/root.cjs';

it('a process that is killed while it polls gives nothing twice and skips nothing', () => {
  // In a process of its own, because the processes that are killed run the unbuilt sources.
  const output = execFileSync(
    process.execPath,
    ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', 'test/soak/main.ts', '--suite', 'polls-killed', '--runs', '4'],
    { cwd: root, encoding: 'utf8' },
  );
  const { expected, ...result } = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect(result).toMatchObject({ kills: 4, missing: 0, wrong: 0 });
  expect(expected).toBeGreaterThan(30);
}, 300_000);
