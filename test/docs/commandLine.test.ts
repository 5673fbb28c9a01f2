import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

it.each([
  'tools/commands/start.ts',
  'tools/commands/start-queue.ts',
  'tools/commands/docs.ts',
  'tools/commands/example.ts',
  'tools/commands/probe.ts',
  'tools/commands/split-n8n.ts',
  'sandbox/main.ts',
  'bench/main.ts',
  'test/soak/main.ts',
])('%s refuses an option that it does not know with a sentence, and without a stack', (script) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, script), '--nope'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain("Unknown option '--nope'");
  expect(stderr).not.toMatch(/^ {4}at /m);
});
