import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What has been started, to be stopped in the opposite order. */
export class Opened {
  readonly #closers: { name: string; close: () => Promise<unknown> }[] = [];
  readonly #stopping = new AbortController();
  #closing: Promise<string[]> | undefined;

  /** Aborted as soon as everything is to be stopped. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  add(name: string, close: () => Promise<unknown>): void {
    this.#closers.push({ name, close });
  }

  /**
   * Starts something that is stopped with the rest, also where that is asked for before it has started.
   *
   * @param start receives a signal that ends the wait for it
   * @throws what `start` throws; at once when everything is being stopped
   */
  async start<T>(name: string, start: (signal: AbortSignal) => Promise<T>, stop: (started: T) => Promise<unknown>): Promise<T> {
    this.signal.throwIfAborted();
    const starting = start(this.signal);
    this.add(name, () => starting.then(stop, () => undefined));
    return starting;
  }

  /** A new folder that is deleted in the end. */
  temporaryFolder(prefix: string): Promise<string> {
    return this.start(
      'a temporary folder',
      () => mkdtemp(join(tmpdir(), prefix)),
      (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    );
  }

  /**
   * Stops everything, also when one of them cannot be stopped. Asked twice, it stops once.
   *
   * @returns a sentence for each thing that could not be stopped properly
   */
  closeAll(): Promise<string[]> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<string[]> {
    this.#stopping.abort(new Error('Stopping everything.'));
    const complaints: string[] = [];
    for (let last = this.#closers.pop(); last; last = this.#closers.pop()) {
      try {
        await last.close();
      } catch (error) {
        const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
        complaints.push(`${last.name} did not stop properly: ${reason}`);
      }
    }
    return complaints;
  }
}
