import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import { startReceiver, stopAll } from './support.ts';

/** The fixture that the package of the sandbox gives to tests. */
let sandbox: Sandbox;
beforeEach(async () => void (sandbox = await startSandbox({ forms: ['listLag=1s'] })));
afterEach(async () => {
  await sandbox.close();
  await stopAll();
});

async function api(path: string, init: { method?: string; body?: string } = {}): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${sandbox.accessToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.baseUrl}${path}`, { headers, ...init });
  return { status: answer.status, body: await answer.json().catch(() => undefined) };
}

const subscribe = (url: string) =>
  api('/hooks', { method: 'POST', body: JSON.stringify({ url, events: ['BOOKING_CREATED', 'BOOKING_APPROVED'] }) });

const listed = async (path: string) => ((await api(path)).body as { data: { id: string }[] }).data.map(({ id }) => id);

describe('a reset', () => {
  it('puts back what was changed, deletes what was made, and keeps the token valid', async () => {
    const before = [(await api('/bookings?limit=100')).body, (await api('/contacts?limit=100')).body];
    const [pending] = await listed('/bookings?status=PENDING');
    const receiver = await startReceiver();
    await subscribe(receiver.url);
    sandbox.host.approve(pending ?? '');
    const { id } = sandbox.host.book({ invitee_email: 'new@example.com' });
    await sandbox.settled();
    expect(receiver.received.length).toBeGreaterThan(1);
    sandbox.fail({ route: '*', kind: 'status', times: 'always' });
    await sandbox.reset();
    // The lists of this service are a second behind.
    await sandbox.forward(1_000);
    expect([(await api('/bookings?limit=100')).body, (await api('/contacts?limit=100')).body]).toEqual(before);
    expect((await api(`/bookings/${id}`)).status).toBe(404);
    expect([await listed('/hooks'), sandbox.deliveries()]).toEqual([[], []]);
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
