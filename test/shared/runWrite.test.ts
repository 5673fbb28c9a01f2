import type { ErrorKind } from '../../shared/serviceError.ts';
import type { WriteResult } from '../../shared/call.ts';
import { NotSent } from '../../shared/client/ports.ts';
import type { EffectLookup, PendingStore } from '../../shared/writes/index.ts';
import type { PendingWrite } from '../../shared/client/pendingWrites.ts';
import { refusal } from '../support/service.ts';
import { done, error, failed, found, lost, minute, nothing, refused, signal, Stage, startedAt } from '../support/writeStage.ts';

let stage: Stage;
beforeEach(() => (stage = new Stage()));

describe('a write that the service answers', () => {
  it('is sent, and nothing is kept or looked for', async () => {
    expect([await stage.run(), stage.log, stage.keys]).toEqual(['made', ['send'], [undefined]]);
  });

  it('is recorded before it is sent if the program may end at any moment', async () => {
    let ahead: PendingWrite | undefined;
    Object.assign(stage, { store: { writesAhead: true }, answers: [() => ((ahead = stage.kept.get('key')?.pending), done)] });
    expect([await stage.run(), stage.log]).toEqual(['made', ['keep', 'send', 'forget']]);
    expect(ahead).toEqual({ reason: '', sentAfter: startedAt, sentBefore: startedAt + 7_000, holds: 0 });
  });

  it('is looked for once, at once, if the answer shows no record', async () => {
    stage.answers = [{ state: 'succeeded', answer: { status: 201, headers: {}, body: '' } }];
    expect([await stage.run(), stage.log]).toEqual(['unseen', ['send', 'search']]);
    stage.searches = [found];
    expect(await stage.run()).toBe('found');
  });

  it('is done if a refusal means that', async () => {
    Object.assign(stage, { answers: [refused('conflict')], write: { rejected: async () => 'there' } });
    expect([await stage.run(), stage.log]).toEqual(['there', ['send']]);
  });

  it("is refused in the service's words, and leaves nothing", async () => {
    Object.assign(stage, { answers: [refused('conflict')], store: { writesAhead: true } });
    expect((await refusal(stage.run())).message).toBe('No.');
    expect([stage.repeats, stage.log, stage.kept.size]).toEqual([[false], ['keep', 'send', 'forget'], 0]);
  });

  it('leaves nothing either if it was never sent', async () => {
    const unsent = new NotSent('over');
    Object.assign(stage, { answers: [unsent], store: { writesAhead: true } });
    await expect(stage.run()).rejects.toBe(unsent);
    expect(stage.kept.size).toBe(0);
  });

  it("stays recorded if the platform's own signal ends it, because nobody knows when that came", async () => {
    Object.assign(stage, { answers: [signal], store: { writesAhead: true } });
    await expect(stage.run()).rejects.toBe(signal);
    expect(stage.kept.size).toBe(1);
  });
});

