import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

/**
 * Runs test files one after another, as a command does.
 *
 * @param name of the command, which begins its last line
 * @param files their paths from the project's root
 * @returns the command's exit code: 0 only if all tests passed
 */
export function tried(name: string, files: readonly string[]): 0 | 1 {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', jest, '-i', '--verbose', '--runTestsByPath', ...files];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, WHOLE_CONTRACT: '1' } });
  console.log(status === 0 ? `\n${name}: ok` : `\n${name}: not everything held`);
  return status === 0 ? 0 : 1;
}
