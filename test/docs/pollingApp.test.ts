import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import type { Installed } from '../sdk/installed.ts';
import { until } from '../support/until.ts';
import { Application, copiedExample } from './application.ts';

let sandbox: Sandbox;
let installed: Installed;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  installed = await copiedExample();
});
afterAll(async () => {
  await installed.close();
  await sandbox.stop();
});

let app: Application;
afterEach(() => app.stop());

let days = 0;
const book = (): string => {
  const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat');
  days += 1;
  return sandbox.host.book({
    event_type_id: type?.id ?? '',
    start_time: new Date(Date.UTC(2041, 0, 5, 9) + 86_400_000 * days).toISOString(),
    invitee_name: 'Ada Lovelace',
    invitee_email: `guest-${days}@example.com`,
  }).id;
};
const polls = (): number => sandbox.requests().filter(({ method, path }) => method === 'GET' && path.endsWith('/v1/contacts')).length;
/** Waits until everything that happened before has been polled: for the poll that was already running, and one more. */
const afterPolls = async (count = 2): Promise<void> => {
  const before = polls();
  await until(() => polls() >= before + count + 1);
};
const connect = async (): Promise<void> => {
  const browser = new Browser();
  const page = await browser.press(await browser.press(await browser.open(`${app.own}/`), /connect an account/i), /allow/i);
  expect(page.html).toContain('The account is connected');
};
const lines = (id: string): string[] => app.printed.split('\n').filter((line) => line.includes(`${id} `));

it('without a public address an event is found by polling, and the service is not asked to deliver', async () => {
  app = await Application.start(installed, sandbox, { POLL_SECONDS: '0.2', DATA: '.local/polls.sqlite' }, ['--poll']);
  const earlier = book();
  await connect();
  await afterPolls();
  const id = book();
  await until(() => app.printed.includes(`BOOKING_CREATED ${id} found`));
  sandbox.host.cancel(id, {});
  await until(() => app.printed.includes(`BOOKING_CANCELLED ${id} found`));
  await afterPolls();
  expect(lines(id)).toEqual([`BOOKING_CREATED ${id} found`, `BOOKING_CANCELLED ${id} found`]);
  expect(lines(earlier)).toEqual([]);
  expect(sandbox.subscriptions()).toEqual([]);
});

it('with a public address and polling, each change comes once, and changes without a delivery are found', async () => {
  const { freePort } = await import('../../tools/process/freePort.ts');
  const port = await freePort();
  const env = { POLL_SECONDS: '0.2', DATA: '.local/both.sqlite', PUBLIC_PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
  sandbox.allowRedirect(`${env.PUBLIC_URL}/callback`);
  app = await Application.start(installed, sandbox, env, ['--poll']);
  await connect();
  await afterPolls();
  const ids = Array.from({ length: 10 }, book);
  await until(() => ids.every((id) => app.printed.includes(`BOOKING_CREATED ${id} `)));
  for (const id of ids) sandbox.host.cancel(id, {});
  await until(() => ids.every((id) => app.printed.includes(`BOOKING_CANCELLED ${id} `)));
  await afterPolls();
  for (const id of ids) expect(lines(id).map((line) => line.split(' ')[0])).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED']);
  expect(app.printed).toMatch(/ verified/);
  const [{ id: subscription } = { id: '' }] = sandbox.subscriptions();
  const { access_token } = sandbox.issueToken();
  await fetch(`${sandbox.baseUrl}/hooks/${subscription}`, { method: 'DELETE', headers: { authorization: `Bearer ${access_token}` } });
  const missed = book();
  await until(() => app.printed.includes(`BOOKING_CREATED ${missed} found`));
});
