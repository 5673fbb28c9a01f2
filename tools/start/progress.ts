import { clipped, columns } from './shown.ts';

/** An error with the name of the step that failed. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.step = step;
  }
}

const { stdout } = process;
/** Clears the line in a terminal, in which the last line shows what is running. Elsewhere, long steps print a line now and then. */
const clear = stdout.isTTY ? '\r\u001B[K' : '';
const everyMs = stdout.isTTY ? 1_000 : 4_000;

/** Shows what is being done: one line for each step that has ended, with the time it took. */
export class Progress {
  readonly #running = new Map<string, { what: string; started: number }>();
  #isOver = false;
  #finished = 0;
  #total: number;

  /** @param total how many steps there will be, if that is known: each line then says which one it is */
  constructor(total = 0) {
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
   * @throws {StepFailed}
   */
  async step<T>(name: string | readonly [doing: string, done: string], work: () => Promise<T>): Promise<T> {
    const [doing, done] = typeof name === 'string' ? [name, name] : name;
    const running = { what: doing, started: performance.now() };
    this.#running.set(doing, running);
    this.#redraw();
    const ticker = setInterval(() => (stdout.isTTY ? this.#redraw() : this.#line('...', '', running)), everyMs).unref();
    try {
      const result = await work();
      this.#end('ok', { ...running, what: done });
      return result;
    } catch (error) {
      this.#end('FAILED', { ...running, what: doing });
      throw new StepFailed(doing, error);
    } finally {
      clearInterval(ticker);
      this.#running.delete(doing);
      this.#redraw();
    }
  }

  /** Prints nothing more: a step that is interrupted after this has not failed. */
  end(): void {
    this.#isOver = true;
  }

  #end(verdict: string, step: { what: string; started: number }): void {
    this.#finished += 1;
    this.#line(verdict, `${this.#finished} of ${this.#total}`, step);
  }

  #line(verdict: string, count: string, { what, started }: { what: string; started: number }): void {
    if (this.#isOver) return;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const counted = this.#total === 0 ? '' : count.padStart(8);
    stdout.write(`${clear}${clipped(`  ${verdict.padEnd(6)}${counted} ${seconds.padStart(6)} s  ${what}`, columns)}\n`);
  }

  #redraw(): void {
    if (this.#isOver || !stdout.isTTY || this.#running.size === 0) return;
    const seconds = (started: number): number => Math.round((performance.now() - started) / 1000);
    const all = [...this.#running.values()].map(({ what, started }) => `${what} (${seconds(started)} s)`).join('; ');
    // Some terminals do not know their width.
    stdout.write(clear + clipped(`  ...    ${all}`, (stdout.columns || columns) - 1));
  }
}
