/** The outcome of all items: the results in order, how many succeeded, and the failure with the lowest index. */
export interface ItemsOutcome<Result> {
  results: Result[];
  finished: number;
  failure: { index: number; error: unknown } | undefined;
}

/**
 * Runs `work` over all items, in order and at most `width` at a time.
 *
 * Once an item fails, no further one is started. Running items are awaited, so that nothing continues unseen after the run has ended.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<ItemsOutcome<Result>> {
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
  return { results, finished, failure: failures.sort((a, b) => a.index - b.index)[0] };
}
