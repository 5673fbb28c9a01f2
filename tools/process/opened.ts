import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentenceOf } from './sentence.cjs';

type Stoppable = { stop(): Promise<unknown> };
type Start<T> = (signal: AbortSignal) => Promise<T>;

/** Everything that was started, stopped in reverse order. */
export class OpenedParts {
  readonly #closers: { name: string; close: () => Promise<unknown> }[] = [];
  readonly #stopping = new AbortController();
  #closing: Promise<string[]> | undefined;

  /** Aborts as soon as everything must stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  add(name: string, close: () => Promise<unknown>): void {
    this.#closers.push({ name, close });
  }

  /**
   * Starts something that is stopped with the rest, even if stopping begins before it has started.
   *
   * @param start receives a signal that ends the wait for it
   * @param stop by default, calls `stop` of what was started
   * @throws what `start` throws, or an error at once if everything is being stopped
   */
  start<T extends Stoppable>(name: string, start: Start<T>): Promise<T>;
  start<T>(name: string, start: Start<T>, stop: (started: T) => Promise<unknown>): Promise<T>;
  async start(name: string, start: Start<unknown>, stop = (started: unknown) => (started as Stoppable).stop()): Promise<unknown> {
    this.signal.throwIfAborted();
    const starting = start(this.signal);
    this.add(name, () => starting.then(stop, () => undefined));
    return starting;
  }

  temporaryFolder(prefix: string): Promise<string> {
    return this.start(
      'a temporary folder',
      () => mkdtemp(join(tmpdir(), prefix)),
      (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    );
  }

  /** Stops everything, only once however often it is called. @returns a sentence for each part that did not stop properly */
  closeAll(): Promise<string[]> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<string[]> {
    this.#stopping.abort(new Error('Stopping everything.'));
    const complaints: string[] = [];
    for (let last = this.#closers.pop(); last; last = this.#closers.pop())
      await last.close().catch((error: unknown) => complaints.push(`${last?.name} did not stop properly: ${sentenceOf(error)}`));
    return complaints;
  }
}
