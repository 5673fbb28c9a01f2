import { idempotencyKey } from '../../shared/assumptions.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import type { WriteResult } from '../../shared/call.ts';
import type { Write } from '../../shared/writes/index.ts';
import { refusal } from '../support/service.ts';
import { done, failed, lost, minute, nothing, refused, signal, Stage, startedAt } from '../support/writeStage.ts';

let stage: Stage;
beforeEach(() => (stage = new Stage()));

describe('a write of which the service knows the key again', () => {
  const ofKey = (status: number, code: string): WriteResult => ({
    state: 'rejected',
    error: new ServiceError(status === 409 ? 'conflict' : 'invalid', { message: 'No.', advice: 'Advice.', status, code }),
  });
  const inUse = ofKey(409, 'IDEMPOTENCY_KEY_IN_USE');
  const body = (notes: string): Partial<Write<string, string>> => ({
    call: { method: 'POST', path: ['things'], body: { notes }, resourceName: 'thing', scope: 'any' },
  });
  const differing = () => new Set(stage.keys).size;
  beforeEach(() => {
    jest.replaceProperty(idempotencyKey, 'isHeeded', true);
    stage.searches = [new Error('Nothing may be looked for.')];
  });
  afterEach(() => void jest.restoreAllMocks());

  it('is sent under a random UUID, another one for each wish, though all values are the same', async () => {
    expect([await stage.run(), await stage.run(), stage.log]).toEqual(['made', 'made', ['send', 'send']]);
    for (const key of stage.keys) expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(differing()).toBe(2);
  });

  it.each([
    ['no answer', lost],
    ['an error of the service', failed],
  ])('after %s, is sent again once, a second later, under the same key, and on record meanwhile', async (_, answer) => {
    stage.answers = [answer, () => (expect(stage.kept.size).toBe(1), done)];
    expect([await stage.run(), stage.log, stage.kept.size]).toEqual(['made', ['send', 'keep', 'sleep 1000', 'send', 'forget'], 0]);
    expect(differing()).toBe(1);
  });

  it('after a second lost answer is told, on any platform without holding the step, and the next try repeats it first of all', async () => {
    Object.assign(stage, { answers: [lost, lost, done], store: { canHold: true } });
    const told = await refusal(stage.run());
    expect(told).toMatchObject({ kind: 'unknownOutcome', advice: 'Advice of the store.', retryAfterSeconds: undefined });
    stage.log.length = 0;
    expect([await stage.run(), stage.log, differing()]).toEqual(['made', ['send', 'forget'], 1]);
    await stage.run();
    expect(differing()).toBe(2);
  });

  it('is not sent again where no time is left, but by the next try', async () => {
    Object.assign(stage, { answers: [lost, done] });
    stage.policy.leftMs = () => 1_000;
    await refusal(stage.run());
    expect([await stage.run(), stage.sends, differing()]).toEqual(['made', 2, 1]);
  });

  it('has its key on record before it is sent, if the program may end at any moment', async () => {
    Object.assign(stage, { store: { writesAhead: true }, answers: [signal, done] });
    await expect(stage.run()).rejects.toBe(signal);
    expect([await stage.run(), stage.sends, differing(), stage.kept.size]).toEqual(['made', 2, 1, 0]);
  });

  it('keeps the time of its first request, so that a later search can find what that made', async () => {
    stage.answers = [lost];
    await refusal(stage.run());
    stage.now += 10 * minute;
    await refusal(stage.run());
    expect(stage.kept.get('key')?.pending.sentAfter).toBe(startedAt);
  });

  it.each<[string, () => void]>([
    ['something else is wanted', () => void (stage.write = body('other'))],
    ['the service has forgotten the key', () => void jest.replaceProperty(idempotencyKey, 'keptForHours', 1 / 30)],
    ['keys are no longer sent', () => void jest.replaceProperty(idempotencyKey, 'isHeeded', false)],
  ])('is looked for by the next try, and then sent under another key, if %s', async (_, change) => {
    Object.assign(stage, { answers: [() => ((stage.now += 1), lost), lost, done], write: body('mine') });
    await refusal(stage.run());
    stage.now += 2 * minute;
    change();
    Object.assign(stage, { searches: [nothing] });
    stage.log.length = 0;
    expect([await stage.run(), stage.log, differing()]).toEqual(['made', ['search', 'send', 'forget'], 2]);
  });

  it('is still uncertain if its first request is not finished, and the next try repeats it', async () => {
    stage.answers = [lost, inUse, done];
    const { kind, message } = await refusal(stage.run());
    expect([kind, message]).toEqual(['unknownOutcome', 'No. What was sent at 12:00:01 may exist.']);
    expect([await stage.run(), stage.sends, differing()]).toEqual(['made', 3, 1]);
  });

  it.each<[string, WriteResult, number]>([
    ['is refused for its key a minute later', inUse, 2 * minute],
    ['is refused for another request with its key, a minute later', ofKey(422, 'IDEMPOTENCY_KEY_REUSED'), 2 * minute],
    ['gets the same server error again, as the service says', { ...failed, isReplay: true }, 0],
    ['gets a refusal that may be remembered', refused('slotTaken'), 0],
  ])('that %s is told, and looked for by the next try instead', async (_, answer, later) => {
    stage.answers = [lost, lost, answer, answer, done];
    await refusal(stage.run());
    stage.now += later;
    const told = await refusal(stage.run());
    expect(told.message).toContain('may exist.');
    Object.assign(stage, { answers: [done], searches: [nothing] });
    stage.now += 2 * minute;
    stage.log.length = 0;
    expect([await stage.run(), stage.log, differing()]).toEqual(['made', ['search', 'send', 'forget'], 2]);
  });

  it.each(['unauthenticated', 'scope', 'rateLimited', 'unreachable'] as const)(
    'that is refused with "%s" before its key was looked at is repeated under it by the next try',
    async (kind) => {
      stage.answers = [lost, refused(kind), done];
      await refusal(stage.run());
      expect([await stage.run(), stage.sends, differing()]).toEqual(['made', 3, 1]);
    },
  );

  it('is refused like any other if a first request is refused for its key', async () => {
    stage.answers = [ofKey(400, 'IDEMPOTENCY_KEY_INVALID')];
    expect((await refusal(stage.run())).message).toBe('No.');
    expect(stage.kept.size).toBe(0);
  });

  it('that must be cleaned up first is repeated without that', async () => {
    Object.assign(stage, { answers: [lost, lost, done], write: { isIdempotent: true, repeatsOnlyAfterSearch: true } });
    await refusal(stage.run());
    expect([await stage.run(), stage.sends, differing()]).toEqual(['made', 3, 1]);
  });
});
