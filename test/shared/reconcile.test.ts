import { createClient, type Client, type Sent } from '../../shared/api/client.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { PendingWrites } from '../../shared/api/pendingWrites.ts';
import { mostResent, reconcile, settleEarlier, type Look, type Sending, type Write } from '../../shared/api/reconcile.ts';
import { patient, type Patience } from '../../shared/api/retry.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal } from '../support/refusal.ts';

const start = Date.parse('2030-01-02T08:00:00Z');
const error = (kind: 'server' | 'invalid' | 'unreachable') =>
  new ServiceError(kind, { message: `It ended as ${kind}.`, advice: 'Try again.' });
const down = () => Promise.reject(error('unreachable'));
const lost: Sent<string> = { end: 'unconfirmed', reason: 'ECONNRESET' };
const made: Sent<string> = { end: 'done', result: 'made' };
const refused: Sent<string> = { end: 'refused', error: error('invalid') };
const seen: Look<string> = { found: 'seen', isComplete: true };
const notThere: Look<string> = { isComplete: true };
const perhaps: Look<string> = { isComplete: false, candidates: ['bkg_7'] };

interface Script {
  sends?: readonly (Sent<string> | Error)[];
  looks?: readonly (Look<string> | 'down' | Error)[];
  patience?: Partial<Patience>;
  isHarmless?: boolean;
  writes?: PendingWrites;
  /** How far the clock is set forward at each reading. */
  skew?: number;
  /** The service's clock is ahead of ours by this much. If absent, the service shows no time. */
  ahead?: number;
  keys?: Write<string>['keys'];
  content?: string;
}

/** Runs a write and records when it was sent and looked for, in time slept, and what it was looked for by. */
function played({
  sends = [lost],
  looks = [],
  patience = {},
  isHarmless = false,
  writes = new PendingWrites(),
  skew = 0,
  ahead,
  keys,
  content = 'this',
}: Script) {
  let slept = 0;
  let readings = 0;
  const noted: { sent: number[]; again: boolean[]; looked: number[]; by: Sending<string>[] } = { sent: [], again: [], looked: [], by: [] };
  const clock = {
    now: () => start + slept + skew * (readings += 1),
    sleep: async (milliseconds: number) => void (slept += milliseconds),
    random: () => 0,
  };
  const client: Client = {
    ...createClient({ baseUrl: 'https://service.example/api/v1', transport: down, clock, patience: { ...patient, ...patience }, writes }),
    serviceNow: () => (ahead === undefined ? undefined : start + slept + ahead),
  };
  const write: Write<string, string> = {
    turn: 'one',
    content,
    isHarmless,
    ...(keys && { keys }),
    send: async (isAgain) => {
      noted.again.push(isAgain);
      const end = sends[noted.sent.push(slept) - 1] ?? lost;
      if (end instanceof Error) throw end;
      return end;
    },
    look: async (sending) => {
      const look = looks[noted.looked.push(slept) - 1] ?? notThere;
      noted.by.push(sending());
      if (look instanceof Error) throw look;
      return look === 'down' ? down() : look;
    },
    notDone: (reason) => new ServiceError('server', { message: `Not done (${reason}).`, advice: 'Try again.' }),
    unknown: ({ reason, since, candidates, content: sent }) => ({
      message: `Unknown (${reason}) since ${since.toISOString()}: ${sent}, ${candidates.join()}.`,
      advice: 'Look for it.',
    }),
  };
  return { noted, client, write, run: () => reconcile(client, write) };
}

it('an answer that holds what was asked for is final, and nothing is looked for', async () => {
  const { run, noted } = played({ sends: [made] });
  expect(await run()).toBe('made');
  expect(noted).toMatchObject({ sent: [0], looked: [], again: [false] });
});

it('a refusal is final, and nothing is looked for', async () => {
  const { run, noted } = played({ sends: [refused] });
  expect((await refusal(run())).kind).toBe('invalid');
  expect(noted.looked).toEqual([]);
});

it('a write that was seen is done, at the first look that sees it', async () => {
  const { run, noted } = played({ looks: [notThere, seen] });
  expect(await run()).toBe('seen');
  expect(noted).toMatchObject({ sent: [0], looked: [2000, 7000] });
});

