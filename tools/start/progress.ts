/** Where lines cannot move, a step that takes long says so this often. */
const QUIET_MS = 5_000;

/** What failed, named by the step it failed in. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.step = step;
  }
}

/** Says what is done while it is done: one line a step, with the time it took. On a terminal the line moves, elsewhere it is printed once. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #running = new Map<string, string>();
  #lastLine = performance.now();
  #isOver = false;

  constructor(out: NodeJS.WriteStream = process.stdout) {
    this.#out = out;
  }

  /**
   * Runs one step.
   *
   * @param name what is being done, as it reads after "ok"
   * @param work receives a function that says how far it is
   * @throws {StepFailed}
   */
  async step<T>(name: string, work: (say: (detail: string) => void) => Promise<T>): Promise<T> {
    const started = performance.now();
    const say = (detail: string): void => {
      this.#running.set(name, detail);
      if (this.#out.isTTY) this.#redraw();
      else if (detail !== '' && performance.now() - this.#lastLine > QUIET_MS) this.#line(`...              ${name}: ${detail}`);
    };
    say('');
    try {
      const result = await work(say);
      this.#finish(name, 'ok', started);
      return result;
    } catch (error) {
      this.#finish(name, 'FAILED', started);
      throw new StepFailed(name, error);
    }
  }

  /** Says nothing more: what is broken off from here on has not failed. */
  end(): void {
    this.#isOver = true;
  }

  #finish(name: string, verdict: 'ok' | 'FAILED', started: number): void {
    this.#running.delete(name);
    if (this.#isOver) return;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    this.#line(`${verdict.padEnd(6)} ${seconds.padStart(6)} s  ${name}`);
    this.#redraw();
  }

  #line(text: string): void {
    this.#lastLine = performance.now();
    this.#out.write(`${this.#clear()}  ${text}\n`);
  }

  #redraw(): void {
    if (this.#isOver || !this.#out.isTTY || this.#running.size === 0) return;
    const text = [...this.#running].map(([name, detail]) => (detail === '' ? name : `${name}: ${detail}`)).join('; ');
    this.#out.write(`${this.#clear()}  ...    ${text}`.slice(0, this.#out.columns));
  }

  #clear(): string {
    return this.#out.isTTY ? '\r\u001B[K' : '';
  }
}
