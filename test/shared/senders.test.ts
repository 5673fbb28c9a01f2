import { brand } from '../../shared/brand.ts';
import { createClient } from '../../shared/client/client.ts';
import type { ServiceError } from '../../shared/client/errors.ts';
import { accountLimiter, type Limiter, type Sender } from '../../shared/client/limiter.ts';
import { backgroundPolicy, interactivePolicy } from '../../shared/client/retry.ts';
import type { Transport } from '../../shared/client/transport.ts';
import { getCurrentUser } from '../../shared/operations/index.ts';
import { LimitedAccount, limitKinds } from '../../tools/rigs/simulation/account.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';

let time: VirtualTime;
let begun: number;
let account: ReturnType<typeof accountLimiter>;
beforeEach(() => {
  time = new VirtualTime(3);
  begun = time.now();
  account = accountLimiter();
});

/** How long it takes a request to pass that comes at this time. */
async function wait(limiter: Limiter, at = 0): Promise<number> {
  await time.sleep(at);
  const asked = time.now();
  await limiter.pass(time);
  return time.now() - asked;
}
/** The waits of this many requests that come at once. */
const crowd = (limiter: Limiter, count: number) => Promise.all(Array.from({ length: count }, () => wait(limiter)));
const clientOf = (limiter: Limiter, transport: Transport, retryPolicy = backgroundPolicy) =>
  createClient({ baseUrl: 'https://service.invalid/api/v1', clock: time, retryPolicy, limiter, transport });

describe('runs of many items', () => {
  it('burst until nine tenths of a window are used, continue slowly to its last 20 places, and start again after it', async () => {
    const passed = await time.during(crowd(account.for('bulk'), 1900));
    // And the first of the slow ones.
    expect(passed.filter((at) => at === 0)).toHaveLength(883);
    const slow = passed.filter((at) => at > 0 && at < 60_500);
    expect(slow).toHaveLength(77);
    for (const [place, at] of slow.entries()) expect(at - (slow[place - 1] ?? 0)).toBeGreaterThanOrEqual(place === 0 ? 0 : 775);
    expect(passed.filter((at) => at >= 60_500 && at < 121_000)).toHaveLength(940);
  });

  it('burst as much after requests of people, as long as there are places', async () => {
    expect(await time.during(crowd(account.for('person'), 60))).toEqual(Array(60).fill(0));
    expect((await time.during(crowd(account.for('bulk'), 900))).filter((at) => at === 0)).toHaveLength(883);
  });

  it.each(['person', 'single'] as const)('let a %s pass within a second, whenever it comes', async (sender) => {
    const clicks = Promise.all(Array.from({ length: 90 }, (_, place) => wait(account.for(sender), 100 + place * 3000)));
    const work = crowd(account.for('bulk'), 5000);
    expect(Math.max(...(await time.during(clicks)))).toBeLessThanOrEqual(1000);
    await time.during(work);
  });

  it('leave the next place to a person even while requests are spread because others use the account', async () => {
    account.for('bulk').pause(100, time);
    const work = crowd(account.for('bulk'), 300);
    const persons = Promise.all([1, 2, 3].map(() => wait(account.for('person'), 5000)));
    // Three places at twice the fair distance of 62 ms.
    expect(Math.max(...(await time.during(persons)))).toBeLessThanOrEqual(3 * 124);
    await time.during(work);
  });

  it('include a crowd of single runs: nobody else waits behind those either', async () => {
    const work = crowd(account.for('single'), 2000);
    expect(await time.during(wait(account.for('person'), 10_000))).toBeLessThanOrEqual(1000);
    await time.during(work);
  });

  it('never exceed the limit together with all others', async () => {
    const senders = ['person', 'bulk', 'single', 'bulk'] as const;
    const sent = Array.from({ length: 3000 }, async (_, place) => {
      await wait(account.for(senders[place % 4] ?? 'bulk'), place * 7);
      return time.now() - begun;
    });
    const at = (await time.during(Promise.all(sent))).sort((a, b) => a - b);
    for (const [place, moment] of at.entries()) if (place >= 980) expect(moment - (at[place - 980] ?? 0)).toBeGreaterThanOrEqual(60_500);
  });
});

it('an account is busy while somebody waits, and while the service has asked for a pause', async () => {
  const isBusy = () => account.isBusy(time);
  expect(isBusy()).toBe(false);
  for (const endpoint of [undefined, 'hooks']) {
    account.for('person').pause(1000, time, endpoint);
    expect(isBusy()).toBe(true);
    await time.during(time.sleep(1000));
    expect(isBusy()).toBe(false);
  }
  const waiting = account.for('bulk').pass(time);
  expect(isBusy()).toBe(true);
  await time.during(waiting);
  expect(isBusy()).toBe(false);
});

