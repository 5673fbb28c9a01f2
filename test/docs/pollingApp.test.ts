import { DatabaseSync } from 'node:sqlite';
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
/** The rows of its table: what the application did with an event, however often it received it. */
const rows = (): { event: string; id: string }[] => {
  const database = new DatabaseSync(app.file, { readOnly: true });
  const found = database.prepare('SELECT event, id FROM changes').all() as { event: string; id: string }[];
  database.close();
  return found;
};

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

it('killed again and again in the middle, it loses nothing and handles nothing twice', async () => {
  app = await Application.start(installed, sandbox, { POLL_SECONDS: '0.1', DATA: '.local/killed.sqlite' }, ['--poll']);
  await connect();
  await afterPolls();
  const booked: string[] = [];
  for (let kill = 0; kill < 6; kill += 1) {
    await app.stop('SIGKILL');
    booked.push(...Array.from({ length: 20 }, book));
    const before = app.printed.length;
    await restartAfterALease();
    // In the middle of passing on changes.
    await until(() => app.printed.slice(before).split(' found').length > 3 * kill);
  }
  await app.stop('SIGKILL');
  await restartAfterALease();
  await until(() => booked.every((id) => rows().some((row) => row.id === id)));
  await afterPolls();
  const created = rows().filter(({ event, id }) => event === 'BOOKING_CREATED' && booked.includes(id));
  expect(created.map(({ id }) => id).sort()).toEqual([...booked].sort());
});

/** Starts it as if the minute had passed after which the claims of a dead process become free. */
async function restartAfterALease(): Promise<void> {
  const database = new DatabaseSync(app.file);
  database.exec('PRAGMA busy_timeout = 5000; UPDATE scheduling_claims SET until = 0 WHERE until IS NOT NULL');
  database.close();
  await app.restart();
}

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
