import { leastBetween, pollEvery, Polls } from '../../shared/polling/pace.ts';

const minute = 60_000;
const turns = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  [100, minute, 1],
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

  it('begin at once after the clock was set back', async () => {
    await polled('a', 1000);
    expect(polls.early('a', begun - 1)).toBe(0);
    expect(polls.early('a', begun)).toBe(0);
  });

  it('of one trigger run one after another, also after one that failed, which does not count, and those of two at the same time', async () => {
    const order: string[] = [];
    const ends = new Map<string, (end: Promise<{ calls: number }>) => void>();
    const start = (trigger: string, name: string) =>
      polls.run(
        trigger,
        () => begun,
        () => {
          order.push(name);
          return new Promise<{ calls: number }>((resolve) => ends.set(name, resolve));
        },
      );
    const [first, second, other] = [start('a', 'first'), start('a', 'second'), start('b', 'other')];
    const failed = expect(first).rejects.toThrow('no answer');
    await turns();
    expect(order).toEqual(['first', 'other']);
    ends.get('other')?.(Promise.resolve({ calls: 100 }));
    await other;
    expect(['a', 'b'].map((trigger) => polls.isUnderWay(trigger))).toEqual([true, false]);
    ends.get('first')?.(Promise.reject(new Error('no answer')));
    await failed;
    await turns();
    expect(order).toEqual(['first', 'other', 'second']);
    expect([polls.isUnderWay('a'), polls.early('a', begun)]).toEqual([true, 0]);
    ends.get('second')?.(Promise.resolve({ calls: 100 }));
    await second;
    expect([polls.isUnderWay('a'), polls.early('a', begun)]).toEqual([false, minute]);
  });
});
