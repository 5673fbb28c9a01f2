import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that a test has started. */
export class Program {
  /** What it has printed, on both streams. */
  printed = '';
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(program: string, args: readonly string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
    const child = spawn(program, args, { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
    this.#child = child;
  }

  /** What it has printed, for what must keep running. @throws an error with that, if it has ended */
  said(): string {
    if (this.#child.exitCode !== null) throw new Error(`It ended: ${this.printed}`);
    return this.printed;
  }

  /** Ends it, if it has not ended by itself. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}
