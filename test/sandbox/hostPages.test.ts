import { once } from 'node:events';
import { request as requestTo, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl, consentTo, exchange, newCode, usual } from './authorize.ts';
import { caller, inHtml, send, start, stopAll, textAt, typeNamed, type Reply } from './support.ts';

afterEach(stopAll);

/** A browser that has the host page open. */
interface Visitor {
  token: string;
  cookie: string;
}

async function visitor(sandbox: Sandbox): Promise<Visitor> {
  const { headers, text } = await send(`${sandbox.origin}/host/applications`);
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
  return { token, cookie };
}

function post(
  { origin }: Sandbox,
  path: string,
  { token, cookie }: Visitor,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  return send(`${origin}${path}`, {
    method: 'POST',
    headers: { origin, cookie, ...headers },
    body: new URLSearchParams({ token, ...fields }),
  });
}
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
function everyForm(sandbox: Sandbox): [string, Record<string, string>][] {
  const subscription = sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/', events: ['CONTACT_UPDATED'] });
  const contact = sandbox.contacts()[0];
  sandbox.host.editContact(contact?.id ?? '', { phone: '1' });
  return [
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
}

const kept = (sandbox: Sandbox) =>
  JSON.stringify([sandbox.bookings(), sandbox.contacts(), sandbox.subscriptions(), sandbox.account, sandbox.deliveries().length]);

describe('a form of the host page is refused, and nothing is done,', () => {
  it.each<[string, (own: Visitor, other: Visitor) => [Visitor, Record<string, string>?]]>([
    ['without a token', (own) => [{ ...own, token: '' }]],
    ['with a made up token', (own) => [{ ...own, token: 'x'.repeat(own.token.length) }]],
    ['with the token of another browser', (own, other) => [{ ...own, token: other.token }]],
    ['without the cookie of its browser', (own) => [{ ...own, cookie: '' }]],
    ['from another site, whatever it knows', (own) => [own, { origin: 'https://evil.example' }]],
    ['from another port of this machine', (own) => [own, { origin: 'http://127.0.0.1:1' }]],
    ['from a sandboxed frame', (own) => [own, { origin: 'null' }]],
    ['from a sender that does not say where it comes from', (own) => [own, { origin: '' }]],
  ])('%s', async (_how, forge) => {
    const sandbox = await start();
    const forms = everyForm(sandbox);
    const [visit, headers] = forge(await visitor(sandbox), await visitor(sandbox));
    const before = kept(sandbox);
    for (const [path, fields] of forms) {
      const { status, text } = await post(sandbox, path, visit, fields, headers);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain('so nothing was changed. If you restarted the sandbox, go back, reload the page and try again.');
    }
    expect(kept(sandbox)).toBe(before);
  });

  it('and each is accepted from its own page', async () => {
    const sandbox = await start();
    const forms = everyForm(sandbox);
    const own = await visitor(sandbox);
    for (const [path, fields] of forms) {
      const before = kept(sandbox);
      const { status } = await post(sandbox, path, own, fields);
      expect([path, status]).toEqual([path, 303]);
      // Sending again adds no delivery, and choosing another host only affects this browser.
      if (!/again$|account$/.test(path)) expect(kept(sandbox)).not.toBe(before);
    }
  });

  it('and a link does nothing, because everything is done by a form', async () => {
    const sandbox = await start();
    const forms = everyForm(sandbox);
    const { cookie, token } = await visitor(sandbox);
    const before = kept(sandbox);
    for (const [path, fields] of forms)
      await send(`${sandbox.origin}${path}?${new URLSearchParams({ ...fields, token }).toString()}`, { headers: { cookie } });
    expect(kept(sandbox)).toBe(before);
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
    expect(headers.get('set-cookie')).toMatch(/^sandbox_host_\d+=[\w-]{32}; Path=\/host; HttpOnly; SameSite=Lax$/);
  });

  it('shows no secret of a subscription or a token, and that of the first client only where an application is connected', async () => {
    const sandbox = await start();
    const created = await caller(sandbox)('POST', '/hooks', { url: 'http://127.0.0.1:9/x?key=receivers-own', events: ['BOOKING_CREATED'] });
    const tokens = (await exchange(sandbox, await newCode(sandbox))).body;
    sandbox.host.book();
    await send(authorizeUrl(sandbox, usual(sandbox)));
    const { cookie } = await visitor(sandbox);
    const secrets = [
      sandbox.client.secret,
      textAt(created.body, 'signing_secret'),
      textAt(tokens, 'access_token'),
      textAt(tokens, 'refresh_token'),
      'receivers-own',
    ];
    for (const path of [...PATHS, `/host/deliveries/${sandbox.deliveries()[0]?.id}`]) {
      const { text } = await send(`${sandbox.origin}${path}`, { headers: { cookie } });
      const expected = path === '/host/applications' ? [sandbox.client.secret] : [];
      expect(secrets.filter((secret) => text.includes(secret))).toEqual(expected);
      expect(text.replace(sandbox.client.secret, '')).not.toMatch(/\b(whsec|at|rt|cs)_[\w-]{20,}/);
    }
    expect(JSON.stringify(sandbox.requests())).not.toContain((await visitor(sandbox)).token);
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

  it('answers to the names of this machine: a name that was made to lead here gets nothing', async () => {
    const sandbox = await start();
    const answer = async (path: string) => {
      const sent = requestTo(`${sandbox.origin}${path}`, { headers: { host: 'evil.example' } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, text: await text(response) };
    };
    for (const path of [...PATHS, '/host/assets/live.mjs']) {
      const { status, text: shown } = await answer(path);
      expect([path, status, shown.includes(sandbox.account.email)]).toEqual([path, 403, false]);
    }
    expect((await send(`http://localhost:${new URL(sandbox.origin).port}/host`)).status).toBe(200);
  });

  it('shows one host nothing of another, and acts for the chosen one', async () => {
    const sandbox = await start();
    const second = sandbox.addAccount({ name: 'Sam Second', email: 'sam@host.example' });
    const theirs = sandbox.host.book({}, second.id);
    const own = await visitor(sandbox);
    const see = (path: string) => send(`${sandbox.origin}${path}`, { headers: { cookie: own.cookie } });
    expect((await see(`/host/bookings/${theirs.id}`)).status).toBe(404);
    expect((await post(sandbox, `/host/bookings/${theirs.id}/cancel`, own)).status).toBe(404);
    await post(sandbox, '/host/account', own, { account: second.id });
    expect((await see(`/host/bookings/${theirs.id}`)).status).toBe(200);
    expect((await see('/host')).text).toContain('Times are in Sam Second&#39;s time zone, Europe/London.');
    const mine = sandbox.bookings()[0];
    expect((await see(`/host/bookings/${mine?.id}`)).status).toBe(404);
  });

  it('distinguishes the browsers of two sandboxes on this machine, although they share cookies', async () => {
    const [one, two] = [await start(), await start()];
    const [atOne, atTwo] = [await visitor(one), await visitor(two)];
    const cookie = `${atOne.cookie}; ${atTwo.cookie}`;
    expect((await post(one, '/host/applications/plan', { ...atOne, cookie }, { plan: 'BUSINESS' })).status).toBe(303);
    expect((await post(two, '/host/applications/plan', { ...atTwo, cookie }, { plan: 'FREE' })).status).toBe(303);
    expect([one.account.plan, two.account.plan]).toEqual(['BUSINESS', 'FREE']);
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
    const own = await visitor(sandbox);
    const { text } = await send(`${sandbox.origin}${path}`, { headers: { cookie: own.cookie } });
    const named = (label: string) => new RegExp(`<label for="[^"]*">${label}</label>[\\s\\S]*?name="([^"]+)"`).exec(text)?.[1] ?? '';
    const [, option = ''] = /<option value="([^"]*)" ?>Up to 5,000</.exec(text) ?? [];
    const fields = { ...invitee, [named('Company')]: 'Brightside', [named('Budget')]: option };
    const reply = await post(sandbox, path, own, fields);
    expect(reply.status).toBe(303);
    expect(sandbox.bookings().at(-1)?.question_responses).toEqual({
      company: 'Brightside',
      budget: expect.stringMatching(/^(Up to 5,000|opt_.*)$/),
    });
    expect((await send(`${sandbox.origin}${reply.headers.get('location') ?? ''}`)).text).toContain('Brightside');
    expect((await send(`${sandbox.origin}/host/bookings/nothing`)).text).toContain('There is no booking nothing.');
  });
});

const rowsOf = async (sandbox: Sandbox, path: string): Promise<string[]> =>
  (await send(`${sandbox.origin}${path}`)).text.split('<tr').slice(2);
describe('the lists of bookings', () => {
  it('offer Deny beside Approve for a pending booking, and call a denied one Denied', async () => {
    const sandbox = await start();
    request(sandbox, 'Wanda Waits');
    sandbox.host.deny(request(sandbox, 'Dana Denied').id);
    sandbox.host.cancel(sandbox.host.book({ invitee_name: 'Carla Cancelled' }).id);

    const [pending = ''] = await rowsOf(sandbox, '/host?show=waiting');
    expect(pending).toContain('Wanda Waits');
    for (const words of ['>Pending<', 'Approve the booking of Wanda Waits', 'Deny the booking of Wanda Waits'])
      expect(pending).toContain(words);

    const cancelled = await rowsOf(sandbox, '/host?show=cancelled');
    expect(cancelled.find((row) => row.includes('Dana Denied'))).toContain('>Denied<');
    expect(cancelled.find((row) => row.includes('Carla Cancelled'))).toContain('>Cancelled<');
  });

  it('count no cancelled booking as upcoming or past', async () => {
    const sandbox = await start();
    const counts = async () =>
      Object.fromEntries(
        [...(await send(`${sandbox.origin}/host`)).text.matchAll(/(\w+) <span class="count">(\d+)/g)].map(([, tab = '', count]) => [
          tab,
          Number(count),
        ]),
      );
    const before = await counts();
    const booking = sandbox.host.book();
    expect(await counts()).toEqual({ ...before, Upcoming: (before['Upcoming'] ?? 0) + 1 });
    sandbox.host.cancel(booking.id);
    expect(await counts()).toEqual({ ...before, Cancelled: (before['Cancelled'] ?? 0) + 1 });
  });
});

it('distinguish two receivers on one host by their paths, and show nothing of a query', async () => {
  const sandbox = await start();
  for (const path of ['one/webhook?key=of-the-query', 'other/webhook'])
    sandbox.host.addSecretlessSubscription({ url: `http://127.0.0.1:5678/webhook/${path}`, events: ['BOOKING_CREATED'] });
  const { text } = await send(`${sandbox.origin}/host/subscriptions`);
  for (const path of ['/webhook/one/webhook', '/webhook/other/webhook']) expect(text).toContain(path);
  expect(text).not.toContain('of-the-query');
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

it('the list of applications distinguishes two platforms with one client id', async () => {
  const sandbox = await start();
  for (const redirect_uri of sandbox.client.redirectUris.filter((uri) => /5678|9000$/.test(uri)))
    await consentTo(sandbox, authorizeUrl(sandbox, usual(sandbox, { redirect_uri })));
  const rows = (await rowsOf(sandbox, '/host/applications')).join('');
  for (const name of ['n8n at localhost:5678', 'n8n at 127.0.0.1:5678', `${inHtml(sandbox.client.name)} at localhost:9000`])
    expect(rows).toContain(`<strong>${name}</strong>`);
});
