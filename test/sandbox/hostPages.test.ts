import { describe, expect, it } from '@jest/globals';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { send as sendAs } from '../sdk/deliveries.ts';
import { authorizeUrl, caller, consentTo, exchange, hostCaller, inHtml, newCode, send, start, textAt, typeNamed } from './support.ts';

/** Sends a form of the host page, as a browser does. */
const post = ({ origin }: Sandbox, path: string, input?: object | string, headers: Record<string, string> = {}) =>
  send(`${origin}${path}`, {
    method: 'POST',
    headers: { origin, ...headers },
    body: new URLSearchParams(input === undefined ? {} : { input: typeof input === 'string' ? input : JSON.stringify(input) }),
  });
const see = ({ origin }: Sandbox, path: string) => send(`${origin}${path}`);
/** What the page proposes for an action, as its form would send it. */
const proposed = (page: string, action: string): string => {
  const [, text = ''] = new RegExp(`action="${action}">\\s*<textarea[^>]*>([^<]*)</textarea`).exec(page) ?? [];
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
};

/** Forms of several pages, with what they would send. */
const formsOf = (sandbox: Sandbox): [string, object][] => [
  [`/host/bookings/${sandbox.host.book().id}/cancel`, { reason: 'x' }],
  [`/host/types/${typeNamed(sandbox, 'Coffee Chat')}/book`, { invitee_name: 'A' }],
];

const kept = (sandbox: Sandbox) => JSON.stringify([sandbox.bookings(), sandbox.contacts(), sandbox.account]);

const PATHS = ['/bookings', '/types', '/subscriptions', '/deliveries', '/applications', '/nothing'].map((path) => `/host${path}`);

