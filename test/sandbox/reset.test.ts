import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import { caller, listAt, startReceiver, stopAll, textAt } from './support.ts';

/** The fixture that the package of the sandbox gives to tests. */
let sandbox: Sandbox;
beforeEach(async () => void (sandbox = await startSandbox({ forms: ['listLag=1s'] })));
afterEach(async () => {
  await sandbox.close();
  await stopAll();
});

const subscribe = (url: string) => caller(sandbox)('POST', '/hooks', { url, events: ['BOOKING_CREATED', 'BOOKING_APPROVED'] });

describe('a reset', () => {
  it('puts back what was changed, deletes what was made, and keeps the token valid', async () => {
    const call = caller(sandbox, sandbox.accessToken);
    const all = async () => [(await call('GET', '/bookings?limit=100')).body, (await call('GET', '/contacts?limit=100')).body];
    const before = await all();
    const pending = await call('GET', '/bookings?status=PENDING');
    const receiver = await startReceiver();
    await subscribe(receiver.url);
    sandbox.host.approve(textAt(pending.body, 'data', 0, 'id'));
    const { id } = sandbox.host.book({ invitee_email: 'new@example.com' });
    await sandbox.settled();
    expect(receiver.received.length).toBeGreaterThan(1);
    sandbox.fail({ route: '*', kind: 'status', times: 'always' });
    await sandbox.reset();
    // The lists of this service are a second behind.
    await sandbox.forward(1_000);
    expect(await all()).toEqual(before);
    expect((await call('GET', `/bookings/${id}`)).status).toBe(404);
    expect([listAt((await call('GET', '/hooks')).body, 'data'), sandbox.deliveries()]).toEqual([[], []]);
  });

  it('waits for what is being sent, and sends nothing from before it afterwards', async () => {
    const receiver = await startReceiver();
    receiver.answers.push(503);
    await subscribe(receiver.url);
    sandbox.host.book();
    await sandbox.reset();
    const { length } = receiver.received;
    await sandbox.forward(86_400_000);
    expect(receiver.received).toHaveLength(length);
  });
});

it('a form that does not exist is refused', async () => {
  await expect(startSandbox({ forms: ['email=upper'] })).rejects.toThrow('email');
});
