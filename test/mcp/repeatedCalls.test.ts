import { callKey, Calls, GivenUp } from '../../mcp/adapter/calls.ts';

const hour = 60 * 60 * 1000;
const nobodyLeaves = new AbortController().signal;

/** Work that ends when it is told to, and what came of each time that it was begun. */
class Work {
  time = 0;
  readonly calls = new Calls(() => this.time);
  readonly begun: { end: (result: string) => void; fail: (error: Error) => void; nobodyWaits: AbortSignal }[] = [];

  call(key: string, left: AbortSignal = nobodyLeaves): Promise<string> {
    const work = (nobodyWaits: AbortSignal): Promise<string> =>
      new Promise((resolve, reject) => this.begun.push({ end: resolve, fail: reject, nobodyWaits }));
    return this.calls.once(key, left, work);
  }

  /** A call whose caller leaves at once, and whose work ends afterwards with a result. */
  async untold(key: string, result: string): Promise<void> {
    const leaving = new AbortController();
    const call = this.call(key, leaving.signal);
    leaving.abort();
    await expect(call).rejects.toThrow(GivenUp);
    this.begun.at(-1)?.end(result);
    await soon();
  }
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let work: Work;
beforeEach(() => void (work = new Work()));

describe('two calls are the same', () => {
  const given = { name: 'Ada', answers: { size: 4, days: ['Monday', 'Friday'], none: null } };

  test('if the tool and its arguments are, in whatever order the arguments come', () => {
    const turned = { answers: { none: null, days: ['Monday', 'Friday'], size: 4 }, name: 'Ada' };
    expect(callKey('create_booking', turned)).toBe(callKey('create_booking', given));
  });

  test.each<[string, string, unknown]>([
    ['the tool', 'cancel_booking', given],
    ['an argument', 'create_booking', { ...given, name: 'Bob' }],
    ['the order of a list', 'create_booking', { ...given, answers: { ...given.answers, days: ['Friday', 'Monday'] } }],
    ['what is in a list', 'create_booking', { ...given, answers: { ...given.answers, days: ['Monday', { of: 'May' }] } }],
    ['a value inside an argument', 'create_booking', { ...given, answers: { ...given.answers, size: '4' } }],
    ['an argument that is missing', 'create_booking', { name: 'Ada' }],
    ['a text in the place of a list', 'create_booking', { ...given, answers: { ...given.answers, days: 'Monday,Friday' } }],
  ])('but not if they differ in %s', (_, tool, other) => {
    expect(callKey(tool, other)).not.toBe(callKey('create_booking', given));
  });
});

test('identical calls at the same time share one result; the next one is new', async () => {
  const both = [work.call('a'), work.call('a')];
  expect(work.begun).toHaveLength(1);
  work.begun[0]?.end('first');
  expect(await Promise.all(both)).toEqual(['first', 'first']);
  const next = work.call('a');
  expect(work.begun).toHaveLength(2);
  work.begun[1]?.end('second');
  expect(await next).toBe('second');
});

test('calls that differ do not wait for each other', async () => {
  const [, other] = [work.call('a'), work.call('b')];
  work.begun[1]?.end('b');
  expect(await other).toBe('b');
});

test('work that failed is begun anew by the next call', async () => {
  const failing = work.call('a');
  work.begun[0]?.fail(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  void work.call('a');
  expect(work.begun).toHaveLength(2);
});

describe('a caller who leaves', () => {
  test('waits no longer; the work learns of it when nobody waits any more', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const calls = [work.call('a', one.signal), work.call('a', other.signal)];
    one.abort();
    await expect(calls[0]).rejects.toThrow('The call was cancelled before anything was sent.');
    await soon();
    expect(work.begun[0]?.nobodyWaits.aborted).toBe(false);
    other.abort();
    await expect(calls[1]).rejects.toThrow(GivenUp);
    await soon();
    expect(work.begun[0]?.nobodyWaits.aborted).toBe(true);
  });

  test('before the call arrived is not served', async () => {
    await expect(work.call('a', AbortSignal.abort())).rejects.toThrow(GivenUp);
    expect(work.begun[0]?.nobodyWaits.aborted).toBe(true);
  });

  test('leaves alone those who stay', async () => {
    const leaving = new AbortController();
    const [left, stays] = [work.call('a', leaving.signal), work.call('a')];
    leaving.abort();
    await expect(left).rejects.toThrow(GivenUp);
    work.begun[0]?.end('done');
    expect(await stays).toBe('done');
    // The result was received.
    void work.call('a');
    expect(work.begun).toHaveLength(2);
  });

  test('ends work that was not sent: a caller who came just before that gets work of their own', async () => {
    const leaving = new AbortController();
    const left = work.call('a', leaving.signal);
    leaving.abort();
    await expect(left).rejects.toThrow(GivenUp);
    const late = work.call('a');
    work.begun[0]?.fail(new GivenUp());
    await soon();
    expect(work.begun).toHaveLength(2);
    work.begun[1]?.end('done');
    expect(await late).toBe('done');
  });
});

describe('a result that nobody received', () => {
  test('goes to the next identical call, once', async () => {
    await work.untold('a', 'made');
    expect(await work.call('a')).toBe('made');
    void work.call('a');
    expect(work.begun).toHaveLength(2);
  });

  test('goes to no other call', async () => {
    await work.untold('a', 'made');
    void work.call('b');
    expect(work.begun).toHaveLength(2);
  });

  test('is kept for an hour', async () => {
    await work.untold('a', 'made');
    work.time = hour;
    expect(await work.call('a')).toBe('made');
    await work.untold('b', 'made');
    work.time += hour + 1;
    void work.call('b');
    expect(work.begun).toHaveLength(3);
  });

  test('is forgotten after an hour, and one that came later is not', async () => {
    await work.untold('a', 'made');
    work.time = 10;
    await work.untold('b', 'also made');
    work.time = hour + 5;
    void work.call('a');
    expect(work.begun).toHaveLength(3);
    expect(await work.call('b')).toBe('also made');
  });

  test('is the latest of its call', async () => {
    await work.untold('a', 'first');
    const leaving = new AbortController();
    expect(await work.call('a', leaving.signal)).toBe('first');
    await work.untold('a', 'second');
    expect(await work.call('a')).toBe('second');
  });

  test('is one of ten thousand at most: the oldest goes', async () => {
    const [first, second] = ['0', '1'];
    for (let index = 0; index < 10_000; index += 1) await work.untold(String(index), `result ${index}`);
    expect(await work.call(first)).toBe('result 0');
    await work.untold('one in its place', 'made');
    await work.untold('one too many', 'made');
    void work.call(second);
    expect(work.begun).toHaveLength(10_003);
    expect(await work.call('2')).toBe('result 2');
    expect(await work.call('one too many')).toBe('made');
  });
});
