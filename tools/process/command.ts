import { spawn } from 'node:child_process';

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
  /** Receives each line as it is printed, to show progress. */
  onLine?: (line: string) => void;
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
export function runCommand(program: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  });
  // If this process ends first, the program ends as well.
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