describe('a write whose answer was lost', () => {
  beforeEach(() => void (stage.answers = [lost]));

  it('is looked for at once and at the moments of the platform, and never sent again', async () => {
    const told = await refusal(stage.run());
    expect(told).toMatchObject({ kind: 'unknownOutcome', advice: 'Advice of the store.', retryAfterSeconds: undefined });
    expect(told.message).toBe('No answer. What was sent at 12:00:00 may exist.');
    expect(stage.log).toEqual(['send', 'keep', 'search', 'sleep 1000', 'search', 'sleep 3000', 'search', 'keep']);
    expect(stage.asked.map(({ content }) => content)).toEqual(Array(3).fill('sent'));
  });

  it('is looked for only shortly if the service itself answered with an error, and no step is held', async () => {
    Object.assign(stage, { answers: [failed], store: { canHold: true } });
    expect((await refusal(stage.run())).retryAfterSeconds).toBeUndefined();
    expect(stage.log).toEqual(['send', 'keep', 'search', 'sleep 1000', 'search', 'keep']);
  });

  it.each<[number, number]>([
    [0, 0],
    [3_000, 2],
    [3_500, 3],
  ])('with %i ms left at the platform, is looked for %i times', async (leftMs, searches) => {
    stage.policy.leftMs = () => leftMs;
    expect((await refusal(stage.run())).message).toBe('No answer. What was sent at 12:00:00 may exist.');
    expect(stage.asked).toHaveLength(searches);
  });

  it.each(['server', 'unreachable', 'rateLimited'] as const)('is looked for again after a search that ended in "%s"', async (kind) => {
    stage.searches = [error(kind), found];
    expect(await stage.run()).toBe('found');
    expect(stage.kept.size).toBe(0);
  });

  it('is told with the reason if nobody may look', async () => {
    Object.assign(stage, { searches: [error('scope', 'No permission.')], store: { canHold: true } });
    const told = await refusal(stage.run());
    expect(told.sentence).toBe(
      'No answer. What was sent at 12:00:00 may exist. The search for it failed: No permission. Advice for scope.',
    );
    expect([told.retryAfterSeconds, stage.asked.length]).toEqual([undefined, 1]);
  });

  it('is told with the ids of at most five records that it may be', async () => {
    stage.searches = [{ ...nothing, candidates: ['1', '2', '3', '4', '5', '6'] }];
    expect((await refusal(stage.run())).message).toBe('No answer. What was sent at 12:00:00 may exist. It may be 1 or 2 or 3 or 4 or 5.');
  });

  it('is looked for from a quarter of an hour before, by the earlier of both clocks; with the time of the service, from five minutes before', async () => {
    const takes = 3_000;
    stage.answers = [() => ((stage.now += takes), lost)];
    stage.searches = [() => ((stage.ahead = -60 * minute), nothing), nothing];
    await refusal(stage.run());
    const sentByService = startedAt + takes - 60 * minute;
    expect(stage.asked.map(({ sentAfter }) => sentAfter)).toEqual([
      startedAt - 15 * minute,
      sentByService - takes - 5 * minute,
      sentByService - takes - 5 * minute,
    ]);
  });

  it.each<[number, number]>([
    [60 * minute, 15],
    [-60 * minute, 75],
  ])('is looked for by the clock of the service if that is behind: ahead by %i ms', async (ahead, minutesBefore) => {
    stage.ahead = ahead;
    stage.answers = [() => ((stage.now += 1_000), (stage.ahead = ahead), lost)];
    // What an earlier release kept has no time of the service.
    stage.write.find = async (search) => (stage.asked.push({ ...search }), nothing);
    stage.earlier(10 * 60 * minute);
    await stage.run().catch(() => undefined);
    expect(stage.asked[0]?.sentAfter).toBe(startedAt - 10 * 60 * minute - minutesBefore * minute);
  });

  it("is kept if the platform's own signal ends the search; if it cannot be kept, it is told", async () => {
    stage.searches = [signal];
    await expect(stage.run()).rejects.toBe(signal);
    expect(stage.kept.size).toBe(1);
    stage.store.set = async () => false;
    stage.kept.clear();
    expect((await refusal(stage.run())).sentence).toBe(
      'No answer. What was sent at 12:00:00 may exist. Look for it in the service before you try again.',
    );
  });
});

describe('an idempotent write whose answer was lost', () => {
  beforeEach(() => void (stage.write = { isIdempotent: true }));

  it.each<[string, WriteResult, number]>([
    ['no answer', lost, 3],
    ['an error of the service', failed, 2],
  ])('after %s, is sent again after a second, and not kept meanwhile', async (_, answer, sends) => {
    stage.answers = [answer];
    stage.searches = [() => (expect(stage.kept.size).toBe(0), nothing)];
    expect((await refusal(stage.run())).advice).toBe('Try again: if it has been done, nothing more happens.');
    expect(stage.sends).toBe(sends);
    expect(stage.log.filter((each) => each.startsWith('sleep'))).toEqual(Array(sends - 1).fill('sleep 1000'));
  });

  it.each([
    [1_000, 1],
    [1_001, 2],
  ])('with %i ms left at the platform, is sent %i times', async (leftMs, sends) => {
    stage.answers = [lost, done];
    stage.policy.leftMs = () => leftMs;
    await stage.run().catch(() => undefined);
    expect(stage.sends).toBe(sends);
  });

  it.each([
    [false, 'server', 2],
    [true, 'server', 1],
    [false, 'scope', 1],
  ] as const)('that must be cleaned up first (%j), after a search that ended in "%s", is sent %i times', async (cleansUp, kind, sends) => {
    Object.assign(stage, { answers: [lost, done], searches: [error(kind)] });
    Object.assign(stage.write, { repeatsOnlyAfterSearch: cleansUp });
    await stage.run().catch(() => undefined);
    expect(stage.sends).toBe(sends);
  });

  it('is as uncertain as before if the next request was refused, whatever for', async () => {
    stage.answers = [lost, refused('invalid')];
    expect((await refusal(stage.run())).message).toBe('No. What was sent at 12:00:00 may exist. The result of that request: No answer.');
    expect([stage.repeats, stage.kept.get('key')]).toMatchObject([[true], { content: 'sent', pending: { reason: 'No answer.' } }]);
  });

  it("is kept if the platform's own signal ends the next request, or the next search", async () => {
    stage.answers = [lost, signal];
    await expect(stage.run()).rejects.toBe(signal);
    expect(stage.kept.size).toBe(1);
    Object.assign(stage, { answers: [lost], searches: [signal], store: { set: async () => false } });
    await expect(stage.run()).rejects.toBe(signal);
  });

  it('is sent at once in the next try, or after what the earlier one left was cleaned up', async () => {
    expect([await stage.earlier(1_000).run(), stage.log]).toEqual(['made', ['send', 'forget']]);
    stage.log.length = 0;
    stage.write.repeatsOnlyAfterSearch = true;
    expect([await stage.earlier(1_000).run(), stage.log]).toEqual(['made', ['search', 'send', 'forget']]);
  });
});

