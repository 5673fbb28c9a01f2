import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox as Fixture } from '../../sandbox/index.ts';
import { virtualClock, type Limits } from '../../sandbox/service.ts';
import { until } from '../support/until.ts';
import { authorizeUrl, caller, deliveryHeader, refresh, send, start, startReceiver, stopAll, textAt, type Reply } from './support.ts';
import { errorOf, pageIn } from '../support/wire.ts';

const MINUTE = 60_000;
const limited = { status: 429, body: errorOf('Rate limit exceeded', 'RATE_LIMITED') };

/** How many of so many requests pass before the first that is refused. */
async function passing(count: number, request: (index: number) => Promise<Reply>): Promise<number> {
  for (let index = 0; index < count; index++) if ((await request(index)).status === 429) return index;
  return count;
}

describe('the documented limits, each over a minute', () => {
  it('are 1,000 requests to /v1/* for an account, over all its tokens, without those that have no valid token', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const [one, two, nobody] = [caller(sandbox), caller(sandbox), caller(sandbox, 'wrong')];
    expect((await nobody('GET', '/me')).status).toBe(401);
    expect(await passing(1001, (index) => (index % 2 === 0 ? one : two)('GET', '/me'))).toBe(1000);
    const over = await one('GET', '/me');
    expect([over, over.headers.get('retry-after')]).toMatchObject([limited, '60']);
    const other = caller(sandbox, sandbox.issueToken({ accountId: sandbox.addAccount().id }).access_token);
    expect((await other('GET', '/me')).status).toBe(200);
    await sandbox.clock.advance(MINUTE);
    expect((await two('GET', '/me')).status).toBe(200);
  });

  it('are 10 subscription requests, including lists and deletions (G27), and can be switched off', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const call = caller(sandbox);
    const requests = [
      () => call('POST', '/hooks', { url: 'http://127.0.0.1:9/', events: ['BOOKING_CREATED'] }),
      () => call('GET', '/hooks'),
      () => call('DELETE', `/hooks/${sandbox.subscriptions()[0]?.id}`),
    ];
    expect(await passing(12, (index) => requests[index % 3]?.() ?? call('GET', '/me'))).toBe(10);
    expect((await call('GET', '/me')).status).toBe(200);
    const free = caller(await start({ limits: false }));
    expect(await passing(12, () => free('GET', '/hooks'))).toBe(12);
  });

  it('are 20 token requests for a client, including those with a wrong secret', async () => {
    const sandbox = await start({ clock: virtualClock() });
    let { refresh_token } = sandbox.issueToken();
    expect(await passing(5, () => refresh(sandbox, refresh_token, { client_secret: 'wrong' }))).toBe(5);
    for (let index = 0; index < 15; index++) refresh_token = textAt((await refresh(sandbox, refresh_token)).body, 'refresh_token');
    expect(await refresh(sandbox, refresh_token)).toMatchObject(limited);
    await sandbox.clock.advance(MINUTE);
    expect((await refresh(sandbox, refresh_token)).status).toBe(200);
  });
});

/** For each way to count six a minute: how many pass of three at once, of nine after 50 seconds and after a minute, and how long to wait then. */
it.each<[Limits['kind'], number[], string]>([
  ['fixed', [3, 3, 6], '60'],
  ['sliding', [3, 3, 3], '50'],
  ['bucket', [3, 6, 1], '10'],
])('a %s window lets through what it says, and says when to come back', async (kind, expected, wait) => {
  const sandbox = await start({ clock: virtualClock(), limits: { kind, api: 6 } });
  const me = () => caller(sandbox)('GET', '/me');
  const passed = [await passing(3, me)];
  for (const afterMs of [50_000, 10_000]) {
    await sandbox.clock.advance(afterMs);
    passed.push(await passing(9, me));
  }
  expect([passed, (await me()).headers.get('retry-after')]).toEqual([expected, wait]);
});

