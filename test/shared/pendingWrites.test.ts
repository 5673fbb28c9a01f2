import { PendingWrites } from '../../shared/api/pendingWrites.ts';

const start = Date.parse('2030-01-02T08:00:00Z');

describe('writes of one connection', () => {
  it('with the same turn go one after another, and others beside them', async () => {
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

  it('a failed one lets the next one go, and a cancelled one that waited sends nothing', async () => {
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
