import { once } from 'node:events';
import { request as requestTo, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl, consentTo, exchange, newCode, usual } from './authorize.ts';
import { caller, hostCaller, inHtml, send, start, stopAll, textAt, typeNamed, type Reply } from './support.ts';
import { brand } from '../../shared/brand.ts';

afterEach(stopAll);

/** Sends a form of the host page, as a browser does that has these cookies. */
function post(
  { origin }: Sandbox,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  return send(`${origin}${path}`, { method: 'POST', headers: { origin, ...headers }, body: new URLSearchParams(fields) });
}
/** The cookies that an answer sets. */
const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
const request = (sandbox: Sandbox, invitee_name = 'Wanda Waits') =>
  sandbox.host.book({ event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'x' }, invitee_name });

const invitee = {
  invitee_name: 'A',
  invitee_email: 'a@example.com',
  start_time: '2059-01-02T10:00',
  invitee_timezone: 'UTC',
  locale: 'en',
};

/** Every form on the pages, with the fields that it would send. */
async function everyForm(sandbox: Sandbox): Promise<[string, Record<string, string>][]> {
  const subscription = sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/', events: ['CONTACT_UPDATED'] });
  const contact = sandbox.contacts()[0];
  sandbox.host.editContact(contact?.id ?? '', { phone: '1' });
  const forms: [string, Record<string, string>][] = [
    [`/host/bookings/${sandbox.host.book().id}/cancel`, { reason: 'x' }],
    [`/host/bookings/${sandbox.host.book().id}/reschedule`, { start_time: '2059-01-01T10:00' }],
    [`/host/bookings/${request(sandbox).id}/approve`, {}],
    [`/host/bookings/${request(sandbox).id}/deny`, {}],
    [`/host/types/${typeNamed(sandbox, 'Coffee Chat')}/book`, invitee],
    [`/host/contacts/${contact?.id}`, { name: 'Other', timezone: 'UTC', locale: 'en' }],
    ['/host/subscriptions', { url: 'http://127.0.0.1:9/', events: 'BOOKING_CREATED' }],
    [`/host/subscriptions/${subscription.id}/remove`, {}],
    [`/host/deliveries/${sandbox.deliveries()[0]?.id}/again`, {}],
    ['/host/applications/plan', { plan: 'FREE' }],
    ['/host/account', { account: sandbox.addAccount({ name: 'Sam Second' }).id }],
  ];
  await sandbox.settled();
  return forms;
}

const kept = (sandbox: Sandbox) =>
  JSON.stringify([sandbox.bookings(), sandbox.contacts(), sandbox.subscriptions(), sandbox.account, sandbox.deliveries().length]);

describe('a form of the host page is refused, and nothing is done,', () => {
  it.each([
    ['from another site', 'https://evil.example'],
    ['from another port of this machine', 'http://127.0.0.1:1'],
    ['from a sandboxed frame', 'null'],
    ['from a sender that does not say where it comes from', ''],
  ])('%s', async (_who, origin) => {
    const sandbox = await start();
    const forms = await everyForm(sandbox);
    const before = kept(sandbox);
    for (const [path, fields] of forms) {
      const { status, text } = await post(sandbox, path, fields, { origin });
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain('The form did not come from a page of this sandbox, so nothing was changed.');
    }
    expect(kept(sandbox)).toBe(before);
  });

  it('and each is accepted from its own page, and does nothing as a link', async () => {
    const sandbox = await start();
    for (const [path, fields] of await everyForm(sandbox)) {
      await sandbox.settled();
      const before = kept(sandbox);
      await send(`${sandbox.origin}${path}?${new URLSearchParams(fields).toString()}`);
      expect([path, kept(sandbox)]).toEqual([path, before]);
      expect([path, (await post(sandbox, path, fields)).status]).toEqual([path, 303]);
      // Sending again adds no delivery, and choosing another host only affects this browser.
      if (!/again$|account$/.test(path)) expect(kept(sandbox)).not.toBe(before);
    }
  });
});

