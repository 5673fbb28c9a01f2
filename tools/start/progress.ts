import { clipped, columns } from './shown.ts';

/** How often a long step reports that it is still running, where lines cannot be rewritten. With the tick, this is less than 5 seconds. */
const QUIET_MS = 4_000;
const TICK_MS = 900;

/** An error with the name of the step that failed. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.step = step;
  }
}

/**
 * Shows what is being done: one line for each step, with the time it took. In a terminal the line changes; elsewhere it is printed once.
 */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #running = new Map<string, { detail: string; started: number }>();
  #ticker: ReturnType<typeof setInterval> | undefined;
  #lastLine = performance.now();
  #isOver = false;
  #finished = 0;
  #total: number;

  /** @param total how many steps there will be, if that is known: each line then says which one it is */
  constructor(total = 0, out: NodeJS.WriteStream = process.stdout) {
    this.#out = out;
    this.#total = total;
  }

  /** Changes how many steps there will be. */
  expect(more: number): void {
    this.#total += more;
  }

  /**
   * Runs one step.
   *
   * @param name what is being done; or that, and what is so once it is done
   * @param work receives a function that reports progress
   * @throws {StepFailed}
   */
  async step<T>(name: string | readonly [doing: string, done: string], work: (say: (detail: string) => void) => Promise<T>): Promise<T> {
    const [doing, done] = typeof name === 'string' ? [name, name] : name;
    const started = performance.now();
    const say = (detail: string): void => {
      this.#running.set(doing, { detail, started });
      this.#redraw();
    };
    say('');
    this.#ticker ??= setInterval(() => this.#tick(), TICK_MS).unref();
    try {
      const result = await work(say);
      this.#finish(doing, 'ok', started, done);
      return result;
    } catch (error) {
      this.#finish(doing, 'FAILED', started, doing);
      throw new StepFailed(doing, error);
    }
  }

  /** Prints nothing more: a step that is interrupted after this has not failed. */
  end(): void {
    this.#isOver = true;
  }

  #finish(doing: string, verdict: 'ok' | 'FAILED', started: number, shown: string): void {
    this.#running.delete(doing);
    if (this.#running.size === 0) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
    }
    if (this.#isOver) return;
    this.#finished += 1;
    this.#line(verdict, started, shown);
    this.#redraw();
  }

  /** Many steps report nothing themselves, so the seconds show that they go on. */
  #tick(): void {
    if (this.#out.isTTY) this.#redraw();
    else if (!this.#isOver && performance.now() - this.#lastLine > QUIET_MS)
      for (const { what, started } of this.#stillRunning()) this.#line('...', started, what);
  }

  #stillRunning(): { what: string; started: number }[] {
    return [...this.#running].map(([name, { detail, started }]) => ({ what: detail === '' ? name : `${name}: ${detail}`, started }));
  }

  #line(verdict: 'ok' | 'FAILED' | '...', started: number, what: string): void {
    this.#lastLine = performance.now();
    const seconds = ((this.#lastLine - started) / 1000).toFixed(1);
    const count = this.#total === 0 ? '' : (verdict === '...' ? '' : `${this.#finished} of ${this.#total}`).padStart(8);
    this.#out.write(`${this.#clear()}${clipped(`  ${verdict.padEnd(6)}${count} ${seconds.padStart(6)} s  ${what}`, columns)}\n`);
  }

  #redraw(): void {
    if (this.#isOver || !this.#out.isTTY || this.#running.size === 0) return;
    const running = this.#stillRunning().map(({ what, started }) => `${what} (${Math.round((performance.now() - started) / 1000)} s)`);
    // Some terminals do not know their width.
    this.#out.write(this.#clear() + fitting('  ...    ', running, (this.#out.columns || columns) - 1));
  }

  #clear(): string {
    return this.#out.isTTY ? '\r\u001B[K' : '';
  }
}

/** As many of the steps as fit beside each other, and the number of the others: no name but the first is cut. */
function fitting(start: string, steps: readonly string[], width: number): string {
  const lines = steps.map((_, left) => {
    const others = left === 0 ? '' : `; ${left} more`;
    return `${start}${steps.slice(0, steps.length - left).join('; ')}${others}`;
  });
  return lines.find(({ length }) => length <= width) ?? clipped(lines.at(-1) ?? '', width);
}
