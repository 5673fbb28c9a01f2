import { openForMs, PendingWrites, type Pending, type Store } from '../../shared/api/pendingWrites.ts';

const start = Date.parse('2030-01-02T08:00:00Z');

describe('writes of one connection', () => {
  it('with the same turn go one after another, and others at the same time', async () => {
    const writes = new PendingWrites();
    const clock = { now: () => start, sleep: async () => undefined, random: () => 0 };
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = writes.inTurn('one', clock, async () => {
      order.push('first begins');
      await gate.promise;
      order.push('first ends');
    });
    const second = writes.inTurn('one', clock, async () => void order.push('second'));
    await writes.inTurn('other', clock, async () => void order.push('other'));
    expect(writes.isBusy).toBe(true);
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['first begins', 'other', 'first ends', 'second']);
    expect(writes.isBusy).toBe(false);
  });

  it('with the same turn wait for all before them, also if the first one has ended', async () => {
    const writes = new PendingWrites();
    const clock = { now: () => start, sleep: async () => undefined, random: () => 0 };
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = writes.inTurn('one', clock, async () => void order.push('first'));
    const second = writes.inTurn('one', clock, async () => {
      await gate.promise;
      order.push('second');
    });
    await first;
    expect(writes.isBusy).toBe(true);
    const third = writes.inTurn('one', clock, async () => void order.push('third'));
    await new Promise((resolve) => setImmediate(resolve));
    gate.resolve();
    await Promise.all([second, third]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('a failed write lets the next one go, and a cancelled one that waited sends nothing', async () => {
    const writes = new PendingWrites();
    const clock = { now: () => start, sleep: async () => undefined, random: () => 0 };
    const cancelled = { ...clock, sleep: () => Promise.reject(new Error('cancelled')) };
    const gate = Promise.withResolvers<void>();
    const failing = writes.inTurn('one', clock, () => gate.promise.then(() => Promise.reject(new Error('failed'))));
    const sent: string[] = [];
    const stopped = writes.inTurn('one', cancelled, async () => void sent.push('stopped'));
    const next = writes.inTurn('one', clock, async () => void sent.push('next'));
    gate.resolve();
    await expect(failing).rejects.toThrow('failed');
    await expect(stopped).rejects.toThrow('cancelled');
    await next;
    expect(sent).toEqual(['next']);
  });

  it('what one of them made belongs to it for an hour', () => {
    const writes = new PendingWrites();
    let now = start;
    const clock = { now: () => now, sleep: async () => undefined, random: () => 0 };
    writes.take('bkg_1', clock);
    now += 3_600_000;
    writes.take('bkg_2', clock);
    expect(['bkg_1', 'bkg_2', 'bkg_3'].map((id) => writes.isTaken(id))).toEqual([true, true, false]);
    now += 1;
    writes.take('bkg_3', clock);
    expect(['bkg_1', 'bkg_2', 'bkg_3'].map((id) => writes.isTaken(id))).toEqual([false, true, true]);
  });
});

describe('a write that is saved for the next run', () => {
  let now: number;
  let kept: Map<string, unknown>;
  /** Whether the store promises to find it again, one answer after another. */
  let promises: boolean[];
  const clock = { now: () => now, sleep: async () => undefined, random: () => 0 };
  const pending: Pending = { reason: 'ECONNRESET', sentAt: start, serviceSentAt: start + 5, waitedMs: 12_000, resent: 1, holds: 0 };
  const keys = { content: 'this one' };
  const storeOf = (isPrivate: boolean): Store => ({
    isPrivate,
    get isEmpty() {
      return kept.size === 0;
    },
    get: async (key) => kept.get(key),
    set: async (key, value) => {
      kept.set(key, value);
      return promises.shift() ?? true;
    },
    delete: async (key) => void kept.delete(key),
  });
  const writes = (isPrivate = false) => new PendingWrites(storeOf(isPrivate));
  beforeEach(() => {
    now = start;
    kept = new Map();
    promises = [];
  });

  it('is returned with what was known, one more hold, and only the time for which the step was held', async () => {
    await writes().keep(keys, pending, 'content', clock);
    now += 7_000;
    expect(await writes().recall(keys, clock)).toEqual({ ...pending, holds: 1, waitedMs: 19_000 });
    now += 3_600_000;
    expect(await writes().recall(keys, clock)).toMatchObject({ waitedMs: 32_000 });
    now = start - 60_000;
    expect(await writes().recall(keys, clock)).toMatchObject({ waitedMs: 12_000 });
  });

  it.each([
    [0, 0, 32],
    [12_000, 0, 20],
    [12_900, 0, 20],
    [31_000, 0, 1],
    [90_000, 0, 1],
    [32_000, 1, 60],
    [32_000, 2, 120],
    [32_000, 3, undefined],
    [0, 4, undefined],
  ])('after %i ms and %i holds is held for %p seconds', async (waitedMs, holds, seconds) => {
    expect(await writes().keep(keys, { ...pending, waitedMs, holds }, 'content', clock)).toEqual({
      isKept: true,
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    });
  });

  it('contains what was sent only in a private store', async () => {
    await writes(true).keep(keys, pending, { name: 'Ada' }, clock);
    expect(await writes(true).recall(keys, clock)).toMatchObject({ content: { name: 'Ada' } });
    await writes(false).keep(keys, pending, { name: 'Ada' }, clock);
    expect(await writes(false).recall(keys, clock)).not.toHaveProperty('content');
  });

  it('is only relied on if every name of it will be found', async () => {
    const item = { run: 'run 1', name: '0' };
    for (const answers of [
      [true, false],
      [false, true],
      [false, false],
    ]) {
      promises = answers;
      expect(await writes().keep({ ...keys, item }, pending, 'content', clock)).toEqual({ isKept: false });
    }
    expect(await writes().keep({ ...keys, item }, pending, 'content', clock)).toMatchObject({ isKept: true });
    expect([...kept.keys()]).toEqual(['run 1 0', 'this one']);
    await writes().forget({ ...keys, item });
    expect(kept.size).toBe(0);
  });

  it('counts for a day, to the millisecond, whichever way the clock is set', async () => {
    await writes().keep(keys, pending, 'content', clock);
    for (const [away, isKnown] of [
      [openForMs, true],
      [openForMs + 1, false],
      [-openForMs, true],
      [-openForMs - 1, false],
    ] as const) {
      now = start + away;
      expect((await writes().recall(keys, clock)) !== undefined).toBe(isKnown);
    }
  });

  it.each([undefined, null, 'text', 7, [], {}])('%j under its name counts as nothing', async (value) => {
    kept.set('this one', value);
    expect(await writes().recall(keys, clock)).toBeUndefined();
  });

  it.each(['reason', 'sentAt', 'waitedMs', 'resent', 'holds', 'keptAt', 'heldMs'])('is nothing if its %s cannot be read', async (field) => {
    await writes().keep(keys, pending, 'content', clock);
    const whole = kept.get('this one') as object;
    expect(await writes().recall(keys, clock)).toBeDefined();
    for (const odd of [undefined, null, Number.NaN, {}]) {
      kept.set('this one', { ...whole, [field]: odd });
      expect(await writes().recall(keys, clock)).toBeUndefined();
    }
  });

  it('belongs to its item in its own run, and to any item in another run', async () => {
    const of = (run: string, name: string) => ({ ...keys, item: { run, name } });
    await writes().keep(of('run 1', '0'), pending, 'content', clock);
    expect(await writes().recall(of('run 1', '0'), clock)).toBeDefined();
    expect(await writes().recall(of('run 1', '1'), clock)).toBeUndefined();
    expect(await writes().recall(of('run 2', '1'), clock)).toBeDefined();
    expect(await writes().recall(of('run 2', '0'), clock)).toBeDefined();
    expect(await writes().recall(keys, clock)).toBeDefined();
    expect(await writes().recall({ content: 'another', item: { run: 'run 1', name: '0' } }, clock)).toBeDefined();
    await writes().keep({ content: 'of no item' }, pending, 'content', clock);
    expect(await writes().recall({ content: 'of no item', item: { run: 'run 9', name: '9' } }, clock)).toBeDefined();
  });

  it('makes its connection busy as long as it exists', async () => {
    const one = writes();
    expect(one.isBusy).toBe(false);
    await one.keep(keys, pending, 'content', clock);
    expect(one.isBusy).toBe(true);
    await one.forget(keys);
    expect(one.isBusy).toBe(false);
  });

  it('is nothing if there is no store', async () => {
    const none = new PendingWrites();
    expect(await none.keep(keys, pending, 'content', clock)).toEqual({ isKept: false });
    expect(await none.recall(keys, clock)).toBeUndefined();
    await none.forget(keys);
    expect(none.isBusy).toBe(false);
  });
});
