import { chmod, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { sign } from '../../shared/webhooks/signature.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { Browser, type Page } from '../../tools/rigs/zapier/browser.ts';
import { deliver, raw, statusIn } from '../sdk/deliveries.ts';
import type { Installed } from '../sdk/installed.ts';
import { until } from '../support/until.ts';
import { Application, copiedExample } from './application.ts';

let sandbox: Sandbox;
let installed: Installed;
let app: Application;
/** The browser of the person who runs the application. */
const browser = new Browser();

beforeAll(async () => {
  sandbox = await startSandbox();
  installed = await copiedExample();
  app = await Application.start(installed, sandbox);
});
afterAll(async () => {
  await app.stop();
  await installed.close();
  await sandbox.stop();
});

const connect = async (): Promise<Page> =>
  browser.press(await browser.press(await browser.open(`${app.own}/`), /connect an account/i), /allow/i);
const wanted = (start: string) => {
  const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat');
  return { event_type_id: type?.id ?? '', start_time: start, invitee_name: 'Ada <b>Lovelace</b>', invitee_email: 'ada@example.com' };
};
/** Chooses an event type and sends its form. */
const book = async (start: string, fields: Record<string, string> = {}, what = 'Coffee Chat'): Promise<Page> => {
  const { event_type_id, ...entered } = wanted(start);
  const type = sandbox.eventTypes().find(({ name }) => name === what)?.id ?? event_type_id;
  return browser.press(await browser.open(`${app.own}/book?event_type_id=${type}`), /book/i, { fields: { ...entered, ...fields } });
};
const kept = (name: string): Record<string, string> => {
  const database = new DatabaseSync(app.file, { readOnly: true });
  const row = database.prepare('SELECT value FROM scheduling_kept WHERE name = ?').get(name);
  database.close();
  return JSON.parse(String(row?.['value'] ?? '{}')) as Record<string, string>;
};

it('says on each page that no account is connected yet, and never that one has expired', async () => {
  for (const page of ['/', '/bookings', '/book']) {
    const { html } = await browser.open(`${app.own}${page}`);
    expect(html).toMatch(/No account (of .+ )?is connected/);
    expect(html).not.toMatch(/expired|revoked/);
  }
});

it('connects an account through the consent page, and keeps what must outlive it in files that only its owner can read', async () => {
  expect(await connect()).toMatchObject({ status: 200, html: expect.stringContaining('The account is connected') as unknown });
  expect(sandbox.subscriptions()).toMatchObject([{ url: `${app.open}/deliveries`, signed: true }]);
  for (const file of [app.file, `${app.file}-wal`, `${app.file}-shm`]) expect((await stat(file)).mode & 0o077).toBe(0);
});

it("books at the host's time, receives a delivery about it, verifies it, and shows names as plain text", async () => {
  const page = await book('2040-01-31T09:00');
  expect(page.status).toBe(201);
  const booked = sandbox.bookings().find(({ invitee_name }) => invitee_name === 'Ada <b>Lovelace</b>');
  expect([page.html, booked?.start_time]).toEqual([expect.stringMatching(/Start \(Europe\/Madrid\)[^]*09:00/), '2040-01-31T08:00:00.000Z']);
  await until(() => app.printed.includes(`BOOKING_CREATED ${booked?.id} verified`));
  const list = (await browser.open(`${app.own}/bookings`)).html;
  expect(list).toContain('Ada &lt;b&gt;Lovelace&lt;/b&gt;');
  expect(list).not.toContain('<b>');
  expect((await browser.open(`${app.own}/`)).html).toMatch(/Booking created<[^]*Ada &lt;b&gt;Lovelace&lt;/);
});

it('says in a sentence what is wrong with a booking, above the form with what was entered', async () => {
  const refused = await book('2040-02-01T09:00', { invitee_email: 'ada' });
  expect(refused).toMatchObject({ status: 400, html: expect.stringContaining('is not an email address') as unknown });
  expect((await browser.press(refused, /book/i, { fields: { invitee_email: 'ada@example.com' } })).status).toBe(201);
});

it('offers what can be booked, and every one of them can be, with its questions', async () => {
  const { html } = await browser.open(`${app.own}/book`);
  const active = sandbox.eventTypes().filter(({ active }) => active);
  expect([...html.matchAll(/event_type_id=([^"]+)"/g)].map(([, id]) => id).sort()).toEqual(active.map(({ id }) => id).sort());
  for (const [day, { id, name, questions }] of active.entries()) {
    const answers = Object.fromEntries(
      questions.filter(({ required }) => required).map(({ key, ...rest }) => [`answer.${key}`, answerTo(rest)]),
    );
    const page = await book(`2041-03-${String(day + 10)}T10:00`, answers, name);
    expect([name, page.status]).toEqual([name, 201]);
    const booked = sandbox.bookings().find((each) => each.event_type_id === id && each.start_time.startsWith('2041'));
    expect(Object.keys(booked?.question_responses ?? {})).toEqual(Object.keys(answers).map((key) => key.replace('answer.', '')));
  }
});

const answerTo = ({ type, options }: { type: string; options: readonly string[] }): string =>
  options[0] ?? { boolean: 'true', number: '3', email: 'a@example.com', phone: '+34600000000', date: '2041-01-01' }[type] ?? 'Yes';

it('loses nothing when it is killed: it is still connected and subscribed, and recognises an earlier delivery', async () => {
  const { signing_secret } = kept('subscription subscription');
  const body = JSON.stringify({ event: 'CONTACT_UPDATED', created_at: '2030-01-02T08:00:00Z', data: { id: 'con_once' } });
  const sent = { body, signature: sign(body, signing_secret ?? ''), event: 'CONTACT_UPDATED' };
  expect((await deliver(`${app.open}/deliveries`, { ...sent, body: body.replace('once', 'changed') })).status).toBe(401);
  expect((await deliver(`${app.open}/deliveries`, sent)).text).toBe('Thank you.');
  const before = sandbox.subscriptions();
  await chmod(app.file, 0o644);
  await app.restart();
  for (const file of [app.file, `${app.file}-wal`, `${app.file}-shm`]) expect((await stat(file)).mode & 0o077).toBe(0);
  expect((await deliver(`${app.open}/deliveries`, sent)).text).toBe('This delivery was received before.');
  expect(app.printed.match(/con_once verified/g)).toHaveLength(1);
  expect((await browser.open(`${app.own}/bookings`)).status).toBe(200);
  expect(sandbox.subscriptions()).toEqual(before);
});

describe('while it runs', () => {
  const remove = async (): Promise<void> => {
    const [{ id } = { id: '' }] = sandbox.subscriptions();
    const { access_token } = kept('tokens tokens');
    await fetch(`${sandbox.baseUrl}/hooks/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${access_token}` } });
    expect(sandbox.subscriptions()).toEqual([]);
  };
  const isSubscribed = () =>
    until(() => sandbox.subscriptions().length === 1 && kept('subscription subscription')['id'] === sandbox.subscriptions()[0]?.id);
  afterAll(() => app.restart());

  it('checks the subscription after a delivery with a wrong signature', async () => {
    // The checks before this one have used up the minute's subscription requests.
    await sandbox.clock.advance(60_000);
    await app.restart({ CHECK_SECONDS: '20' });
    await isSubscribed();
    await remove();
    expect((await deliver(`${app.open}/deliveries`, { body: '{}' })).status).toBe(401);
    const began = Date.now();
    await isSubscribed();
    expect(Date.now() - began).toBeLessThan(15_000);
  });
});

it('a second account does not take the place of the first', async () => {
  const before = kept('tokens tokens');
  const { status } = await browser.open(`${app.own}/connect`, { form: new URLSearchParams(), from: `${app.own}/` });
  expect(status).toBe(409);
  expect(kept('tokens tokens')).toEqual(before);
});

describe('whatever comes in', () => {
  const get = (at: string, path: string, more = ''): Promise<string> =>
    raw(at, `GET ${path} HTTP/1.1\r\nHost: ${new URL(at).host}\r\n${more}Connection: close\r\n\r\n`, { isOpen: true });

  afterEach(async () => {
    expect(app.hasEnded).toBe(false);
    expect((await fetch(`${app.open}/nothing`)).status).toBe(404);
    expect((await fetch(`${app.own}/nothing`)).status).toBe(404);
  });

  it.each(['//', '///', '/%', '/%ff', '/../..', '/__proto__', 'http://[', '*', '/%c0%80', '/connected?state=%', '/callback?state=%ff%'])(
    'a request for %s is answered without an error',
    async (path) => {
      for (const at of [app.own, app.open]) expect([200, 400, 404, 409]).toContain(statusIn(await get(at, path)));
    },
  );

  it.each(['/', '/bookings', '/book', '/connect', '/connected', '/disconnect'])('%s is not public', async (path) => {
    for (const method of ['GET', 'POST']) expect((await fetch(app.open + path, { method, redirect: 'manual' })).status).toBe(404);
  });

  it('a name that was made to lead to this machine reads nothing', async () => {
    const answer = await raw(app.own, 'GET /bookings HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n');
    expect(statusIn(answer)).toBe(403);
    expect(answer).not.toContain('Ada');
  });

  it.each(['/book', '/connect', '/disconnect'])('another site does nothing at %s', async (path) => {
    const before = sandbox.bookings().length;
    for (const origin of ['https://foreign.example', 'null', app.open]) {
      const response = await fetch(app.own + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(wanted('2040-03-01T09:00')).toString(),
      });
      expect(response.status).toBe(403);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    expect(sandbox.bookings()).toHaveLength(before);
    expect(sandbox.subscriptions()).toHaveLength(1);
  });

  it('nor does a picture, a frame or a link on another site, which sends no origin', async () => {
    for (const site of ['cross-site', 'same-site'])
      for (const path of ['/', '/bookings', '/connect'])
        expect(statusIn(await get(app.own, path, `Sec-Fetch-Site: ${site}\r\n`))).toBe(403);
    expect(await get(app.own, '/')).toMatch(/frame-ancestors 'none'/);
  });

  it('a form that is far too long, or a body that is not a form, is refused', async () => {
    const long = await fetch(`${app.own}/book`, { method: 'POST', body: new URLSearchParams({ invitee_name: 'a'.repeat(100_000) }) });
    expect(long.status).toBe(413);
    expect((await fetch(`${app.own}/book`, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } })).status).toBe(400);
  });
});

it('disconnecting deletes the subscription and revokes the tokens at the service', async () => {
  const { access_token } = kept('tokens tokens');
  const page = await browser.open(`${app.own}/disconnect`, { form: new URLSearchParams(), from: `${app.own}/` });
  expect(page).toMatchObject({ status: 200, html: expect.stringContaining('Disconnected') as unknown });
  expect(sandbox.subscriptions()).toEqual([]);
  expect((await fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(401);
  expect([kept('tokens tokens'), kept('subscription subscription')]).toEqual([{}, {}]);
});

it('neither tokens, nor the secret, nor a name was printed', () => {
  expect(app.printed).not.toMatch(/whsec|Bearer|Lovelace|@example\.com/);
});