describe('the next try', () => {
  it('looks for what the earlier one sent, and sends nothing once it is found', async () => {
    stage.searches = [found];
    expect([await stage.earlier(1_000).run(), stage.log]).toEqual(['found', ['search', 'forget']]);
    expect(stage.asked).toMatchObject([{ content: 'earlier' }]);
  });

  it('sends once a minute has passed and nothing was there: the time of a search does not count', async () => {
    stage.searches = [() => ((stage.now += 5_000), nothing), nothing];
    expect(await stage.earlier(58_000).run()).toBe('made');
    expect(stage.log).toEqual(['search', 'sleep 1000', 'search', 'send', 'forget']);
  });

  it('waits for the whole minute if the clock was set back', async () => {
    expect(await stage.earlier(-60 * minute).run()).toBe('made');
    const slept = stage.log.flatMap((each) => (each.startsWith('sleep') ? Number(each.slice(6)) : []));
    expect(slept).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 29_000]);
  });

  it.each<[string, number | undefined, number | undefined, number[]]>([
    ['the clock of the service shows that it was sent just now', 0, startedAt - 58_000, [1_000, 1_000]],
    ['the service shows no time now', undefined, startedAt - 58_000, []],
    ['nobody knows its time by the service', 0, undefined, []],
    ['the clock of the service was set back', -60 * minute, startedAt, [1_000, 2_000, 4_000, 8_000, 16_000, 29_000]],
  ])('an hour later by this clock, where %s, waits accordingly', async (_, ahead, serviceSentBefore, sleeps) => {
    stage.ahead = ahead;
    expect(await stage.earlier(60 * minute, { serviceSentBefore }).run()).toBe('made');
    expect(stage.log.flatMap((each) => (each.startsWith('sleep') ? Number(each.slice(6)) : []))).toEqual(sleeps);
  });

  it.each<[string, EffectLookup<string>, string]>([
    ['something may be it', { ...nothing, candidates: ['thing_1'] }, ' It may be thing_1.'],
    ['not everything was read', { ...nothing, isComplete: false }, ''],
  ])('tells and sends nothing if %s after exactly a minute, and no step is held', async (_, seen, more) => {
    Object.assign(stage, { searches: [seen], store: { canHold: true } });
    const told = await refusal(stage.earlier(minute).run());
    expect(told).toMatchObject({ message: `It was lost. What was earlier at 11:59:00 may exist.${more}`, retryAfterSeconds: undefined });
    expect(stage.log).toEqual(['search', 'keep']);
  });

  it.each<[number, number | undefined]>([
    [1_000, 51],
    [1_001, undefined],
  ])('with %i ms left at the platform, is held until the minute is over, if it cannot wait itself', async (leftMs, heldSeconds) => {
    Object.assign(stage, { store: { canHold: true } });
    stage.policy.leftMs = () => (stage.log.includes('sleep 1000') ? 0 : leftMs);
    const told = await refusal(stage.earlier(10_000).run());
    expect(told.retryAfterSeconds).toBe(heldSeconds ?? 50);
    expect(stage.kept.get('key')?.pending.holds).toBe(1);
  });

  it('is not held a second time, nor by a platform that cannot, nor if it could not be kept', async () => {
    stage.policy.leftMs = () => 0;
    for (const [store, holds] of [
      [{ canHold: true }, 1],
      [{}, 0],
      [{ canHold: true, set: async () => false }, 0],
    ] as const) {
      stage.store = store;
      expect((await refusal(stage.earlier(10_000, { holds }).run())).retryAfterSeconds).toBeUndefined();
    }
  });

  it('leaves the earlier one as uncertain as it was if it ends before anything is sent', async () => {
    Object.assign(stage, { answers: [new NotSent('given up')], store: { canHold: true } });
    const told = await refusal(stage.earlier(2 * minute).run());
    expect(told).toMatchObject({ message: 'It was lost. What was earlier at 11:58:00 may exist.', retryAfterSeconds: undefined });
    expect(stage.kept.get('key')).toMatchObject({ content: 'earlier', pending: { sentBefore: startedAt - 2 * minute } });
  });

  it.each<[ErrorKind, string]>([
    ['slotTaken', 'No. What was sent at 11:58:00 may exist. The result of that request: It was lost.'],
    ['conflict', 'No. What was sent at 11:58:00 may exist. The result of that request: It was lost.'],
    ['invalid', 'No. An earlier request for it had failed: It was lost.'],
    ['rateLimited', 'No. An earlier request for it had failed: It was lost.'],
  ])('that is refused with "%s" says what came of the earlier one, which may be the reason', async (kind, message) => {
    stage.answers = [refused(kind)];
    expect((await refusal(stage.earlier(2 * minute).run())).message).toBe(message);
    expect([stage.repeats, stage.kept.get('key')?.content]).toEqual([[true], 'earlier']);
  });

  it('keeps the words of the first failure, adds what else came, and says each only once', async () => {
    const down: WriteResult = { ...failed, error: error('server', 'Maintenance.') };
    stage.answers = [down, lost, lost];
    const told: (string | undefined)[] = [];
    for (let count = 0; count < 3; count += 1) {
      told.push((await refusal(stage.run())).message.split(' What')[0]);
      stage.now += 2 * minute;
    }
    expect([told, stage.sends]).toEqual([['Maintenance.', 'Maintenance. No answer.', 'Maintenance. No answer.'], 3]);
  });

  it('says that the program ended, if it ended before anything came', async () => {
    stage.searches = [{ ...nothing, candidates: ['thing_1'] }];
    const { message, advice } = await refusal(stage.earlier(minute, { reason: '' }).run());
    expect(message).toBe('The program ended before a response came. What was earlier at 11:59:00 may exist. It may be thing_1.');
    expect(advice).toContain('enter yours there by hand');
  });

  it('finds a result that nobody was told, and forgets it only when that is asked for', async () => {
    const told: unknown[] = [];
    stage.onDone = (keys) => told.push(keys);
    stage.store = { writesAhead: true };
    expect([await stage.run(), stage.kept.size]).toEqual(['made', 1]);
    stage.searches = [found];
    expect([await stage.run(), stage.sends, stage.kept.size, told]).toEqual(['found', 1, 1, [{ content: 'key' }, { content: 'key' }]]);
  });
});