it('is sent again only after a complete look past the latest moment at which it can still be carried out (G29)', async () => {
  const { run, noted } = played({ sends: [lost, made] });
  expect(await run()).toBe('made');
  expect(noted).toMatchObject({ looked: [2000, 7000, 32_000], sent: [0, 32_000], again: [false, true] });
  expect((await refusal(played({ patience: { readBackMs: [30_000] } }).run())).kind).toBe('unknownOutcome');
  expect(await played({ sends: [lost, made], patience: { readBackMs: [30_001] } }).run()).toBe('made');
});

it('is reported as not done if it was lost every time', async () => {
  const { run, noted } = played({});
  expect((await refusal(run())).message).toBe('Not done (ECONNRESET).');
  expect(noted.sent).toHaveLength(1 + mostResent);
});

it('is unknown if an existing record may be it; that record is named, and the write is never sent again', async () => {
  const { run, noted } = played({ looks: [notThere, notThere, perhaps] });
  const told = await refusal(run());
  expect(told).toMatchObject({
    kind: 'unknownOutcome',
    message: 'Unknown (ECONNRESET) since 2030-01-02T08:00:00.000Z: this, bkg_7.',
    advice: 'Look for it.',
  });
  expect(noted.sent).toEqual([0]);
  expect((await refusal(played({ looks: [notThere, notThere, { isComplete: false }] }).run())).message).toMatch(/: this, \.$/);
});

it('a failed look cancels what an earlier one seemed to show, and a later one makes up for it', async () => {
  expect((await refusal(played({ looks: [notThere, notThere, 'down'] }).run())).kind).toBe('unknownOutcome');
  expect((await refusal(played({ looks: [perhaps, perhaps, 'down'] }).run())).message).toMatch(/: this, \.$/);
  expect((await refusal(played({ looks: [notThere, 'down'], patience: { readBackMs: [31_000, 32_000] } }).run())).kind).toBe(
    'unknownOutcome',
  );
  expect(await played({ looks: ['down', 'down', seen] }).run()).toBe('seen');
});

it('counts the time slept and not the clock, which somebody may set', async () => {
  for (const skew of [3_600_000, -3_600_000]) expect(await played({ sends: [lost, made], skew }).run()).toBe('made');
  expect(played({ skew: 3_600_000, looks: [seen] }).run()).toBeInstanceOf(Promise);
});

it('no longer looks if the platform leaves no time for the wait, and then says that it is unknown', async () => {
  const { run, noted } = played({ patience: { leftMs: () => 5000 } });
  expect((await refusal(run())).kind).toBe('unknownOutcome');
  expect(noted.looked).toEqual([2000]);
  const more = played({ patience: { leftMs: () => 5001 } });
  await refusal(more.run());
  expect(more.noted.looked).toEqual([2000, 7000]);
  const none = played({ patience: { leftMs: () => 0 } });
  expect((await refusal(none.run())).kind).toBe('unknownOutcome');
  expect(none.noted.looked).toEqual([]);
});

