import { ServiceError, type ErrorKind } from '../../shared/client/errors.ts';
import { brand } from '../../shared/brand.ts';
import { notRenewed, renewingRequest, TokenRefresher } from '../../shared/oauth/tokenRefresher.ts';
import { VirtualTime } from '../../tools/rigs/virtualTime.ts';
import { refusal } from '../support/service.ts';

let time: VirtualTime;
let renewals: TokenRefresher;
let begun: number;
beforeEach(() => {
  time = new VirtualTime(1);
  begun = time.now();
  renewals = new TokenRefresher({
    now: () => time.now(),
    sleep: (ms, ended) => Promise.race([time.sleep(ms), ...(ended === undefined ? [] : [aborted(ended)])]),
  });
});

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
const passed = () => time.now() - begun;
const failing = (kind: ErrorKind): ServiceError => new ServiceError(kind, { message: `It was ${kind}.`, advice: 'Do this.' });
const never = () => new Promise<void>(() => undefined);

/** Tries with the given results, one after another, a second each. The last result also applies to all later tries. */
function tries(...ends: (ErrorKind | 'renewed' | 'silence')[]) {
  const work = jest.fn(async () => {
    const end = ends[Math.min(work.mock.calls.length, ends.length) - 1] ?? 'renewed';
    if (end === 'silence') await never();
    await time.sleep(1000);
    if (end !== 'renewed' && end !== 'silence') throw failing(end);
  });
  return work;
}

it('refreshes with a request that changes nothing and needs no scope (section 4)', () => {
  expect(renewingRequest('https://example.com/eu/api/v1/')).toEqual({
    method: 'GET',
    url: 'https://example.com/eu/api/v1/me',
    headers: { accept: 'application/json' },
  });
});

describe('a failed refresh', () => {
  it('is reported as "not carried out" with the reason, and keeps what to do and when', () => {
    const error = notRenewed(
      new ServiceError('server', {
        message: 'It could not answer (status 503).',
        advice: 'Try later.',
        status: 503,
        code: 'busy',
        retryAfterSeconds: 7,
      }),
    );
    expect(error).toMatchObject({ kind: 'notRenewed', advice: 'Try later.', status: 503, code: 'busy', retryAfterSeconds: 7 });
    expect(error.message).toBe(
      `Nothing was done, because the connection to ${brand.name} could not be renewed: It could not answer (status 503).`,
    );
    expect(notRenewed(error)).toBe(error);
  });

  it('asks to reconnect if the grant was refused, and in no other case', () => {
    const revoked = failing('unauthenticated');
    expect(notRenewed(revoked)).toBe(revoked);
    for (const kind of ['server', 'unreachable', 'unreadable', 'rateLimited', 'invalid', 'forbidden'] as const)
      expect(notRenewed(failing(kind)).sentence).not.toMatch(/reconnect/i);
  });

  it('says to come again after a minute if there were too many token requests and no time was given', () => {
    expect(notRenewed(failing('rateLimited')).retryAfterSeconds).toBe(60);
    expect(notRenewed(failing('server')).retryAfterSeconds).toBeUndefined();
  });
});