describe('the host page', () => {
  it('accepts a form from its own page alone: from no other site, port or frame, from nobody who does not say, and not as a link', async () => {
    const sandbox = await start();
    for (const [path, input] of formsOf(sandbox)) {
      const before = kept(sandbox);
      for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', '']) {
        const { status, text } = await post(sandbox, path, input, { origin });
        expect([origin, path, status]).toEqual([origin, path, 403]);
        expect(text).toContain('The form did not come from a page of this sandbox, so nothing was changed.');
      }
      await see(sandbox, `${path}?${new URLSearchParams({ input: JSON.stringify(input) }).toString()}`);
      expect([path, kept(sandbox)]).toEqual([path, before]);
      expect([path, (await post(sandbox, path, input)).status]).toEqual([path, 303]);
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
    for (const path of PATHS) {
      const { text } = await see(sandbox, path);
      const expected = path === '/host/applications' ? [sandbox.client.secret] : [];
      expect(secrets.filter((secret) => text.includes(secret))).toEqual(expected);
      expect(text.replace(sandbox.client.secret, '')).not.toMatch(/\b(whsec|at|rt|cs)_[\w-]{20,}/);
    }
  });

  it('shows what strangers wrote as plain text', async () => {
    const sandbox = await start();
    const evil = '"><img src=x onerror=alert(1)><!--';
    const booking = sandbox.host.book({ invitee_name: evil, notes: evil, question_responses: { topic: evil } });
    sandbox.addClient({ name: evil, redirectUris: [] });
    await post(sandbox, `/host/bookings/${booking.id}/reschedule`, evil);
    for (const path of [...PATHS, `/host/${encodeURIComponent(evil)}`, `/host/bookings/${encodeURIComponent(evil)}/cancel`])
      expect((await see(sandbox, path)).text).not.toMatch(/<img src=x|<!--/);
    expect((await post(sandbox, `/host/bookings/${booking.id}/reschedule`, evil)).text).not.toMatch(/<img src=x|<!--/);
    expect((await see(sandbox, '/host/bookings')).text).toContain('&lt;img');
  });

  it('and its interface answer to the names of this machine: a name that was made to lead here gets nothing', async () => {
    const sandbox = await start();
    const headers = { host: 'evil.example', 'x-sandbox-host': '1' };
    for (const path of [...PATHS, '/host/api/client']) {
      const { status, text } = await sendAs(`${sandbox.origin}${path}`, { method: 'GET', headers });
      expect([path, status, text.includes(sandbox.account.email)]).toEqual([path, 403, false]);
    }
    expect((await send(`http://localhost:${new URL(sandbox.origin).port}/host/bookings`)).status).toBe(200);
  });

  it.each([{}, { questionKey: 'label', options: 'objects', ids: 'number', errorBody: 'empty' }] as const)(
    'proposes for each event type a booking that is accepted as it stands, in any form of the API: %j',
    async (forms) => {
      const sandbox = await start({ forms });
      for (const { id, name, questions } of sandbox.eventTypes().filter(({ active }) => active)) {
        const path = `/host/types/${id}/book`;
        const { text } = await see(sandbox, '/host/types');
        expect([name, (await post(sandbox, path, proposed(text, path))).status]).toEqual([name, 303]);
        const { event_type_name, question_responses } = sandbox.bookings().at(-1) ?? {};
        expect([event_type_name, Object.keys(question_responses ?? {})]).toEqual([name, questions.map(({ key }) => key)]);
      }
      expect((await post(sandbox, '/host/bookings/nothing/cancel')).text).toContain('There is no booking nothing.');
    },
  );

  it('says what is wrong with what was sent, keeps it, and changes nothing', async () => {
    const sandbox = await start();
    const [booking] = [sandbox.host.book()];
    const before = kept(sandbox);
    const path = `/host/types/${typeNamed(sandbox, 'Project Kick-off')}/book`;
    for (const [input, says] of [
      ['{"invitee_name": ', 'body: is not valid JSON'],
      ['"text"', 'body: Invalid input: expected object, received string'],
      ['{"invitee_email": "nobody@here", "nam": 1}', 'invitee_email: must be an email address; nam: is not a field of this request'],
      ['{"question_responses": {}}', 'question_responses.company: is required (&quot;Company&quot;)'],
    ] as const) {
      const { status, text } = await post(sandbox, path, input);
      expect([status, text]).toEqual([400, expect.stringContaining(`Nothing was changed. ${says}`)]);
      // In the one form that stays open.
      expect([proposed(text, path), text.match(/<details open>/g)?.length]).toEqual([input, 1]);
    }
    const { text } = await post(sandbox, `/host/bookings/${booking?.id}/reschedule`, {});
    expect(text).toContain('Nothing was changed. start_time: is required');
    expect(kept(sandbox)).toBe(before);
  });

  it('shows the newest bookings first', async () => {
    const sandbox = await start();
    for (const invitee_name of ['Ada One', 'Grace Two']) sandbox.host.book({ invitee_name });
    const { text } = await see(sandbox, '/host/bookings');
    expect([...text.matchAll(/<tr role="row" id="(bkg_\w+)"/g)].map(([, id]) => id)).toEqual(
      sandbox
        .bookings()
        .map(({ id }) => id)
        .reverse(),
    );
  });

  it('proposes a time in working hours to who books on a Friday afternoon', async () => {
    const sandbox = await start({ clock: virtualClock(Date.parse('2027-03-05T15:40:00Z')) });
    const { text } = await see(sandbox, '/host/types');
    const { start_time } = JSON.parse(proposed(text, `/host/types/${typeNamed(sandbox, 'Quarterly Review')}/book`)) as Record<
      string,
      string
    >;
    // On the next working day, at the latest 90 minutes before 18:00 in Madrid.
    expect(start_time).toMatch(/^2027-03-08T(0[89]|1[0-5]):/);
  });

  it('names each of several applications with one client id, says in words what one may do, and revokes it', async () => {
    const sandbox = await start();
    for (const redirect_uri of sandbox.client.redirectUris.filter((uri) => /localhost:5678|9000$/.test(uri)))
      await consentTo(authorizeUrl(sandbox, { redirect_uri }));
    const { text } = await see(sandbox, '/host/applications');
    const names = [...text.matchAll(/<div>(.*? at [^<]*)<br/g)].map(([, name]) => name);
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
    expect((await hostCaller(sandbox)('POST', '/toString/x/y')).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await send(`${sandbox.baseUrl}/bookings`, { headers: { 'x-sandbox-host': '1' } })).status).toBe(401);
  });

  it('does what the buttons of the pages do, by the same names', async () => {
    const sandbox = await start();
    const { id } = sandbox.host.book({ invitee_name: 'Ada One' });
    const cancelled = await hostCaller(sandbox)('POST', `/bookings/${id}/cancel`, { reason: 'Ill' });
    expect([cancelled.status, cancelled.body]).toEqual([200, { done: "Ada One's booking was cancelled." }]);
    expect(sandbox.bookings().at(-1)).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'Ill' });
    expect((await hostCaller(sandbox)('POST', `/bookings/${id}/reschedule`, {})).body).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
