import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { virtualClock } from '../../sandbox/service.ts';
import { until } from '../support/until.ts';
import { authorizeUrl, refresh, usual } from './authorize.ts';
import { bookingInput, caller, deliveryHeader, send, start, startReceiver, stopAll } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(async () => {
  await stopAll();
  rmSync(folder, { recursive: true });
});
const file = () => join(folder, 'deeper', 'sandbox.sqlite');

describe('a sandbox with a data file', () => {
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
    expect((await send(authorizeUrl(second, usual(second, { redirect_uri: 'http://localhost:7000/back' })))).status).toBe(200);
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

  it('has not done what a fault was still delaying', async () => {
    const first = await start({ file: file(), clock: virtualClock() });
    const before = first.bookings();
    first.faults.add({ route: 'POST /v1/bookings', kind: 'late-commit' });
    await expect(caller(first)('POST', '/bookings', bookingInput(first))).rejects.toThrow();
    await first.stop();
    expect((await start({ file: file() })).bookings()).toEqual(before);
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
      'was written by another version of the sandbox. Delete it to start with fresh data',
    );
  });
});
