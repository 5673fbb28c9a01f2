import { spawn } from 'node:child_process';

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
  /** Receives every line as it is printed, for progress. */
  onLine?: (line: string) => void;
}

export interface CommandResult {
  code: number | null;
  /** Both streams, in the order in which they arrived. */
  output: string;
}

/**
 * Runs a program to its end, without a shell, and hands back what it printed whatever the outcome.
 *
 * @throws a sentence when the program is not there
 */
export function runCommand(program: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  });
  // What it is waited for may be broken off: then it ends as well.
  const endIt = (): void => void child.kill();
  process.once('exit', endIt);
  let output = '';
  const take = (chunk: Buffer): void => {
    const text = chunk.toString();
    output += text;
    for (const line of text.split('\n')) if (line.trim() !== '') options.onLine?.(line.trimEnd());
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve, reject) => {
    child.on('error', (cause) =>
      reject(new Error(`'${program}' could not be started: ${cause.message}. Install it and run the same command again.`, { cause })),
    );
    child.on('close', (code) => {
      process.removeListener('exit', endIt);
      resolve({ code, output });
    });
  });
}

/** The same, for a program that has to succeed: what it printed stands in the failure. */
export async function mustRun(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { code, output } = await runCommand(program, args, options);
  if (code !== 0) throw new Error(`'${[program, ...args].join(' ')}' ended with ${code ?? 'a signal'}:\n${lastLines(output, 30)}`);
  return output;
}

/** The end of a longer text. */
export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