describe('the host page', () => {
  const PATHS = [
    '/host',
    '/host/types',
    '/host/contacts',
    '/host/subscriptions',
    '/host/deliveries',
    '/host/applications',
    '/host/nothing',
  ];

  it.each(PATHS)('loads nothing from elsewhere, cannot be framed, and is not stored: %s', async (path) => {
    const { headers } = await send(`${(await start()).origin}${path}`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect([headers.get('x-frame-options'), headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
      'DENY',
      'nosniff',
      'no-store',
    ]);
  });

  it('shows no secret of a subscription or a token, and that of the first client only where an application is connected', async () => {
    const sandbox = await start();
    const created = await caller(sandbox)('POST', '/hooks', { url: 'http://127.0.0.1:9/x?key=receivers-own', events: ['BOOKING_CREATED'] });
    const tokens = (await exchange(sandbox, await newCode(sandbox))).body;
    sandbox.host.book();
    await send(authorizeUrl(sandbox, usual(sandbox)));
    const secrets = [
      sandbox.client.secret,
      textAt(created.body, 'signing_secret'),
      textAt(tokens, 'access_token'),
      textAt(tokens, 'refresh_token'),
      'receivers-own',
    ];
    for (const path of [...PATHS, `/host/deliveries/${sandbox.deliveries()[0]?.id}`]) {
      const { text } = await send(`${sandbox.origin}${path}`);
      const expected = path === '/host/applications' ? [sandbox.client.secret] : [];
      expect(secrets.filter((secret) => text.includes(secret))).toEqual(expected);
      expect(text.replace(sandbox.client.secret, '')).not.toMatch(/\b(whsec|at|rt|cs)_[\w-]{20,}/);
    }
  });

  it('escapes everything that it shows', async () => {
    const sandbox = await start();
    const evil = '"><img src=x onerror=alert(1)><!--';
    const booking = sandbox.host.book({ invitee_name: evil, notes: evil, question_responses: { topic: evil } });
    const contact = sandbox.contacts().at(-1);
    sandbox.addAccount({ name: evil });
    sandbox.addClient({ name: evil, redirectUris: [] });
    for (const path of [
      ...PATHS,
      `/host/bookings/${booking.id}`,
      `/host/contacts/${contact?.id}`,
      `/host/${encodeURIComponent(evil)}`,
      `/host?show=${encodeURIComponent(evil)}`,
    ]) {
      const { text } = await send(`${sandbox.origin}${path}`);
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('<!--');
    }
    expect((await send(`${sandbox.origin}/host/bookings/${booking.id}`)).text).toContain('&lt;img');
  });

  it('and its interface answer to the names of this machine: a name that was made to lead here gets nothing', async () => {
    const sandbox = await start();
    const headers = { host: 'evil.example', 'x-sandbox-host': '1' };
    for (const path of [...PATHS, '/host/api/client']) {
      const [response] = (await once(requestTo(`${sandbox.origin}${path}`, { headers }).end(), 'response')) as [IncomingMessage];
      expect([path, response.statusCode, (await text(response)).includes(sandbox.account.email)]).toEqual([path, 403, false]);
    }
    expect((await send(`http://localhost:${new URL(sandbox.origin).port}/host`)).status).toBe(200);
  });

  it('shows one host nothing of another, and acts for the chosen one', async () => {
    const sandbox = await start();
    const second = sandbox.addAccount({ name: 'Sam Second', email: 'sam@host.example' });
    const theirs = sandbox.host.book({}, second.id);
    let cookie = '';
    const see = (path: string) => send(`${sandbox.origin}${path}`, { headers: { cookie } });
    expect((await see(`/host/bookings/${theirs.id}`)).status).toBe(404);
    expect((await post(sandbox, `/host/bookings/${theirs.id}/cancel`)).status).toBe(404);
    const chosen = await post(sandbox, '/host/account', { account: second.id });
    expect(chosen.headers.get('set-cookie')).toMatch(/^sandbox_account_\d+=acc_\w+; Path=\/host; HttpOnly; SameSite=Lax$/);
    cookie = cookiesOf(chosen);
    expect((await see(`/host/bookings/${theirs.id}`)).status).toBe(200);
    expect((await see('/host')).text).toContain('Times are in Sam Second&#39;s time zone, Europe/London.');
    const mine = sandbox.bookings()[0];
    expect((await see(`/host/bookings/${mine?.id}`)).status).toBe(404);
  });

  it('links back to the start page for the browser that came from there, and tells no other its address', async () => {
    const sandbox = await start();
    const address = 'http://127.0.0.1:4020/start-5f3c';
    sandbox.host.startPage = address;
    const from = async (query: string) => {
      const first = await send(`${sandbox.origin}/host?${query}`);
      const next = await send(`${sandbox.origin}/host/contacts`, { headers: { cookie: cookiesOf(first) } });
      return [first.text, next.text].map((page) => page.includes('start-') && page.includes(`<a href="${address}" >Start</a>`));
    };
    expect(await from(new URLSearchParams({ start: address }).toString())).toEqual([true, true]);
    for (const query of ['', 'start=', 'start=https://evil.example/', 'start=http://127.0.0.1:4020/'])
      expect(await from(query)).toEqual([false, false]);
    expect(JSON.stringify(sandbox.requests())).not.toContain('start-5f3c');
  });

  it('remembers nothing of another sandbox on this machine, although they share cookies, and shows each message once', async () => {
    const [one, two] = [await start(), await start()];
    const done = 'The account is now on the Business plan.';
    const cookie = cookiesOf(await post(one, '/host/applications/plan', { plan: 'BUSINESS' }));
    const see = (of: Sandbox) => send(`${of.origin}/host`, { headers: { cookie } });
    expect((await see(two)).text).not.toContain(done);
    const shown = await see(one);
    expect(shown.text).toContain(done);
    expect(shown.headers.get('set-cookie')).toMatch(/^sandbox_flash_\d+=; Max-Age=0; Path=\/host$/);
  });

  it.each([
    ['questionKey', 'label'],
    ['options', 'objects'],
    ['ids', 'number'],
    ['questions', 'absent'],
    ['errorBody', 'empty'],
  ] as const)('is the same page when the API answers in the form %s=%s', async (name, value) => {
    const sandbox = await start({ forms: { [name]: value } });
    const path = `/host/types/${typeNamed(sandbox, 'Project Kick-off')}/book`;
    const { text } = await send(`${sandbox.origin}${path}`);
    const named = (label: string) => new RegExp(`<label for="[^"]*">${label}</label>[\\s\\S]*?name="([^"]+)"`).exec(text)?.[1] ?? '';
    const [, option = ''] = /<option value="([^"]*)" ?>Up to 5,000</.exec(text) ?? [];
    const fields = { ...invitee, [named('Company')]: 'Brightside', [named('Budget')]: option };
    const reply = await post(sandbox, path, fields);
    expect(reply.status).toBe(303);
    expect(sandbox.bookings().at(-1)?.question_responses).toEqual({
      company: 'Brightside',
      budget: expect.stringMatching(/^(Up to 5,000|opt_.*)$/),
    });
    expect((await send(`${sandbox.origin}${reply.headers.get('location') ?? ''}`)).text).toContain('Brightside');
    expect((await send(`${sandbox.origin}/host/bookings/nothing`)).text).toContain('There is no booking nothing.');
  });

  it.each([
    ['Friday afternoon', '2027-03-05T15:40:00Z'],
    ['Saturday night', '2027-03-06T21:30:00Z'],
    ['a working day', '2027-03-02T10:00:00Z'],
  ])('the form proposes a time in working hours on %s', async (_when, now) => {
    const sandbox = await start({ clock: virtualClock(Date.parse(now)) });
    const { text } = await send(`${sandbox.origin}/host/types/${typeNamed(sandbox, 'Quarterly Review')}/book`);
    const [, proposed = ''] = /name="start_time"[^>]*value="([^"]+)"/.exec(text.replaceAll('\n', ' ')) ?? [];
    const begins = DateTime.fromISO(proposed, { zone: sandbox.account.timezone });
    const ends = begins.plus({ minutes: 90 });
    expect(begins.weekday).toBeLessThanOrEqual(5);
    expect([begins.hour >= 9, ends <= begins.startOf('day').set({ hour: 18 })]).toEqual([true, true]);
  });

  it('names each of several applications with one client id in the list of applications', async () => {
    const sandbox = await start();
    sandbox.allowRedirect('http://127.0.0.1:4020/dashboard/auth/oauth/return/AppCLIAPI/');
    sandbox.allowRedirect('http://localhost:30249', 'MCP server');
    sandbox.allowRedirect('http://127.0.0.1:4031/callback');
    for (const redirect_uri of sandbox.client.redirectUris.filter((uri) => /5678|9000$|4020|30249|4031/.test(uri)))
      await consentTo(sandbox, authorizeUrl(sandbox, usual(sandbox, { redirect_uri })));
    const { text } = await send(`${sandbox.origin}/host/applications`);
    for (const name of [
      'n8n at localhost:5678',
      'n8n at 127.0.0.1:5678',
      'Zapier at 127.0.0.1:4020',
      'MCP server at localhost:30249',
      `${brand.name} on your computer at localhost:9000`,
      `${inHtml(sandbox.client.name)} at 127.0.0.1:4031`,
    ])
      expect(text).toContain(`<strong>${name}</strong>`);
    expect(text).toMatch(/<option value="PRO" selected\s*>Pro</);
  });
});