describe('a sandbox with a data file', () => {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sandbox-'))));
  afterEach(async () => {
    await stopAll();
    rmSync(folder, { recursive: true });
  });
  const file = () => join(folder, 'deeper', 'sandbox.sqlite');
  it('keeps account, client, redirect addresses, tokens, bookings, contacts and subscriptions over a restart', async () => {
    const first = await start({ file: file() });
    const token = first.issueToken();
    await caller(first, token.access_token)('POST', '/hooks', { url: 'http://127.0.0.1:9/x', events: ['CONTACT_UPDATED'] });
    first.host.book();
    first.allowRedirect('http://localhost:7000/back');
    const kept = (of: typeof first) => [of.account, of.client, of.bookings(), of.contacts(), of.subscriptions(), of.eventTypes()];
    const before = structuredClone(kept(first));
    await first.stop();

    const second = await start({ file: file() });
    expect(kept(second)).toEqual(before);
    expect((await caller(second, token.access_token)('GET', '/me')).status).toBe(200);
    expect((await refresh(second, token.refresh_token)).status).toBe(200);
    expect((await send(authorizeUrl(second, { redirect_uri: 'http://localhost:7000/back' }))).status).toBe(200);
  });

  it('sends after a restart what had not arrived before it, signed with the same secret', async () => {
    const receiver = await startReceiver();
    receiver.answers.push(500);
    const clock = virtualClock();
    const first = await start({ file: file(), clock });
    await caller(first)('POST', '/hooks', { url: receiver.url, events: ['BOOKING_CREATED'] });
    first.host.book({ invitee_name: 'Ana Ruiz', invitee_email: 'ana.ruiz@example.com' });
    await first.settled();
    await first.stop();
    await clock.advance(1_000);
    const second = await start({ file: file(), clock });
    // Nobody asks for it: `settled` would send what is due.
    await until(() => second.deliveries()[0]?.status === 'delivered');
    const [one, two] = receiver.received.map((each) => [each.body, deliveryHeader(each, 'Signature')]);
    expect(two).toEqual(one);
  });

  it('holds no usable token', async () => {
    const sandbox = await start({ file: file() });
    const { access_token, refresh_token } = sandbox.issueToken();
    const bytes = readdirSync(join(folder, 'deeper'))
      .map((name) => readFileSync(join(folder, 'deeper', name), 'latin1'))
      .join('');
    expect(bytes).toContain(sandbox.account.email);
    for (const secret of [access_token, refresh_token]) expect(bytes).not.toContain(secret);
  });

  it('refuses the file of another version in a sentence that says what to do', async () => {
    await (await start({ file: file() })).stop();
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(start({ file: file() })).rejects.toThrow(
      'was written by another version of the sandbox. Move it away to start with fresh data',
    );
  });
});

describe('the fixture that the package gives to tests', () => {
  let sandbox: Fixture;
  beforeEach(async () => void (sandbox = await startSandbox({ forms: ['listLag=1s'] })));
  afterEach(() => sandbox.close());
  const subscribe = (url: string) => caller(sandbox)('POST', '/hooks', { url, events: ['BOOKING_CREATED', 'BOOKING_APPROVED'] });

  it('a reset puts back what was changed, deletes what was made, and keeps the token valid', async () => {
    const call = caller(sandbox, sandbox.accessToken);
    const all = async () => [(await call('GET', '/bookings?limit=100')).body, (await call('GET', '/contacts?limit=100')).body];
    const before = await all();
    const pending = await call('GET', '/bookings?status=PENDING');
    const receiver = await startReceiver();
    await subscribe(receiver.url);
    sandbox.host.approve(textAt(pageIn(pending.body).records, 0, 'id'));
    const { id } = sandbox.host.book({ invitee_email: 'new@example.com' });
    await sandbox.settled();
    expect(receiver.received.length).toBeGreaterThan(1);
    sandbox.fail({ route: '*', kind: 'status', times: 'always' });
    await sandbox.reset();
    // The lists of this service are a second behind.
    await sandbox.forward(1_000);
    expect(await all()).toEqual(before);
    expect((await call('GET', `/bookings/${id}`)).status).toBe(404);
    expect([pageIn((await call('GET', '/hooks')).body).records, sandbox.deliveries()]).toEqual([[], []]);
  });

  it('a reset waits for what is being sent, and sends nothing from before it afterwards', async () => {
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
