import { afterEach, describe, expect, it } from '@jest/globals';
import { realClock, virtualClock, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { at, caller, hostCaller, listAt, start, startReceiver, stopAll, textAt, type Receiver } from './support.ts';

afterEach(stopAll);

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

async function listening(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; receiver: Receiver; id: string }> {
  const sandbox = await start({ clock: virtualClock(), forms: { retries: 'days' }, limits: false, ...options });
  const receiver = await startReceiver();
  const { body } = await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: ['BOOKING_CREATED'] });
  return { sandbox, receiver, id: textAt(body, 'data', 'id') };
}
const fail = (receiver: Receiver, times: number) => receiver.answers.push(...Array<number>(times).fill(503));
const last = (sandbox: Sandbox) => sandbox.deliveries().at(-1);

describe('an outage, with the schedule of days', () => {
  it('that is longer than all eight tries ends in a delivery that is given up, with the reason, after 27.6 hours', async () => {
    const { sandbox, receiver } = await listening();
    fail(receiver, 20);
    sandbox.host.book();
    const began = sandbox.clock.now();
    await sandbox.forward(2 * day);
    expect(sandbox.clock.now()).toBe(began + 2 * day);
    expect(receiver.received).toHaveLength(8);
    const tries = last(sandbox)?.attempts.map(({ at: moment }) => Date.parse(moment)) ?? [];
    expect(tries.slice(1).map((moment, index) => moment - (tries[index] ?? 0))).toEqual([
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      10 * hour,
    ]);
    expect(last(sandbox)).toMatchObject({ status: 'failed', given_up: 'after 8 tries', next_attempt_at: null });
  });

  it('that is shorter than all tries loses nothing: the next try is accepted', async () => {
    const { sandbox, receiver } = await listening();
    fail(receiver, 4);
    sandbox.host.book();
    await sandbox.forward(3 * hour);
    expect(last(sandbox)).toMatchObject({ status: 'delivered' });
    expect(last(sandbox)).not.toHaveProperty('given_up');
    expect(receiver.received).toHaveLength(5);
  });

  it('a delivery that was given up is sent again once when the host asks for it, and is given up again if it fails', async () => {
    const { sandbox, receiver } = await listening();
    fail(receiver, 9);
    sandbox.host.book();
    await sandbox.forward(2 * day);
    const { id = '' } = last(sandbox) ?? {};
    sandbox.host.redeliver(id);
    await sandbox.forward(2 * day);
    expect(receiver.received).toHaveLength(9);
    expect(last(sandbox)).toMatchObject({ status: 'failed', given_up: 'after 9 tries' });
    sandbox.host.redeliver(id);
    await sandbox.settled();
    expect(last(sandbox)).toMatchObject({ status: 'delivered', given_up: null });
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body);
  });
});

describe('a subscription that accepts nothing for five days', () => {
  const failingForDays = async () => {
    const all = await listening();
    fail(all.receiver, 100);
    for (let days = 0; days < 6; days += 1) {
      all.sandbox.host.book();
      await all.sandbox.forward(day);
    }
    return all;
  };

  it('is paused: the list says so, later events are not kept for it, and waiting deliveries are given up for that reason', async () => {
    const { sandbox, receiver, id } = await failingForDays();
    expect(sandbox.subscriptions()).toMatchObject([{ id, active: false }]);
    expect(listAt((await caller(sandbox)('GET', '/hooks')).body, 'data')).toMatchObject([{ id, active: false }]);
    const sent = receiver.received.length;
    const deliveries = sandbox.deliveries().length;
    await sandbox.forward(2 * day);
    sandbox.host.book();
    await sandbox.forward(2 * day);
    expect(receiver.received).toHaveLength(sent);
    expect(sandbox.deliveries()).toHaveLength(deliveries);
    expect(new Set(sandbox.deliveries().map(({ status, given_up }) => `${status} ${given_up}`))).toEqual(
      new Set(['failed after 8 tries', 'failed its subscription is paused']),
    );
  });

  it('is not paused if one delivery in between was accepted', async () => {
    const { sandbox, receiver, id } = await listening();
    for (const answer of [503, 503, 503, 200, 503, 503, 503]) {
      receiver.answers.splice(0);
      if (answer !== 200) fail(receiver, 20);
      sandbox.host.book();
      await sandbox.forward(day);
    }
    expect(sandbox.subscriptions()).toMatchObject([{ id, active: true }]);
  });

  it('is never paused with the schedule of minutes', async () => {
    const { sandbox, receiver, id } = await listening({ forms: { retries: 'minutes' } });
    fail(receiver, 100);
    for (let days = 0; days < 8; days += 1) {
      sandbox.host.book();
      await sandbox.forward(day);
    }
    expect(sandbox.subscriptions()).toMatchObject([{ id, active: true }]);
    expect(sandbox.deliveries().every(({ given_up }) => given_up === 'after 6 tries')).toBe(true);
  });

  it('is resumed by its host: events reach it again, and what was given up can be sent', async () => {
    const { sandbox, receiver, id } = await failingForDays();
    receiver.answers.splice(0);
    receiver.received.splice(0);
    const [first] = sandbox.deliveries();
    expect(() => sandbox.host.redeliver(first?.id ?? '')).toThrow('is paused. Resume it');
    sandbox.host.setActive(id, true);
    sandbox.host.redeliver(first?.id ?? '');
    sandbox.host.book();
    await sandbox.settled();
    expect(receiver.received).toHaveLength(2);
    expect(sandbox.subscriptions()).toMatchObject([{ id, active: true }]);
  });
});

it('a subscription that its host pauses is sent nothing, and works again when it is resumed', async () => {
  const { sandbox, receiver, id } = await listening();
  const host = hostCaller(sandbox);
  expect(at((await host('POST', `/subscriptions/${id}/pause`)).body, 'active')).toBe(false);
  sandbox.host.book();
  await sandbox.settled();
  expect(receiver.received).toEqual([]);
  const resumed = await host('POST', `/subscriptions/${id}/resume`);
  expect(at(resumed.body, 'active')).toBe(true);
  expect(resumed.text).not.toContain('whsec');
  sandbox.host.book();
  await sandbox.settled();
  expect(receiver.received).toHaveLength(1);
});

describe('advancing the clock', () => {
  it.each([
    ['the virtual clock', virtualClock],
    ['the real clock', realClock],
  ])('%s: every try is made in turn, also through the host interface', async (_name, clock) => {
    const { sandbox, receiver } = await listening({ clock: clock() });
    fail(receiver, 7);
    sandbox.host.book();
    const before = sandbox.clock.now();
    const reply = await hostCaller(sandbox)('POST', '/clock/forward', { ms: 28 * hour });
    expect(Date.parse(textAt(reply.body, 'now'))).toBeGreaterThanOrEqual(before + 28 * hour);
    expect(receiver.received).toHaveLength(8);
    expect(last(sandbox)).toMatchObject({ status: 'delivered' });
  });

  it('does not go backwards, and refuses a value that is not a length of time', async () => {
    const { sandbox } = await listening();
    for (const ms of [-1, 1.5, '1h']) expect((await hostCaller(sandbox)('POST', '/clock/forward', { ms })).status).toBe(400);
  });
});
