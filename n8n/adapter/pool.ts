/**
 * Runs `work` over all items, at most `width` at a time and in order, and returns the results in the order of the items.
 *
 * Once one item fails, no other one is started. Running ones are waited for, so that nothing continues unseen after the run has ended. Then
 * the failure with the lowest index is thrown, with the number of items that succeeded.
 *
 * @throws PoolFailure
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: { index: number; error: unknown }[] = [];
  let next = 0;
  let finished = 0;

  const worker = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(items[index] as Item, index);
        finished += 1;
      } catch (error) {
        failures.push({ index, error });
      }
    }
  };

  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  const first = failures.sort((a, b) => a.index - b.index)[0];
  if (first !== undefined) throw new PoolFailure(first.index, first.error, finished);
  return results;
}

/** The first failed item of a run, and how many others were done before the run stopped. */
export class PoolFailure extends Error {
  readonly index: number;
  readonly finished: number;

  constructor(index: number, cause: unknown, finished: number) {
    super(`Item ${index} failed.`, { cause });
    this.index = index;
    this.finished = finished;
  }
}
