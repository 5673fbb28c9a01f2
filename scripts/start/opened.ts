/** What has been started, to be stopped in the opposite order. */
export class Opened {
  readonly #closers: { name: string; close: () => Promise<void> }[] = [];
  #closing: Promise<string[]> | undefined;

  add(name: string, close: () => Promise<void>): void {
    this.#closers.push({ name, close });
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
    const complaints: string[] = [];
    for (const { name, close } of this.#closers.reverse()) {
      try {
        await close();
      } catch (error) {
        const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
        complaints.push(`${name} did not stop properly: ${reason}`);
      }
    }
    return complaints;
  }
}
