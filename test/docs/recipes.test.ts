import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStores } from '../../sdk/stores/index.ts';
import { mustRun } from '../../tools/process/command.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { Program } from '../../tools/process/program.ts';
import { root } from '../../tools/root.cjs';
import { startWorker } from '../support/worker.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { bookingBody, deliver, headersOf, idIn, subscribed } from '../sdk/deliveries.ts';
import { Installed } from '../sdk/installed.ts';
import { until } from '../support/until.ts';

/** The files that the guide shows, by name. */
const files = new Map(
  [...readFileSync(join(root, 'docs', 'guides', 'webhooks.md'), 'utf8').matchAll(/^```js file=(\S+)\n(.*?)^```$/gms)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);

let installed: Installed;
let sandbox: Sandbox;
const env = { SUBSCRIPTION_ID: subscribed.id, SIGNING_SECRET: subscribed.signing_secret };

beforeAll(async () => {
  sandbox = await startSandbox();
  installed = await Installed.open();
  for (const name of ['express', 'fastify', 'hono', '@hono/node-server']) await installed.with(name);
  for (const [name, text] of files) await installed.write(name, text);
  await keep('app.sqlite');
});
afterAll(async () => {
  await installed.close();
  await sandbox.stop();
});
const programs: Program[] = [];
afterEach(() => Promise.all(programs.splice(0).map((program) => program.stop('SIGKILL'))));

/** Saves the subscription that signs the deliveries in this test where `keep.mjs` saves its own. */
async function keep(data: string): Promise<void> {
  const database = new DatabaseSync(join(installed.folder, data));
  await sqliteStores(database).subscription().write(subscribed);
  database.close();
}

function run(file: string, more: Record<string, string> = {}): Program {
  const program = new Program(process.execPath, [file], { cwd: installed.folder, env: { ...process.env, NODE_OPTIONS: '', ...more } });
  programs.push(program);
  return program;
}

const account = (token: string) => ({ SCHEDULING_ACCESS_TOKEN: token, SCHEDULING_BASE_URL: sandbox.baseUrl });

it('every file that the guide shows is run here', () => {
  expect([...files.keys()].sort()).toEqual(
    [
      'client',
      'deliveries.test',
      'express',
      'fastify',
      'hono',
      'keep',
      'lambda',
      'next',
      'node',
      'poll',
      'receiver',
      'sqlite',
      'worker',
    ].map((name) => `${name}.mjs`),
  );
});

it('the test of a receiver passes', async () => {
  await mustRun(process.execPath, ['--test', 'deliveries.test.mjs'], { cwd: installed.folder });
});

describe.each(['node.mjs', 'express.mjs', 'fastify.mjs', 'hono.mjs'])('%s', (file) => {
  it('handles a delivery once, refuses one that was changed, and says so', async () => {
    const port = await freePort();
    const receiver = run(file, { PORT: String(port) });
    const url = `http://127.0.0.1:${port}/deliveries`;
    const body = bookingBody();
    const answer = await until(() => {
      receiver.said();
      return deliver(url, { body: `${body} `, signature: 'none' }).catch(() => undefined);
    });
    expect(answer.status).toBe(401);
    expect((await deliver(url, { body })).text).toBe('Thank you.');
    expect((await deliver(url, { body })).text).toContain('received before');
    await until(() => receiver.said().includes(`booked ${idIn(body)}`) && receiver.said().includes('401'));
  });
});

it('next.mjs is a route that takes a request and returns a response', async () => {
  const body = bookingBody();
  await installed.write(
    'next-call.mjs',
    `import { POST } from './next.mjs';
const headers = JSON.parse(process.env.HEADERS);
const { status } = await POST(new Request('http://x/deliveries', { method: 'POST', headers, body: process.env.BODY }));
console.log('status', status);`,
  );
  const called = run('next-call.mjs', { BODY: body, HEADERS: JSON.stringify(headersOf({ body })) });
  expect([await called.ended, called.printed]).toEqual([0, expect.stringMatching(new RegExp(`booked ${idIn(body)}[^]*status 200`))]);
});

it('lambda.mjs takes the event of a gateway', async () => {
  const body = bookingBody();
  await installed.write(
    'lambda-call.mjs',
    `import { handler } from './lambda.mjs';
const { HEADERS: headers, BODY: body } = process.env;
const event = { version: '2.0', requestContext: { http: { method: 'POST' } }, headers: JSON.parse(headers), body: btoa(body), isBase64Encoded: true };
console.log('status', (await handler(event)).statusCode);`,
  );
  const called = run('lambda-call.mjs', { BODY: body, HEADERS: JSON.stringify(headersOf({ body })) });
  expect([await called.ended, called.printed]).toEqual([0, expect.stringMatching(new RegExp(`booked ${idIn(body)}[^]*status 200`))]);
});

it('worker.mjs takes deliveries in the runtime of a worker', async () => {
  const worker = await startWorker(join(installed.folder, 'worker.mjs'), { env });
  try {
    const body = bookingBody();
    expect((await deliver(worker.origin, { body: `${body} `, signature: 'none' })).status).toBe(401);
    expect((await deliver(worker.origin, { body })).text).toBe('Thank you.');
  } finally {
    await worker.stop();
  }
});

it('keep.mjs subscribes once, over the database of sqlite.mjs', async () => {
  const { access_token } = sandbox.issueToken();
  const given = { ...account(access_token), DATA: 'kept.sqlite', DELIVERY_URL: 'http://127.0.0.1:9/deliveries' };
  const first = run('keep.mjs', given);
  expect([await first.ended, first.printed]).toEqual([0, expect.stringContaining('subscribed')]);
  const second = run('keep.mjs', given);
  expect([await second.ended, second.printed]).toEqual([0, first.printed]);
  expect(sandbox.subscriptions()).toHaveLength(1);
});

it('poll.mjs takes stock, and after a restart finds what happened meanwhile, once', async () => {
  const { access_token } = sandbox.issueToken();
  const given = { ...account(access_token), DATA: 'polled.sqlite' };
  const poll = async (): Promise<string> => {
    const polled = run('poll.mjs', given);
    await until(() => polled.said().includes('compared'));
    await polled.stop('SIGINT');
    return polled.printed;
  };
  expect(await poll()).not.toContain('booked');
  const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat')?.id ?? '';
  const invitee = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' };
  const { id } = sandbox.host.book({ event_type_id: type, start_time: '2041-03-04T09:00:00Z', ...invitee });
  expect(await poll()).toContain(`booked ${id}\n`);
  expect(await poll()).not.toContain('booked');
});
