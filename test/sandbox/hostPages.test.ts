import { once } from 'node:events';
import { request as requestTo, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import {
  authorizeUrl,
  caller,
  consentTo,
  exchange,
  hostCaller,
  inHtml,
  newCode,
  send,
  start,
  stopAll,
  textAt,
  typeNamed,
  type Reply,
} from './support.ts';

afterEach(stopAll);

/** Sends a form of the host page, as a browser does that has these cookies. */
const post = ({ origin }: Sandbox, path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  send(`${origin}${path}`, { method: 'POST', headers: { origin, ...headers }, body: new URLSearchParams(fields) });
const see = ({ origin }: Sandbox, path: string, cookie = '') => send(`${origin}${path}`, { headers: { cookie } });
/** The cookies that an answer sets. */
const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');

const invitee = {
  invitee_name: 'A',
  invitee_email: 'a@example.com',
  start_time: '2059-01-02T10:00',
  invitee_timezone: 'UTC',
  locale: 'en',
};

/** Forms of several pages, with the fields that they would send. */
const formsOf = (sandbox: Sandbox): [string, Record<string, string>][] => [
  [`/host/bookings/${sandbox.host.book().id}/cancel`, { reason: 'x' }],
  [`/host/types/${typeNamed(sandbox, 'Coffee Chat')}/book`, invitee],
];

const kept = (sandbox: Sandbox) => JSON.stringify([sandbox.bookings(), sandbox.contacts(), sandbox.account]);

const PATHS = ['/bookings', '/types', '/subscriptions', '/deliveries', '/applications', '/nothing'].map((path) => `/host${path}`);

describe('the host page', () => {
  it('accepts a form from its own page alone: from no other site, port or frame, from nobody who does not say, and not as a link', async () => {
    const sandbox = await start();
    for (const [path, fields] of formsOf(sandbox)) {
      const before = kept(sandbox);
      for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', '']) {
        const { status, text } = await post(sandbox, path, fields, { origin });
        expect([origin, path, status]).toEqual([origin, path, 403]);
        expect(text).toContain('The form did not come from a page of this sandbox, so nothing was changed.');
      }
      await see(sandbox, `${path}?${new URLSearchParams(fields).toString()}`);
      expect([path, kept(sandbox)]).toEqual([path, before]);
      expect([path, (await post(sandbox, path, fields)).status]).toEqual([path, 303]);
      expect(kept(sandbox)).not.toBe(before);
    }
  });

  it('loads nothing from elsewhere, cannot be framed, and is not stored', async () => {
    const sandbox = await start();
    for (const path of PATHS) {
      const { headers } = await see(sandbox, path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      const others = ['x-frame-options', 'x-content-type-options', 'cache-control'].map((name) => headers.get(name));
      expect(others).toEqual(['DENY', 'nosniff', 'no-store']);
    }
  });

  it('shows no secret of a subscription or a token, and that of the first client only where an application is connected', async () => {
    const sandbox = await start();
    const created = await caller(sandbox)('POST', '/hooks', { url: 'http://127.0.0.1:9/x?key=receivers-own', events: ['BOOKING_CREATED'] });
    const tokens = (await exchange(sandbox, await newCode(sandbox))).body;
    sandbox.host.book();
    await send(authorizeUrl(sandbox));
    const secrets = [
      sandbox.client.secret,
      textAt(created.body, 'signing_secret'),
      textAt(tokens, 'access_token'),
      textAt(tokens, 'refresh_token'),
      'receivers-own',
    ];
    const { text: list } = await see(sandbox, '/host/applications');
    const [, application = ''] = /"(\/host\/applications\/\w+)"/.exec(list) ?? [];
    const records = [`deliveries/${sandbox.deliveries()[0]?.id}`, `subscriptions/${sandbox.subscriptions()[0]?.id}`];
    for (const path of [...PATHS, application, ...records.map((record) => `/host/${record}`)]) {
      const { text } = await see(sandbox, path);
      const expected = path === '/host/applications' ? [sandbox.client.secret] : [];
      expect(secrets.filter((secret) => text.includes(secret))).toEqual(expected);
      expect(text.replace(sandbox.client.secret, '')).not.toMatch(/\b(whsec|at|rt|cs)_[\w-]{20,}/);
    }
  });

  it('escapes everything that it shows', async () => {
    const sandbox = await start();
    const evil = '"><img src=x onerror=alert(1)><!--';
    const booking = sandbox.host.book({ invitee_name: evil, notes: evil, question_responses: { topic: evil } });
    sandbox.addClient({ name: evil, redirectUris: [] });
    const others = [`/host/bookings/${booking.id}`, `/host/${encodeURIComponent(evil)}`, `/host/bookings?show=${encodeURIComponent(evil)}`];
    for (const path of [...PATHS, ...others]) expect((await see(sandbox, path)).text).not.toMatch(/<img src=x|<!--/);
    expect((await see(sandbox, `/host/bookings/${booking.id}`)).text).toContain('&lt;img');
  });

  it('and its interface answer to the names of this machine: a name that was made to lead here gets nothing', async () => {
    const sandbox = await start();
    const headers = { host: 'evil.example', 'x-sandbox-host': '1' };
    for (const path of [...PATHS, '/host/api/client']) {
      const [response] = (await once(requestTo(`${sandbox.origin}${path}`, { headers }).end(), 'response')) as [IncomingMessage];
      expect([path, response.statusCode, (await text(response)).includes(sandbox.account.email)]).toEqual([path, 403, false]);
    }
    expect((await send(`http://localhost:${new URL(sandbox.origin).port}/host/bookings`)).status).toBe(200);
  });

  it('links back to the start page for the browser that came from there, and tells no other its address', async () => {
    const sandbox = await start();
    const address = 'http://127.0.0.1:4020/start-5f3c';
    sandbox.host.startPage = address;
    const from = async (query: string) => {
      const first = await see(sandbox, `/host/types?${query}`);
      const next = await see(sandbox, '/host/deliveries', cookiesOf(first));
      return [first.text, next.text].map((page) => page.includes('start-') && page.includes(`<a href="${address}" >Start</a>`));
    };
    expect(await from(new URLSearchParams({ start: address }).toString())).toEqual([true, true]);
    for (const query of ['', 'start=', 'start=http://127.0.0.1:4020/']) expect(await from(query)).toEqual([false, false]);
    expect(JSON.stringify(sandbox.requests())).not.toContain('start-5f3c');
  });

  it('is the same page when the API answers in other forms', async () => {
    const sandbox = await start({ forms: { questionKey: 'label', options: 'objects', ids: 'number', errorBody: 'empty' } });
    const path = `/host/types/${typeNamed(sandbox, 'Project Kick-off')}`;
    const { text } = await see(sandbox, path);
    const named = (label: string) => new RegExp(`<label for="[^"]*">${label}</label>[\\s\\S]*?name="([^"]+)"`).exec(text)?.[1] ?? '';
    const [, option = ''] = /<option value="([^"]*)" ?>Up to 5,000</.exec(text) ?? [];
    const reply = await post(sandbox, `${path}/book`, { ...invitee, [named('Company')]: 'Brightside', [named('Budget')]: option });
    expect([reply.status, option]).toEqual([303, expect.stringMatching(/^opt_/)]);
    expect(sandbox.bookings().at(-1)?.question_responses).toEqual({ company: 'Brightside', budget: option });
    expect((await see(sandbox, reply.headers.get('location') ?? '')).text).toContain('Brightside');
    expect((await see(sandbox, '/host/bookings/nothing')).text).toContain('There is no booking nothing.');
  });

  it('shows past and cancelled bookings with the last one first', async () => {
    const sandbox = await start();
    const { text } = await see(sandbox, '/host/bookings?show=over');
    const shown = [...text.matchAll(/<time datetime="([^"]+)"/g)].map(([, at = '']) => at);
    const now = new Date(sandbox.clock.now()).toISOString();
    const past = sandbox.bookings().filter(({ end_time, status }) => end_time < now || status === 'CANCELLED');
    const starts = past.map(({ start_time }) => start_time).sort();
    expect([past.length > 20, shown]).toEqual([true, starts.reverse()]);
  });

  it('proposes a time in working hours to who books on a Friday afternoon', async () => {
    const sandbox = await start({ clock: virtualClock(Date.parse('2027-03-05T15:40:00Z')) });
    const { text } = await see(sandbox, `/host/types/${typeNamed(sandbox, 'Quarterly Review')}`);
    // On the next working day, at the latest 90 minutes before 18:00.
    expect(/name="start_time"[^>]*value="([^"]+)"/.exec(text.replaceAll('\n', ' '))?.[1]).toMatch(/^2027-03-08T(09|1[0-6]):/);
  });

  it('names each of several applications with one client id, says in words what one may do, and revokes it', async () => {
    const sandbox = await start();
    for (const redirect_uri of sandbox.client.redirectUris.filter((uri) => /localhost:5678|9000$/.test(uri)))
      await consentTo(authorizeUrl(sandbox, { redirect_uri }));
    const { text } = await see(sandbox, '/host/applications');
    const names = [...text.matchAll(/\/host\/applications\/\w+">(.*? at .*?)<\/a>/g)].map(([, name]) => name);
    expect(names.reverse()).toEqual(['localhost:5678', 'localhost:9000'].map((host) => `${inHtml(sandbox.client.name)} at ${host}`));
    const { access_token } = sandbox.issueToken({ scopes: ['contacts:read'] });
    const [, revoke = ''] = /List or search contacts[^]*?action="([^"]+)"/.exec((await see(sandbox, '/host/applications')).text) ?? [];
    await post(sandbox, revoke);
    const after = (await see(sandbox, '/host/applications')).text;
    expect(after).toMatch(/ is disconnected\. Its tokens no longer work\.[^]*Revoked/);
    expect((await caller(sandbox, access_token)('GET', '/me')).status).toBe(401);
  });
});

describe('the host interface', () => {
  it('is closed to requests without its header, with a token of the public API instead, and those of another site', async () => {
    const sandbox = await start();
    const url = `${sandbox.origin}/host/api/bookings`;
    const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' };
    const authorization = `Bearer ${sandbox.issueToken().access_token}`;
    for (const init of [{}, plain, { headers: { authorization } }]) expect((await send(url, init)).status).toBe(403);
    const from = async (origin: string) => (await hostCaller(sandbox)('GET', '/client', undefined, { origin })).status;
    expect([await from('https://evil.example'), await from('null'), await from(sandbox.origin)]).toEqual([403, 403, 200]);
    expect((await hostCaller(sandbox)('GET', '/bookings')).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await send(`${sandbox.baseUrl}/bookings`, { headers: { 'x-sandbox-host': '1' } })).status).toBe(401);
  });
});
