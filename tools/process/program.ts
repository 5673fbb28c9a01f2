import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until.ts';

/** A program that runs alongside this process until it ends or is stopped. */
export class Program {
  /** Its output so far, of both streams. */
  printed = '';
  /** Its exit code, once it has ended; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(program: string, args: readonly string[], options: SpawnOptions) {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
    this.#child = child;
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Its output so far, for a program that must keep running. @throws an error with the output, if it has ended */
  said(): string {
    if (this.hasEnded) throw new Error(`It ended: ${this.printed}`);
    return this.printed;
  }

  /** Asks it repeatedly until it responds. @returns false if it has ended, never responds, or the signal came first */
  async answers(ask: () => Promise<unknown>, signal?: AbortSignal): Promise<boolean> {
    const isOver = (): boolean => this.hasEnded || signal?.aborted === true;
    const look = async () =>
      isOver()
        ? 'over'
        : ask().then(
            () => 'answered',
            () => undefined,
          );
    return (await until(look, 'Its answer').catch(() => 'none')) === 'answered';
  }

  /** Stops it, unless it has ended by itself. @param patienceMs the time after which it is killed */
  async stop(signal: NodeJS.Signals = 'SIGTERM', patienceMs?: number): Promise<number | null> {
    this.#child.kill(signal);
    const impatient = patienceMs === undefined ? undefined : setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    return this.ended.finally(() => clearTimeout(impatient));
  }
}