describe('a refresh', () => {
  it('is done once for all who wait, again for later callers, and separately for each connection', async () => {
    const work = tries('renewed');
    await time.during(Promise.all(['a', 'a', 'a', 'b'].map((connection) => renewals.renew(connection, work))));
    expect([work.mock.calls.length, passed()]).toEqual([2, 1000]);
    await time.during(renewals.renew('a', work));
    expect(work).toHaveBeenCalledTimes(3);
  });

  it.each(['server', 'unreachable'] as const)('is tried again after 1 and 3 seconds if it was %s', async (kind) => {
    const work = tries(kind, kind, 'renewed');
    await time.during(renewals.renew('a', work));
    expect(work).toHaveBeenCalledTimes(3);
    expect(passed()).toBe(7000);
  });

  it.each([
    ['server', 3],
    ['unauthenticated', 1],
    ['rateLimited', 1],
    ['invalid', 1],
  ] as const)('that always ends in %s is given up after %i tries', async (kind, count) => {
    const work = tries(kind);
    const error = await time.during(refusal(renewals.renew('a', work)));
    expect(error.message).toContain(`It was ${kind}.`);
    expect(work).toHaveBeenCalledTimes(count);
  });

  it('that failed is remembered for 30 seconds, only for its connection', async () => {
    const work = tries('invalid');
    const first = await time.during(refusal(renewals.renew('a', work)));
    await time.during(time.sleep(29_999));
    expect(await time.during(refusal(renewals.renew('a', work)))).toBe(first);
    expect(work).toHaveBeenCalledTimes(1);
    await time.during(refusal(renewals.renew('b', work)));
    expect(work).toHaveBeenCalledTimes(2);
    await time.during(time.sleep(1));
    await time.during(refusal(renewals.renew('a', work)));
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('that is not answered holds nobody for more than 20 seconds, and later callers for less', async () => {
    const work = tries('silence');
    const late = async () => {
      await time.sleep(15_000);
      await refusal(renewals.renew('a', work));
      return passed();
    };
    const [error, ended] = await time.during(Promise.all([refusal(renewals.renew('a', work)), late()]));
    expect(error.message).toContain('did not answer the token request (within 20 seconds)');
    expect(ended).toBe(20_000);
    expect(passed()).toBe(20_000);
    // The next caller is not held, and asks again once the failure is forgotten.
    await time.during(refusal(renewals.renew('a', work)));
    expect(passed()).toBe(20_000);
    await time.during(time.sleep(30_000));
    await time.during(refusal(renewals.renew('a', work)));
    expect(work).toHaveBeenCalledTimes(2);
    expect(passed()).toBe(70_000);
  });

  it('that succeeds after its deadline counts for the next caller', async () => {
    const work = jest.fn(() => time.sleep(25_000));
    await time.during(refusal(renewals.renew('a', work)));
    await time.during(time.sleep(5_001));
    await time.during(renewals.renew('a', async () => void work.mockClear()));
    expect(work).not.toHaveBeenCalled();
  });

  it('is not tried again once its deadline is past', async () => {
    const work = jest.fn(async () => {
      await time.sleep(21_000);
      throw failing('server');
    });
    await time.during(refusal(renewals.renew('a', work)));
    await time.during(time.sleep(10_000));
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('passes on an error that is not from the core, and remembers it as well', async () => {
    const work = jest.fn(async () => {
      throw new Error('the database is locked');
    });
    await expect(renewals.renew('a', work)).rejects.toThrow('the database is locked');
    await expect(renewals.renew('a', work)).rejects.toThrow('the database is locked');
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('a run that is cancelled', () => {
  it('is freed at once, and the others keep waiting', async () => {
    const work = tries('renewed');
    const stop = new AbortController();
    const others = renewals.renew('a', work);
    const cancelled = renewals.renew('a', work, stop.signal);
    stop.abort(new Error('stopped by hand'));
    await expect(cancelled).rejects.toThrow('stopped by hand');
    await time.during(others);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('and thereby fails its own refresh says nothing to the others: they refresh for themselves', async () => {
    const stop = new AbortController();
    const own = jest.fn(async () => {
      await time.sleep(1000);
      stop.abort(new Error('stopped by hand'));
      throw new Error('aborted');
    });
    const first = renewals.renew('a', own, stop.signal);
    first.catch(() => undefined);
    const work = tries('renewed');
    await time.during(Promise.all([renewals.renew('a', work), renewals.renew('a', work)]));
    await expect(first).rejects.toThrow('stopped by hand');
    expect([own.mock.calls.length, work.mock.calls.length]).toEqual([1, 1]);
  });

  it('is freed at once if it was cancelled before it came', async () => {
    const signal = AbortSignal.abort('no error');
    await expect(renewals.renew('a', never, signal)).rejects.toThrow('The run was cancelled.');
  });
});