describe('what may be sent twice without harm', () => {
  it('is sent again as soon as a look was answered, and it is known that it may have been done before', async () => {
    const { run, noted } = played({ isHarmless: true, sends: [lost, made] });
    expect(await run()).toBe('made');
    expect(noted).toMatchObject({ sent: [0, 2000], looked: [2000], again: [false, true] });
  });

  it('is not sent again while the service does not answer', async () => {
    const { run, noted } = played({ isHarmless: true, sends: [lost, made], looks: ['down', notThere] });
    await run();
    expect(noted.sent).toEqual([0, 7000]);
  });

  it('nor if nothing could be looked for', async () => {
    for (const script of [{ looks: ['down', 'down', 'down'] as const }, { patience: { leftMs: () => 0 } }]) {
      const { run, noted } = played({ isHarmless: true, sends: [lost, made], ...script });
      expect((await refusal(run())).kind).toBe('unknownOutcome');
      expect(noted.sent).toEqual([0]);
    }
  });

  it('stays known until the next try has ended, whatever ends that', async () => {
    const { store, writes } = heldStep();
    const script = { isHarmless: true, keys: { content: 'this one' }, patience: { readBackMs: [2000] } };
    await refusal(played({ ...script, writes: writes(), looks: ['down'] }).run());
    expect(store.size).toBe(1);
    const signal = new Error('renew the token');
    await expect(played({ ...script, writes: writes(), sends: [signal] }).run()).rejects.toBe(signal);
    expect(store.size).toBe(1);
    expect([await played({ ...script, writes: writes(), sends: [made] }).run(), store.size]).toEqual(['made', 0]);
  });

  it('is looked for to the end if it was sent as often as allowed, and is not done then', async () => {
    const { run, noted } = played({ isHarmless: true });
    expect((await refusal(run())).message).toBe('Not done (ECONNRESET).');
    expect(noted.sent).toEqual([0, 2000, 4000]);
    expect(noted.looked).toEqual([2000, 4000, 6000, 11_000, 36_000]);
  });

  it('a refusal does not settle an earlier try, and is reported only if a look shows that it was certainly not done', async () => {
    expect(await played({ isHarmless: true, sends: [lost, refused], looks: [notThere, seen] }).run()).toBe('seen');
    expect((await refusal(played({ isHarmless: true, sends: [lost, refused] }).run())).kind).toBe('invalid');
    expect(
      (await refusal(played({ isHarmless: true, sends: [lost, refused], looks: [notThere, 'down', 'down', 'down'] }).run())).kind,
    ).toBe('unknownOutcome');
  });
});

it('a write whose effect was removed again may be sent at once', async () => {
  const { run, noted } = played({ sends: [lost, made], looks: [{ isComplete: true, isUndone: true }] });
  expect(await run()).toBe('made');
  expect(noted.sent).toEqual([0, 2000]);
});

describe('the time when it was sent', () => {
  it("is calculated by the service's clock, a minute early at most", async () => {
    const { run, noted } = played({ looks: [notThere, seen], ahead: 600_000 });
    await run();
    expect(noted.by).toEqual([
      { content: 'this', since: start + 540_000, before: start + 540_000 },
      { content: 'this', since: start + 540_000, before: start + 540_000 },
    ]);
  });

  it('is a day wide if the service shows no time', async () => {
    const { run, noted } = played({ looks: [seen] });
    await run();
    expect(noted.by).toEqual([{ content: 'this', since: start - 60_000, before: start - 86_400_000 }]);
  });

  it('is never calculated too late, whichever way our clock is set', async () => {
    for (const skew of [3_600_000, -3_600_000]) {
      const { run, noted } = played({ looks: [seen], ahead: 0, skew });
      await run();
      expect(noted.by[0]?.since).toBeLessThanOrEqual(start - 58_000);
    }
  });
});

