import { inParallel, PoolFailure } from '../../n8n/adapter/pool.ts';

/** Work that ends when the test says so, for each item by its number. */
function held() {
  const started: number[] = [];
  const ends: Record<number, PromiseWithResolvers<string>> = {};
  return {
    started,
    end: (index: number) => ends[index]?.resolve(`done ${index}`),
    fail: (index: number) => ends[index]?.reject(new Error(`failed ${index}`)),
    work: (_: unknown, index: number) => {
      started.push(index);
      return (ends[index] = Promise.withResolvers<string>()).promise;
    },
  };
}

const passed = () => new Promise<void>((resolve) => setImmediate(resolve));

it('begins items in order, as many at a time as it may, and returns the results in the order of the items', async () => {
  const { started, end, work } = held();
  const all = inParallel(['a', 'b', 'c', 'd'], 2, work);
  expect(started).toEqual([0, 1]);
  end(1);
  await passed();
  expect(started).toEqual([0, 1, 2]);
  for (const index of [2, 0]) end(index);
  await passed();
  end(3);
  expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3']);
});

it('without items there is nothing to do', async () => {
  expect(await inParallel([], 3, () => Promise.reject(new Error('There is no item.')))).toEqual([]);
});

it('after a failure begins no other item, waits for those that run, and reports the first item that failed and how many were done', async () => {
  const { started, end, fail, work } = held();
  let isOver = false;
  const ended = inParallel(['a', 'b', 'c', 'd', 'e'], 3, work)
    .catch((error: unknown) => error as PoolFailure)
    .finally(() => (isOver = true));
  fail(2);
  await passed();
  fail(1);
  await passed();
  expect(isOver).toBe(false);
  end(0);
  const failure = await ended;
  expect(started).toEqual([0, 1, 2]);
  expect(failure).toBeInstanceOf(PoolFailure);
  expect(failure).toMatchObject({ index: 1, finished: 1, cause: new Error('failed 1') });
});
