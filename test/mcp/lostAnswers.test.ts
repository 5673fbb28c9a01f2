import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { until } from '../support/until.ts';
import { call, Stage, textOf } from './stage.ts';

// The contract of every platform proves how a write ends whose answer was lost. This is about a client that does not wait for its answer.
let stage: Stage;
let client: Client;
beforeEach(async () => {
  stage = await Stage.open();
  client = await stage.served();
});
afterEach(() => stage.close());

const hook = { url: 'http://127.0.0.1:9/hooks', events: ['BOOKING_CREATED'] };
const idIn = ({ structuredContent }: CallToolResult) => (structuredContent as { id?: string } | undefined)?.id;
const isAnswered = (path: string, status: number) => stage.sandbox.requests().some((each) => each.path === path && each.status === status);

/** Longer than a test takes: what is held goes on when it is let go. */
const held = { delayMs: 60_000 };
const letGo = (): Promise<void> => stage.sandbox.clock.advance(held.delayMs);

/** Begins a call, and leaves it when that is so. The program learns of it. */
async function leave(name: string, given: Record<string, unknown>, when: () => boolean): Promise<void> {
  const impatience = new AbortController();
  const left = client.callTool({ name, arguments: given }, { signal: impatience.signal });
  left.catch(() => undefined);
  await until(when);
  impatience.abort();
  await expect(left).rejects.toThrow();
  await sleep(50);
}

/** Leaves a booking once the service has made it, before it answers. */
function leaveBooking(given: Stage['wanted']): Promise<void> {
  stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay-after', ...held });
  return leave('create_booking', given, () => stage.bookingsOf(given.invitee_email).length > 0);
}

/** Makes a booking whose caller leaves before it is told. The program has read the answer once it has deleted its note of the open write. */
async function untold(given: Stage['wanted']): Promise<string> {
  await leaveBooking(given);
  await letGo();
  await until(() => isAnswered('/v1/bookings', 201) && readdirSync(stage.file.openWrites(stage.file.read().id)).length === 0);
  await sleep(50);
  return stage.bookingsOf(given.invitee_email)[0]?.id ?? '';
}

describe('a call that the client gave up', () => {
  test('and whose booking was cancelled meanwhile by its host: the same call books anew', async () => {
    const given = stage.wanted;
    const id = await untold(given);
    stage.sandbox.host.cancel(id);
    const again = idIn(await call(client, 'create_booking', given));
    expect(stage.bookingsOf(given.invitee_email)).toMatchObject([
      { id, status: 'CANCELLED' },
      { id: again, status: 'CONFIRMED' },
    ]);
  });

  test('and whose booking nobody was told of: the same call gets it; if it cannot be read now, it says so and books nothing', async () => {
    const given = stage.wanted;
    const id = await untold(given);
    stage.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 503, times: 4 });
    const refused = await call(client, 'create_booking', given);
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('which an identical call made')]);
    expect(idIn(await call(client, 'create_booking', given))).toBe(id);
    expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
  });
});

describe('the secret of a subscription', () => {
  beforeEach(() => void stage.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'delay-after', ...held }));
  const isMade = (): boolean => stage.sandbox.subscriptions().length > 0;

  test('is told to one caller: an identical call meanwhile gets none, and sends nothing', async () => {
    const first = call(client, 'create_subscription', hook);
    await until(isMade);
    const second = await call(client, 'create_subscription', hook);
    expect(textOf(second)).toContain('Only its caller is told the secret, and nothing more was sent');
    await letGo();
    expect((await first).structuredContent).toHaveProperty('signing_secret');
    expect(stage.sandbox.subscriptions()).toHaveLength(1);
  });

  test('that nobody was told: the same call deletes the subscription and makes another', async () => {
    await leave('create_subscription', hook, isMade);
    await letGo();
    await until(() => isAnswered('/v1/hooks', 201));
    await sleep(500);
    const [before] = stage.sandbox.subscriptions();
    const id = idIn(await call(client, 'create_subscription', hook));
    expect(stage.sandbox.subscriptions().map((each) => each.id)).toEqual([id]);
    expect(id).not.toBe(before?.id);
  });
});
