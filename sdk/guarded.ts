/** Calls a callback of the developer. An error in it, now or later, must neither stop our own work nor end the process. */
export function guarded(tell: () => unknown): void {
  void (async () => tell())().catch(console.error);
}
