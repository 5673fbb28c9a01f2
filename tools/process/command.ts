import type { SpawnOptions } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../root.cjs';
import { Program } from './program.ts';

/** With `uid` and `gid`, the program runs as another user. */
type CommandOptions = Pick<SpawnOptions, 'env' | 'uid' | 'gid'> & { cwd: string };

/**
 * Runs a program to its end, without a shell, and returns the output of both streams, whether or not it succeeded. It ends when this
 * process ends.
 */
export async function runCommand(program: string, args: readonly string[], { env, ...options }: CommandOptions) {
  const shell = process.platform === 'win32' && program === 'npm';
  const running = new Program(program, args, { ...options, env: { ...process.env, ...env }, shell });
  const endIt = (): void => void running.stop();
  process.once('exit', endIt);
  try {
    return { code: await running.ended, output: running.printed };
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`'${program}' could not be started: ${message}. Install it and run the same command again.`, { cause });
  } finally {
    process.removeListener('exit', endIt);
  }
}

export type CommandResult = Awaited<ReturnType<typeof runCommand>>;

/** The same for a program that must succeed: the error contains its output. */
export async function mustRun(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { code, output } = await runCommand(program, args, options);
  if (code !== 0) throw new Error(`'${[program, ...args].join(' ')}' ended with ${code ?? 'a signal'}:\n${lastLines(output, 30)}`);
  return output;
}

/** The end of a longer text. */
export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

/** A new folder only for the caller, within the project, so that files in it find the project's packages. The caller deletes it. */
export async function localFolder(prefix: string): Promise<string> {
  const local = join(root, '.local');
  await mkdir(local, { recursive: true });
  return mkdtemp(join(local, prefix));
}