describe('a host that ends the step early and runs it again', () => {
  const keys = { content: 'this one' };
  const hasty = { readBackMs: [2000, 12_000] };

  it('is told when to come again, looks first then, and sends if it certainly is not there', async () => {
    const { store, writes } = heldStep();
    const first = played({ keys, writes: writes(), patience: hasty });
    const held = await refusal(first.run());
    expect(held).toMatchObject({ kind: 'unknownOutcome', retryAfterSeconds: 20 });
    expect(held.advice).toBe('The next run of this step looks for it first, and sends it again only if it is not there.');
    const second = played({ keys, writes: writes(), patience: { readBackMs: [20_000, 32_000] }, sends: [made] });
    expect(await second.run()).toBe('made');
    expect(second.noted).toMatchObject({ looked: [0, 8000, 20_000], sent: [20_000], again: [true] });
    expect(store.size).toBe(0);
  });

  it('can ask what an earlier run did without sending anything', async () => {
    const { store, writes } = heldStep();
    await refusal(played({ keys, writes: writes(), patience: hasty }).run());
    const asking = played({ keys, writes: writes(), looks: [seen] });
    expect(await settleEarlier(asking.client, asking.write)).toBe('seen');
    expect(asking.noted.sent).toEqual([]);
    expect(store.size).toBe(0);
    expect(await settleEarlier(asking.client, asking.write)).toBeUndefined();
  });

  it('and is told nothing, and sends nothing, if that certainly did nothing', async () => {
    const { store, writes } = heldStep();
    await refusal(played({ keys, writes: writes(), patience: hasty }).run());
    const asking = played({ keys, writes: writes(), patience: { readBackMs: [32_000] } });
    expect(await settleEarlier(asking.client, asking.write)).toBeUndefined();
    expect(asking.noted).toMatchObject({ looked: [0, 20_000], sent: [] });
    expect(store.size).toBe(0);
  });

  it('calculates with the time at the service that the first run saw', async () => {
    const { store, writes } = heldStep();
    await refusal(played({ keys, writes: writes(), patience: hasty, ahead: 600_000 }).run());
    expect([...store.values()]).toMatchObject([{ serviceSentAt: start + 540_000 }]);
    const second = played({ keys, writes: writes(), looks: [seen], ahead: 5_000_000 });
    await second.run();
    expect(second.noted.by[0]?.since).toBe(start + 540_000);
  });

  it("keeps what is open if the platform's own signal ends the step, so that the next run looks", async () => {
    const { store, writes } = heldStep();
    const signal = new Error('renew the token');
    await expect(played({ keys, writes: writes(), looks: [signal] }).run()).rejects.toBe(signal);
    expect(store.size).toBe(1);
    const next = played({ keys, writes: writes(), looks: [seen] });
    expect(await next.run()).toBe('seen');
    expect(next.noted.sent).toEqual([]);
  });

  it('says that it is unknown if the signal would end the step and nothing could be kept', async () => {
    expect(await refusal(played({ keys, looks: [new Error('renew the token')] }).run())).toMatchObject({
      kind: 'unknownOutcome',
      message: expect.stringMatching(/: this, \.$/) as string,
    });
    const signal = new Error('renew the token');
    await expect(played({ isHarmless: true, looks: [signal] }).run()).rejects.toBe(signal);
  });

  it('forgets what is open after a day', async () => {
    const { store, writes } = heldStep();
    await refusal(played({ keys, writes: writes(), patience: hasty }).run());
    for (const [key, value] of store) store.set(key, { ...(value as object), keptAt: start - 86_400_001 });
    const { run, noted } = played({ keys, writes: writes(), sends: [made] });
    expect(await run()).toBe('made');
    expect(noted.looked).toEqual([]);
  });
});

describe('an item that is tried again', () => {
  const item = (name: string, run = 'run 1') => ({ run, name });

  it('is recognised by its place and not by its values: what its earlier try sent is looked for', async () => {
    const { writes } = heldStep(true);
    await refusal(
      played({ keys: { content: 'nine', item: item('0') }, content: 'nine', writes: writes(), patience: { readBackMs: [] } }).run(),
    );
    const again = played({ keys: { content: 'ten', item: item('0') }, content: 'ten', writes: writes(), looks: [seen] });
    expect(await again.run()).toBe('seen');
    expect(again.noted.by[0]?.content).toBe('nine');
    expect(again.noted.sent).toEqual([]);
  });

  it('does not take what another item of its run left open, although both ask for the same', async () => {
    const { writes } = heldStep(true);
    await refusal(played({ keys: { content: 'nine', item: item('0') }, writes: writes(), patience: { readBackMs: [] } }).run());
    const other = played({ keys: { content: 'nine', item: item('1') }, writes: writes(), sends: [made], looks: [seen] });
    expect(await other.run()).toBe('made');
    const laterRun = played({ keys: { content: 'nine', item: item('1', 'run 2') }, writes: writes(), looks: [seen] });
    expect(await laterRun.run()).toBe('seen');
  });

  it('leaves nothing of what it sent in a store that others can read', async () => {
    const { store, writes } = heldStep(false);
    await refusal(played({ keys: { content: 'key' }, content: 'ada@example.com', writes: writes(), patience: { readBackMs: [] } }).run());
    expect(JSON.stringify([...store.values()])).not.toContain('ada@example.com');
  });
});