describe('a store that does not answer', () => {
  const silent = error('server', 'The database does not answer.');
  const fails = () => Promise.reject(silent);

  it.each<[string, Partial<PendingStore>]>([
    ['whether something is pending', { get: fails }],
    ['when the write is recorded ahead', { set: fails, writesAhead: true }],
  ])('%s: nothing is sent', async (_, store) => {
    stage.store = store;
    await expect(stage.run()).rejects.toBe(silent);
    expect(stage.sends).toBe(0);
  });

  describe('after the write was sent', () => {
    const ahead = async () => (stage.sends === 0 ? true : fails());
    beforeEach(() => void (stage.store = { writesAhead: true, set: ahead, delete: fails }));

    it.each([
      [done, 'made'],
      [lost, 'found'],
      [refused('conflict'), 'No.'],
    ])('hides neither a result nor a refusal (%#)', async (answer, end) => {
      [stage.answers, stage.searches] = [[answer], [found]];
      expect(await stage.run().catch(({ message }: Error) => message)).toBe(end);
    });

    it.each([
      ['was not found', nothing],
      ["may be there: the platform's own signal ended the search", signal],
    ])('tells that nobody knows what came of it, if it %s', async (_, seen) => {
      Object.assign(stage, { answers: [lost], searches: [seen] });
      const told = await refusal(stage.run());
      expect(told).toMatchObject({ kind: 'unknownOutcome', advice: 'Look for it in the service before you try again.' });
    });
  });
});