describe('the host interface', () => {
  it('books, and answers to nothing else', async () => {
    const sandbox = await start();
    const host = hostCaller(sandbox);
    const booked = await host('POST', '/bookings', { invitee_name: 'Lea Host', invitee_email: 'lea@example.com' });
    expect(booked).toMatchObject({ status: 201, body: { status: 'CONFIRMED', event_type_name: 'Intro Call' } });
    expect((await host('POST', '/bookings', { invitee_email: 'none' })).body).toMatchObject({ details: [{ field: 'invitee_email' }] });
    expect((await host('GET', '/bookings')).body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['lists', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['objects', '{"a":'.repeat(8_000) + '1' + '}'.repeat(8_000)],
  ])('still lists the requests after one with thousands of nested %s, whose body it keeps as text', async (_, body) => {
    const sandbox = await start();
    const shallow = { question_responses: { services: [{ of: [['a']] }] } };
    for (const each of [body, shallow]) await caller(sandbox)('POST', '/bookings', each);
    expect(sandbox.requests().map((each) => each.body)).toEqual([body, shallow]);
    expect(JSON.stringify(sandbox.requests())).toContain(JSON.stringify(body));
  });

  it('is closed to requests without its header, with a token of the public API instead, and those of another site', async () => {
    const sandbox = await start();
    const url = `${sandbox.origin}/host/api/bookings`;
    const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' };
    const authorization = `Bearer ${sandbox.issueToken().access_token}`;
    for (const init of [{}, plain, { headers: { authorization } }]) expect((await send(url, init)).status).toBe(403);
    const from = async (origin: string) => (await hostCaller(sandbox)('GET', '/client', undefined, { origin })).status;
    expect([await from('https://evil.example'), await from('null'), await from(sandbox.origin)]).toEqual([403, 403, 200]);
    expect((await send(`${sandbox.baseUrl}/bookings`, { headers: { 'x-sandbox-host': '1' } })).status).toBe(401);
  });
});
