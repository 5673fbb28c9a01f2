import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { startWorker, type Worker } from '../../tools/rigs/worker.ts';
import { until } from '../support/until.ts';
import type { Installed } from '../sdk/installed.ts';
import { copiedExample } from './application.ts';

const durable = { className: 'Site', binding: 'APPLICATION' };
const password = 'a long enough one';
const signedIn = { authorization: `Basic ${btoa(`owner:${password}`)}` };

let sandbox: Sandbox;
let installed: Installed;
let worker: Worker;
beforeAll(async () => {
  sandbox = await startSandbox();
  installed = await copiedExample();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  sandbox.allowRedirect(`${origin}/callback`);
  const { id, secret } = sandbox.client;
  const env = {
    CLIENT_ID: id,
    CLIENT_SECRET: secret,
    BASE_URL: sandbox.baseUrl,
    PUBLIC_URL: origin,
    PASSWORD: password,
    CHECK_SECONDS: '1',
  };
  worker = await startWorker(join(installed.folder, 'worker.ts'), { env, durable, port });
});
afterAll(async () => {
  await worker.stop();
  await installed.close();
  await sandbox.stop();
});

const open = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> =>
  fetch(worker.origin + path, { redirect: 'manual', ...init, headers: { ...signedIn, ...init.headers } });

it('without the password it shows and does nothing, except at the delivery address and the callback', async () => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/bookings'],
    ['POST', '/book'],
    ['POST', '/connect'],
    ['POST', '/disconnect'],
    ['GET', '/connected?state=x&code=y'],
  ] as const)
    expect((await fetch(worker.origin + path, { method, redirect: 'manual' })).status).toBe(401);
  expect((await fetch(`${worker.origin}/deliveries`, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await fetch(`${worker.origin}/callback?state=x&code=y`, { redirect: 'manual' })).status).toBe(200);
});

it('connects, books and acts on the delivery, in the durable object and its database', async () => {
  const begun = await open('/connect', { method: 'POST', headers: { origin: worker.origin } });
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { Browser } = await import('../../tools/rigs/zapier/browser.ts');
  const browser = new Browser();
  const consent = await browser.open(begun.headers.get('location') ?? '');
  const back = new URL((await browser.press(consent, /allow/i, { stopAt: `${worker.origin}/callback` })).url);
  const relayed = await fetch(back, { redirect: 'manual' });
  const { pathname, search } = new URL(relayed.headers.get('refresh')?.replace('0; url=', '') ?? '');
  expect((await open(pathname + search)).status).toBe(400);
  const connected = await open(pathname + search, { headers: { cookie } });
  expect([connected.status, await connected.text()]).toEqual([200, expect.stringContaining('The account is connected')]);
  expect(sandbox.subscriptions()).toMatchObject([{ url: `${worker.origin}/deliveries` }]);
  const [{ id } = { id: '' }] = sandbox.subscriptions();
  const authorization = `Bearer ${sandbox.issueToken().access_token}`;
  await fetch(`${sandbox.baseUrl}/hooks/${id}`, { method: 'DELETE', headers: { authorization } });
  await until(() => sandbox.subscriptions().some((each) => each.id !== id));

  const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat');
  const form = { event_type_id: type?.id ?? '', start_time: '2040-01-31T09:00', invitee_name: 'Ada', invitee_email: 'ada@example.com' };
  const body = new URLSearchParams(form);
  expect((await open('/book', { method: 'POST', body, headers: { origin: 'https://foreign.example' } })).status).toBe(403);
  expect((await open('/book', { method: 'POST', body })).status).toBe(201);
  await until(async () => (await (await open('/')).text()).includes('Booking created'));
  expect((await open('/disconnect', { method: 'POST' })).status).toBe(200);
  expect(sandbox.subscriptions()).toEqual([]);
});

it('does not open its pages to everybody: without a password it shows nothing at all', async () => {
  const { id, secret } = sandbox.client;
  const env = { CLIENT_ID: id, CLIENT_SECRET: secret, PUBLIC_URL: 'https://site.example' };
  const careless = await startWorker(join(installed.folder, 'worker.ts'), { env, durable });
  try {
    for (const path of ['/', '/bookings']) expect((await fetch(careless.origin + path)).status).toBe(500);
    await until(() => careless.said().includes('Set PASSWORD'));
  } finally {
    await careless.stop();
  }
});