describe.each(limitKinds)('while ten bulk runs work in one process, and the limit is counted as %s', (kind) => {
  it('a click waits at most 5 seconds, nothing is refused, and bulk uses 95 % of the limit', async () => {
    const minutes = 4;
    const end = begun + minutes * 60_500;
    const service = new LimitedAccount(kind, time);
    const ask = async (sender: Sender): Promise<number> => {
      const asked = time.now();
      const policy = sender === 'person' ? interactivePolicy : backgroundPolicy;
      await getCurrentUser.run(clientOf(account.for(sender), service.transport, policy), {}, {});
      return time.now() - asked;
    };
    let bulk = 0;
    const worker = async () => {
      for (; time.now() < end; bulk += 1) await ask('bulk');
    };
    const waits: number[] = [];
    const clicks = async (sender: Sender, everyMs: number) => {
      for (await time.sleep(everyMs / 3); time.now() < end; await time.sleep(everyMs))
        waits.push(...(await Promise.all([ask(sender), ask(sender)])));
    };
    // Twelve requests of a run at a time, like the node.
    await time.during(Promise.all([clicks('person', 7_000), clicks('single', 4_000), ...Array.from({ length: 10 * 12 }, worker)]));
    expect(waits.length).toBeGreaterThan(150);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(service.refused).toBe(0);
    expect((bulk + waits.length) / minutes).toBeGreaterThanOrEqual(950);
  });
});

describe('a run whose requests are refused for the rate', () => {
  const refused = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });

  /** How many requests, twelve at a time, were done or refused, and how many were sent. Each takes 100 ms. */
  async function many(count: number, answer: (sent: number) => { status: number; headers?: Record<string, string> }) {
    let sent = 0;
    const client = clientOf(account.for('bulk'), async () => {
      sent += 1;
      const { status, headers = {} } = answer(sent);
      await time.sleep(100);
      return { status, headers, body: status === 200 ? { data: { id: '1', email: 'ada@example.com' } } : undefined };
    });
    const errors: ServiceError[] = [];
    let [left, firstAfter] = [count, Infinity];
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await getCurrentUser.run(client, {}, {}).catch((error: ServiceError) => {
          firstAfter = Math.min(firstAfter, time.now() - begun);
          errors.push(error);
        });
      }
    };
    await time.during(Promise.all(Array.from({ length: 12 }, worker)));
    return { sent, errors, firstAfter, endedAfter: time.now() - begun };
  }

  it('stops after its first requests if the service asks it to wait an hour, and each item says so', async () => {
    const { sent, errors, endedAfter } = await many(500, () => refused(3600));
    expect(sent).toBeLessThanOrEqual(12);
    expect(errors).toHaveLength(500);
    expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(['rateLimited']));
    expect(errors.at(-1)?.advice).toBe('Try again in 60 minutes; the limit is 1,000 requests a minute.');
    expect(endedAfter).toBeLessThan(1000);
  });

  it('of 5,000 ends within minutes if the service keeps asking for a minute, with its first error about as soon', async () => {
    const { sent, errors, firstAfter, endedAfter } = await many(5000, () => refused(60));
    expect(errors).toHaveLength(5000);
    expect(firstAfter).toBeLessThanOrEqual(185_000);
    expect(endedAfter).toBeLessThanOrEqual(300_000);
    expect(sent).toBeLessThanOrEqual(60);
  });

  it('continues if the service accepts requests again after a minute or two', async () => {
    expect((await many(1000, (sent) => (sent <= 13 ? refused(60) : { status: 200 }))).errors).toEqual([]);
  });

  it('takes no other answer for such a refusal', async () => {
    const { errors } = await many(60, (sent) => ([1, 30].includes(sent) ? refused(100) : { status: 404 }));
    expect(errors.map(({ kind }) => kind)).not.toContain('rateLimited');
  });

  it('lets each item ask for itself if the service has a reason of its own, and holds nobody else', async () => {
    const words = 'Daily limit of bookings for this event type reached';
    const headers = { 'retry-after': '5400' };
    const client = clientOf(account.for('bulk'), async ({ method }) =>
      method === 'POST' ? { status: 429, headers, body: { error: words, code: 'RATE_LIMITED' } } : { status: 200, headers: {}, body: {} },
    );
    const call = { path: ['bookings'], scope: 'bookings:write', resourceName: 'booking' } as const;
    for (let item = 0; item < 3; item += 1) {
      const sent = await client.write({ method: 'POST', ...call });
      expect(sent.state === 'rejected' && sent.error.sentence).toBe(
        `${brand.name} does not accept this for now. ${brand.name} says: "${words}". Try again in 90 minutes.`,
      );
    }
    expect(account.isBusy(time)).toBe(false);
    expect(await client.read({ method: 'GET', ...call })).toMatchObject({ body: {} });
  });
});
