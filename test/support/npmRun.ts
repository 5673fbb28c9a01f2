import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs a command of a folder's package.json where npm would run it, with the same programs on the path. npm itself takes longer to start
 * than most of them take, and is used where a person's own commands are tested.
 *
 * @param words what a person writes after `--`
 * @throws an error with what it printed, if it fails
 */
export async function npmRun(
  folder: string,
  name: string,
  words: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ stdout: string; stderr: string }> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const [program, ...own] = (scripts[name] ?? '').split(' ');
  if (program === undefined || program === '') throw new Error(`${folder} has no command ${name}.`);
  const PATH = [join(folder, 'node_modules', '.bin'), env['PATH'] ?? ''].join(delimiter);
  return run(program, [...own, ...words], { cwd: folder, env: { ...env, PATH }, maxBuffer: 64 * 1024 * 1024 });
}
