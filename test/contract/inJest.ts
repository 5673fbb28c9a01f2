import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

/**
 * Runs test files one after another, like a command.
 *
 * @param name of the command, which begins its last line
 * @param files their paths from the project's root
 * @returns the command's exit code: 0 only if all tests passed
 */
export async function tried(name: string, files: readonly string[]): Promise<0 | 1> {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', jest, '-i', '--verbose', '--runTestsByPath', ...files];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, WHOLE_CONTRACT: '1' } });
  const endIt = (): void => void child.kill();
  process.once('exit', endIt);
  const [code] = (await once(child, 'close')) as [number | null];
  process.removeListener('exit', endIt);
  console.log(code === 0 ? `\n${name}: ok` : `\n${name}: not everything held`);
  return code === 0 ? 0 : 1;
}
