import { spawn } from 'node:child_process';
import { outcomeOf } from './npm.mjs';

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
}

export interface CommandResult {
  code: number | null;
  /** Both streams, in order of arrival. */
  output: string;
}

/**
 * Runs a program to its end, without a shell, and returns what it printed, whether or not it succeeded.
 *
 * @throws a readable error if the program does not exist
 */
export async function runCommand(program: string, args: readonly string[], { cwd, env }: CommandOptions): Promise<CommandResult> {
  const shell = process.platform === 'win32' && program === 'npm';
  try {
    return await outcomeOf(spawn(program, args, { cwd, env: { ...process.env, ...env }, shell, stdio: ['ignore', 'pipe', 'pipe'] }));
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`'${program}' could not be started: ${message}. Install it and run the same command again.`, { cause });
  }
}

/** The same for a program that must succeed: the error contains what it printed. */
export async function mustRun(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { code, output } = await runCommand(program, args, options);
  if (code !== 0) throw new Error(`'${[program, ...args].join(' ')}' ended with ${code ?? 'a signal'}:\n${lastLines(output, 30)}`);
  return output;
}

/** The end of a longer text. */
export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
