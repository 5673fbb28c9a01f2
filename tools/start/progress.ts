import { sentenceOf } from '../process/sentence.cjs';

/** An error that names the failed step. */
export class StepFailed extends Error {
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(sentenceOf(cause), { cause });
    this.step = step;
  }
}

/** After this time, after twice this time, and so on, a line says that a step is still running. Milliseconds. */
const LONG_MS = 10_000;

/** Shows the progress: a line with the time taken for each step that has ended, and a line now and then while one runs. */
export class Progress {
  #isOver = false;

  /** @throws {StepFailed} */
  async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const line = (verdict: string): void => {
      if (!this.#isOver) console.log(`  ${verdict.padEnd(6)} ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${name}`);
    };
    let long: NodeJS.Timeout | undefined;
    const wait = (ms: number): void => {
      long = setTimeout(() => {
        line('...');
        wait(performance.now() - started);
      }, ms).unref();
    };
    wait(LONG_MS);
    try {
      const result = await work();
      line('ok');
      return result;
    } catch (error) {
      line('FAILED');
      throw new StepFailed(name, error);
    } finally {
      clearTimeout(long);
    }
  }

  /** Prints nothing more, because a step that is interrupted from now on has not failed. */
  end(): void {
    this.#isOver = true;
  }
}
