import { execFileSync } from 'node:child_process';
import { root } from '../../tools/root.cjs';

it("after a kill at any point of a trigger's life the next activation, by a new process or a surviving one, leaves one subscription with a known secret", () => {
  // In a process of its own, because the processes that are killed run the unbuilt sources.
  const output = execFileSync(
    process.execPath,
    ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', 'test/soak/main.ts', '--suite', 'kill', '--runs', '6'],
    { cwd: root, encoding: 'utf8' },
  );
  const result = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect(result).toMatchObject({ kills: 6, bySurvivor: 3, orphans: 0, blocked: 0, withoutSecret: 0 });
}, 180_000);
