import { leastBetween, pollEvery, Polls } from '../../shared/polling/pace.ts';

const minute = 60_000;
const turns = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  [0, 0, 1],
  [1, 600, 1],
  [100, minute, 1],
  [105, 63_000, 1],
  [106, 63_600, 2],
  [205, 123_000, 2],
  [1000, 10 * minute, 10],
])('polls of %i calls keep to a tenth of the limit: one in %i ms, or in %i minutes', (calls, milliseconds, minutes) => {
  expect(leastBetween(calls)).toBeCloseTo(milliseconds);
  expect(pollEvery(calls)).toBe(minutes * minute);
});

describe('the polls of a process', () => {
  let polls: Polls;
  beforeEach(() => (polls = new Polls()));

  const begun = 1_000 * minute;
  const polled = (trigger: string, calls: number, at = begun) =>
    polls.run(
      trigger,
      () => at,
      () => Promise.resolve({ calls }),
    );

  it('may begin again when the calls of the last one are made up for, up to half a minute early', async () => {
    expect(polls.early('a', begun)).toBe(0);
    expect(await polled('a', 106)).toEqual({ calls: 106 });
    expect(polls.early('a', begun)).toBe(2 * minute);
    expect(polls.early('a', begun + 1.5 * minute - 1)).toBe(0.5 * minute + 1);
    expect(polls.early('a', begun + 1.5 * minute)).toBe(0);
  });

  it('do not delay those of another trigger', async () => {
    await polled('a', 1000);
    expect(polls.early('b', begun)).toBe(0);
    await polled('b', 1);
    expect(polls.early('b', begun + minute)).toBe(0);
    expect(polls.early('a', begun + minute)).toBe(9 * minute);
  });

  it('begin at once after the clock was set back', async () => {
    await polled('a', 1000);
    expect(polls.early('a', begun - 1)).toBe(0);
    expect(polls.early('a', begun)).toBe(0);
  });

  it('do not count if they fail', async () => {
    const failure = new Error('no answer');
    await expect(
      polls.run(
        'a',
        () => begun,
        () => Promise.reject(failure),
      ),
    ).rejects.toBe(failure);
    expect(polls.isUnderWay('a')).toBe(false);
    expect(polls.early('a', begun)).toBe(0);
  });

  it('of one trigger run one after another, also after one that failed, and those of two at the same time', async () => {
    const order: string[] = [];
    const ends = new Map<string, (error?: Error) => void>();
    let now = begun;
    const start = (trigger: string, name: string) =>
      polls.run(
        trigger,
        () => now,
        () => {
          order.push(name);
          return new Promise<{ calls: number }>((resolve, reject) =>
            ends.set(name, (error) => (error === undefined ? resolve({ calls: 100 }) : reject(error))),
          );
        },
      );
    const [first, second, other] = [start('a', 'first'), start('a', 'second'), start('b', 'other')];
    const failed = first.catch((error: Error) => error.message);
    await turns();
    expect(order).toEqual(['first', 'other']);
    expect([polls.isUnderWay('a'), polls.isUnderWay('b'), polls.isUnderWay('c')]).toEqual([true, true, false]);
    ends.get('other')?.();
    await other;
    expect([polls.isUnderWay('a'), polls.isUnderWay('b')]).toEqual([true, false]);
    now += 5 * minute;
    ends.get('first')?.(new Error('no answer'));
    expect(await failed).toBe('no answer');
    // The second one is still to come.
    expect(polls.isUnderWay('a')).toBe(true);
    await turns();
    expect(order).toEqual(['first', 'other', 'second']);
    ends.get('second')?.();
    await second;
    expect(polls.isUnderWay('a')).toBe(false);
    // Counted from its own beginning.
    expect(polls.early('a', now)).toBe(minute);
  });
});
