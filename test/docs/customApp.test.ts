import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { sign } from '../../shared/webhooks/signature.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { root } from '../../tools/root.cjs';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { until } from '../support/until.ts';

let sandbox: Sandbox;
let app: ChildProcess;
/** The pages that this machine alone reaches, and what is public. */
let origin: string;
let open: string;
let file: string;
let folder: string;
let printed = '';

beforeAll(async () => {
  sandbox = await startSandbox();
  const [port, publicPort] = [await freePort(), await freePort()];
  origin = `http://127.0.0.1:${port}`;
  open = `http://127.0.0.1:${publicPort}`;
  sandbox.allowRedirect(`${open}/callback`);
  folder = await mkdtemp(join(tmpdir(), 'custom-app-'));
  file = join(folder, 'state.json');
  app = spawn(process.execPath, [join(root, 'examples', 'custom-app', 'main.ts')], {
    env: {
      ...process.env,
      BASE_URL: sandbox.baseUrl,
      CLIENT_ID: sandbox.client.id,
      CLIENT_SECRET: sandbox.client.secret,
      PORT: String(port),
      PUBLIC_PORT: String(publicPort),
      DATA: file,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  app.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await until(() => printed.includes('/connect'));
});
afterAll(async () => {
  app.kill();
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

const deliver = (body: string, signature: string): Promise<Response> =>
  fetch(`${open}/deliveries`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      [`${brand.headerPrefix}-Signature`]: signature,
      [`${brand.headerPrefix}-Event`]: 'CONTACT_UPDATED',
      [`${brand.headerPrefix}-Delivery-ID`]: 'dlv_made_up',
    },
  });

it('connects an account through the consent page, and keeps what must outlive it readable by its owner alone', async () => {
  const browser = new Browser();
  const page = await browser.press(await browser.open(`${origin}/connect`), /allow/i);
  expect(page).toMatchObject({ status: 200, html: expect.stringContaining('Connected') as unknown });
  expect(sandbox.subscriptions()).toMatchObject([{ url: `${open}/deliveries`, signed: true }]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('an answer that nobody asked for connects nothing', async () => {
  const response = await fetch(`${open}/callback?code=stolen&state=made-up`);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('belongs to no connection');
});

it('books, and is told of it by a delivery that it verified', async () => {
  const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat');
  const response = await fetch(`${origin}/bookings`, {
    method: 'POST',
    body: JSON.stringify({
      event_type_id: type?.id,
      start_time: '2040-01-31T09:00',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
    }),
  });
  const booked = (await response.json()) as { id: string; start_time: string };
  expect(response.status).toBe(201);
  expect(Date.parse(booked.start_time)).toBe(Date.parse('2040-01-31T09:00Z'));
  await until(() => printed.includes(`BOOKING_CREATED ${booked.id} verified`));
  expect(((await (await fetch(`${origin}/bookings`)).json()) as unknown[]).length).toBe(10);
});

it('shows the event types to choose from', async () => {
  expect(await (await fetch(`${origin}/event-types`)).json()).toHaveLength(sandbox.eventTypes().length);
});

describe('whatever comes in', () => {
  /** A request as no browser would write it. */
  const raw = (at: string, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(at).port), '127.0.0.1', () => socket.end(text));
      let answer = '';
      socket
        .on('data', (chunk: Buffer) => (answer += chunk.toString()))
        .on('close', () => resolve(answer))
        .on('error', reject);
    });
  const status = (answer: string) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];

  it.each(['//', '///', '/%', '/%ff', '/../..', '/__proto__', 'http://[', '/callback?state=%'])(
    'a request for %s is answered, and the next one as well',
    async (path) => {
      for (const at of [origin, open]) {
        const answer = status(await raw(at, `GET ${path} HTTP/1.1\r\nHost: ${new URL(at).host}\r\nConnection: close\r\n\r\n`));
        expect(answer).toBe(at === open && path.startsWith('/callback') ? '500' : '404');
        expect((await fetch(`${at}/nothing`)).status).toBe(404);
      }
    },
  );

  it.each(['/bookings', '/connect', '/disconnect', '/event-types', '/poll'])('%s is not public', async (path) => {
    for (const method of ['GET', 'POST']) expect((await fetch(open + path, { method, redirect: 'manual' })).status).toBe(404);
  });

  it('a name that was pointed at this machine reads nothing', async () => {
    const answer = await raw(origin, 'GET /bookings HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n');
    expect(status(answer)).toBe('403');
    expect(answer).not.toContain('@');
  });

  it.each(['/bookings', '/disconnect', '/poll'])('a foreign page does nothing at %s', async (path) => {
    const before = sandbox.bookings().length;
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { origin: 'https://foreign.example', 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(response.status).toBe(403);
    expect(sandbox.bookings()).toHaveLength(before);
    expect(sandbox.subscriptions()).toHaveLength(1);
  });

  it('nor does a picture or a link in one, which brings no origin', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await raw(
        origin,
        `GET /connect HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nSec-Fetch-Site: ${site}\r\nConnection: close\r\n\r\n`,
      );
      expect(status(answer)).toBe('403');
      expect(answer).not.toContain('state=');
    }
  });

  it.each([
    ['no JSON', 'Ada'],
    ['a list', '[]'],
    ['nothing', ''],
    ['far too much', `"${'a'.repeat(100_000)}"`],
  ])('a booking whose body is %s is refused in a sentence', async (_, body) => {
    const response = await fetch(`${origin}/bookings`, { method: 'POST', body });
    expect([400, 413]).toContain(response.status);
    expect(await response.text()).toMatch(/Send the fields/);
  });
});

it('tells a person in a sentence what is wrong with a booking', async () => {
  const response = await fetch(`${origin}/bookings`, { method: 'POST', body: JSON.stringify({ invitee_email: 'ada' }) });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('is not an e-mail address');
});

it('refuses a delivery whose body was changed after signing, and takes a repeated one once', async () => {
  const { subscription } = JSON.parse(await readFile(file, 'utf8')) as { subscription: { signing_secret: string } };
  const body = JSON.stringify({ event: 'CONTACT_UPDATED', created_at: '2030-01-02T08:00:00Z', data: { id: 'con_made_up' } });
  const signature = sign(body, subscription.signing_secret);
  expect((await deliver(body.replace('made_up', 'changed'), signature)).status).toBe(401);
  expect(await (await deliver(body, signature)).json()).toBe('Thank you.');
  expect(await (await deliver(body, signature)).json()).toContain('received before');
  expect(printed.match(/con_made_up verified/g)).toHaveLength(1);
});

it('refreshes an access token that has expired, once for requests that run side by side', async () => {
  await sandbox.clock.advance(2 * 60 * 60_000);
  sandbox.forgetRequests();
  const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(`${origin}/bookings`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(sandbox.requests().filter(({ path }) => path === '/api/oauth/token')).toHaveLength(1);
});

it.each([
  ['a page', { kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }, 'without an access_token'],
  ['a 503', { kind: 'status', status: 503 }, 'status 503'],
  ['a dropped connection', { kind: 'drop-before' }, 'did not answer the token request'],
  ['a 200 that names an error', { kind: 'status', status: 200, body: { error: 'temporarily_unavailable' } }, 'temporarily_unavailable'],
] as const)('%s at the token endpoint is told as a booking that was not made, and as why', async (_, fault, why) => {
  await sandbox.clock.advance(2 * 60 * 60_000);
  sandbox.forgetRequests();
  sandbox.faults.add({ route: 'POST /api/oauth/token', ...fault });
  const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat');
  const before = sandbox.bookings().length;
  const response = await fetch(`${origin}/bookings`, {
    method: 'POST',
    body: JSON.stringify({
      event_type_id: type?.id,
      start_time: '2040-02-28T09:00',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
    }),
  });
  expect(response.status).toBeGreaterThanOrEqual(400);
  const told = await response.text();
  expect(told).toContain('Not carried out, because the connection to');
  expect(told).toContain(why);
  expect(sandbox.bookings()).toHaveLength(before);
  expect(sandbox.requests().filter(({ path }) => path === '/v1/bookings')).toHaveLength(1);
});

it('finds what has changed by itself, each change once', async () => {
  const poll = async () => (await (await fetch(`${origin}/poll`, { method: 'POST' })).json()) as Record<string, unknown>[];
  expect(await poll()).toEqual([]);
  const [contact] = sandbox.contacts();
  sandbox.host.editContact(contact?.id ?? '', { notes: 'Found by a poll' });
  expect(await poll()).toEqual([expect.objectContaining({ event: 'CONTACT_UPDATED', id: contact?.id, notes: 'Found by a poll' })]);
  expect(await poll()).toEqual([]);
  expect(printed).toContain(`CONTACT_UPDATED ${contact?.id} found`);
});

it('a service that does not end the tokens is told as that, and asked again the next time', async () => {
  sandbox.faults.add({ route: 'POST /api/oauth/revoke', kind: 'status', status: 503 });
  const response = await fetch(`${origin}/disconnect`, { method: 'POST' });
  expect(response.status).toBe(502);
  expect(await response.text()).toContain('did not confirm that the tokens are revoked (status 503)');
  expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('tokens');
});

it('disconnecting deletes the subscription and ends the tokens at the service', async () => {
  const { tokens } = JSON.parse(await readFile(file, 'utf8')) as { tokens: { access_token: string } };
  expect((await fetch(`${origin}/disconnect`, { method: 'POST' })).status).toBe(200);
  expect(sandbox.subscriptions()).toEqual([]);
  const me = await fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  expect(me.status).toBe(401);
  expect(await readFile(file, 'utf8')).toBe('{}');
});
