import { sleep } from '../../sdk/sleep.ts';
import { failureOf } from './stage.ts';

test('a wait ends by itself, with a signal and without', async () => {
  const over = new AbortController();
  const [added, removed] = [jest.spyOn(over.signal, 'addEventListener'), jest.spyOn(over.signal, 'removeEventListener')];
  await sleep(1);
  await sleep(1, over.signal);
  expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
});

test('a wait that is given up, before it begins or later, fails with the reason', async () => {
  const day = 86_400_000;
  const reason = new Error('enough');
  expect(await failureOf(sleep(day, AbortSignal.abort(reason)))).toBe(reason);
  expect(await failureOf(sleep(day, AbortSignal.abort('enough')))).toMatchObject({ message: 'The wait was ended.' });
  const over = new AbortController();
  const waits = failureOf(sleep(day, over.signal));
  over.abort(reason);
  expect(await waits).toBe(reason);
});
