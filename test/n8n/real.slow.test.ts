import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { openConnectedN8n, type ConnectedN8n } from '../support/connectedN8n.ts';
import { awaitExecution, beginWorkflow, finishedExecution, listExecutions } from '../../tools/rigs/n8n/executions.ts';
import { keptKey, n8nEnvironment, startN8n } from '../../tools/rigs/n8n/instance.ts';
import { installN8n } from '../../tools/rigs/n8n/install.ts';
import { Program } from '../../tools/process/program.ts';
import { chain, createWorkflow, publish, saveWorkflow, unpublish, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { fill } from '../../bench/years.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { bookingForm } from '../contract/fixtures.ts';
import { panelOf } from '../contract/platforms/n8nPanel.ts';
import { chance } from '../soak/random.ts';
import { openApi } from '../support/n8nApi.ts';
import { act, nothing, onEvents, overItems } from '../support/n8nWorkflow.ts';
import { until } from '../support/until.ts';
import { happenings } from './support/happenings.ts';
import { delivered } from '../support/wire.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

let folder: string;
let sandbox: Sandbox;
let n8n: ConnectedN8n;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-'));
  const file = join(folder, 'sandbox.sqlite');
  fill(file, 300);
  sandbox = await startSandbox({ file, limits: false, forms: { slots: 'shared' } });
  n8n = await openConnectedN8n(sandbox, { lean: true, folder: join(folder, 'n8n') });
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});
beforeEach(() => sandbox.faults.clear());

let slots = 0;
/** A time that is still free, as a wall clock shows it. */
const freeSlot = () => `2059-05-${String((slots += 1)).padStart(2, '0')}T09:00:00`;
const creating = (change: Record<string, unknown> = {}) => ({
  ...panelOf(createBooking, { fields: bookingForm(sandbox, { start_time: freeSlot() }) }),
  ...change,
});

/** The one item that an operation gave; its error where it gave none. */
async function run(parameters: Record<string, unknown>): Promise<Record<string, unknown>> {
  const execution = await act(n8n, parameters);
  expect(execution.error).toBeUndefined();
  return execution.items('Action')[0] ?? {};
}

it('the connection test asks who one is, and tells a refusal in the words of the table of errors', async () => {
  const shown = await n8n.session.get<{ data: Record<string, unknown> }>(`/rest/credentials/${n8n.credential.id}?includeData=true`);
  // What n8n blanks it fills in again; the tokens are blanked in the way that it blanks the client's secret.
  const data = { ...shown.data, oauthTokenData: shown.data['clientSecret'] };
  const credentials = { ...shown, data };
  const test = () => n8n.session.post('/rest/credentials/test', { credentials });
  sandbox.forgetRequests();
  expect(await test()).toMatchObject({ status: 'OK' });
  expect(sandbox.requests().map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/me']);
  sandbox.host.setPlan('FREE');
  const refused = await test();
  sandbox.host.setPlan('PRO');
  expect(refused).toMatchObject({ status: 'Error', message: expect.stringContaining('its plan (Pro or higher)') as string });
});

it.each([
  ['a luxon time', "={{ DateTime.fromISO('2059-07-04T09:00:00', { zone: 'Asia/Tokyo' }) }}", '2059-07-04T00:00:00.000Z'],
  ['a JavaScript date', "={{ new Date('2059-07-07T00:00:00Z') }}", '2059-07-07T00:00:00.000Z'],
])('a start may be %s from an expression', async (_, startTime, instant) => {
  expect(await run(creating({ startTime }))).toMatchObject({ start_time: instant });
});

it('a filter that an expression gives stops the node where the field is called otherwise, and where it is blank', async () => {
  const list = { resource: 'booking', operation: 'getMany', returnAll: true };
  for (const email of ['={{ $json.email }}', "={{ $json['Blank'] }}", '={{ $json.email }} ', '={{ $json.email ?? null }}', '={{ [] }}']) {
    const { run: done } = await overItems(n8n, [{ 'E-mail': 'ada@example.com', Blank: ' ' }], { ...list, filters: { email } });
    const execution = await done();
    expect([email, execution.error?.message]).toEqual([email, expect.stringContaining('is set, but it is empty')]);
    expect(execution.items('Action')).toEqual([]);
  }
});

it('a filter by event types whose expression cannot be evaluated is not published', async () => {
  const words = 'The expression in "Event Type Names or IDs" cannot be evaluated';
  await expect(started({ events: ['BOOKING_CREATED'], eventTypes: '={{ $json.types }}' })).rejects.toThrow(words);
});

describe('many items', () => {
  it('with Retry On Fail what was booked is not booked again, though its notes hold the time', async () => {
    const items = ['ada@example.com', 'ada@example.com', 'nobody'].map((email, index) => ({
      start: `2061-01-0${index + 1}T10:00:00Z`,
      email,
    }));
    const before = sandbox.bookings().length;
    const { run: done } = await overItems(
      n8n,
      items,
      creating({ startTime: '={{ $json.start }}', inviteeEmail: '={{ $json.email }}', additionalFields: { notes: '={{ $now }}' } }),
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
    );
    const execution = await done();
    expect(execution.error?.message).toContain('email address');
    expect(sandbox.bookings()).toHaveLength(before + 2);
  });

  it('stop where the execution is stopped: nothing goes out afterwards', async () => {
    const items = Array.from({ length: 300 }, (_, index) => ({ start: new Date(Date.UTC(2063, 0, 1, index)).toISOString() }));
    const asked = () => sandbox.requests().filter(({ method, path }) => `${method} ${path}` === 'POST /v1/bookings').length;
    sandbox.forgetRequests();
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay', delayMs: 60_000, times: 'always' });
    const { id: over, from } = await overItems(n8n, items, creating({ startTime: '={{ $json.start }}' }));
    const id = await beginWorkflow(n8n.session, over, from);
    while (asked() < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    await n8n.session.post(`/rest/executions/${id}/stop`);
    expect((await finishedExecution(n8n.session, id)).status).toBe('canceled');
    sandbox.faults.clear();
    await sandbox.clock.advance(60_000);
    // What was on its way when it was stopped has arrived by the end of another execution; a third shows that nothing follows.
    await run({ resource: 'user', operation: 'getCurrent' });
    const sent = asked();
    await run({ resource: 'user', operation: 'getCurrent' });
    expect([asked(), sent < items.length]).toEqual([sent, true]);
  });
});

const trigger = 'On events';
const allEvents = eventRows.map(({ name }) => name);
const workflow = (parameters: Record<string, unknown>): WorkflowFile => onEvents(n8n, { simplify: false, ...parameters });
const started = async (parameters: Record<string, unknown>) => {
  const file = workflow(parameters);
  const { id } = await createWorkflow(n8n.session, file);
  await publish(n8n.session, id);
  return { id, address: `${n8n.n8n.origin}/webhook/${file.nodes[0]?.webhookId}/webhook` };
};
const held = (address: string) => sandbox.subscriptions().filter(({ url }) => url === address);
const published = async <T>(
  parameters: Record<string, unknown>,
  work: (made: { id: string; address: string }) => Promise<T>,
): Promise<T> => {
  const made = await started(parameters);
  try {
    return await work(made);
  } finally {
    await unpublish(n8n.session, made.id);
    expect(held(made.address)).toEqual([]);
  }
};

it('bodies that n8n does not hand over by itself, or not as they came, are refused with the name of the failed check, and start nothing', async () => {
  await published({ events: ['BOOKING_CREATED'] }, async ({ id, address }) => {
    const forged = JSON.stringify(delivered('BOOKING_CREATED', { id: 'bkg_forged' }));
    const form = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n';
    for (const [type, encoding, body, status, check] of [
      ['text/plain', 'identity', forged, 401, 'signature'],
      ['application/octet-stream', 'identity', forged, 401, 'signature'],
      ['multipart/form-data; boundary=x', 'identity', form, 400, 'raw-body'],
    ] as const) {
      const own = { [`${brand.headerPrefix}-Event`]: 'BOOKING_CREATED', [`${brand.headerPrefix}-Signature`]: `sha256=${'0'.repeat(64)}` };
      const headers = { connection: 'close', 'content-type': type, 'content-encoding': encoding, ...own };
      const response = await fetch(address, { method: 'POST', headers, body });
      expect([type, response.status, await response.json()]).toEqual([type, status, expect.objectContaining({ check })]);
    }
    // These n8n answers itself.
    const packed = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' };
    expect((await fetch(address, { method: 'POST', headers: packed, body: forged })).ok).toBe(false);
    await announce(address, 17 * 1024 * 1024);
    // One more booking starts an execution. Whatever n8n had to do with earlier deliveries began before.
    const booking = sandbox.host.book();
    await awaitExecution(n8n.session, id, (each) => each.items(trigger)[0]?.['id'] === booking.id);
    expect(await listExecutions(n8n.session, id)).toHaveLength(1);
    await logged('refused a delivery (raw-body)');
  });
});

/** Says that a body of this length follows. n8n refuses it by its length, so none is sent: n8n would close the connection under it. */
const announce = (address: string, bytes: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': bytes };
    const sending = request(address, { method: 'POST', headers }, (response) => {
      void text(response).then((answer) => {
        sending.destroy();
        resolve(answer);
      }, reject);
    });
    sending.once('error', reject).flushHeaders();
  });

it('a refusal that lasts is told at once, with what to do: n8n does not try again', async () => {
  const { id } = await createWorkflow(n8n.session, workflow({ events: allEvents }));
  sandbox.host.setPlan('FREE');
  sandbox.forgetRequests();
  await expect(publish(n8n.session, id)).rejects.toThrow(/Upgrade the .* account/);
  expect(sandbox.requests().filter(({ path }) => path.endsWith('/hooks'))).toHaveLength(1);
  sandbox.host.setPlan('PRO');
});

it('test listening and the published workflow do not disturb each other', async () => {
  await published({ events: ['BOOKING_CREATED'] }, async ({ id, address }) => {
    // As the editor's button does: n8n subscribes, and the next event goes to the test address.
    await n8n.session.post(`/rest/workflows/${id}/run`, { triggerToStartFrom: { name: trigger } });
    const test = address.replace('/webhook/', '/webhook-test/');
    expect(held(test)).toHaveLength(1);
    expect(held(address)).toHaveLength(1);
    sandbox.host.book();
    await sandbox.settled();
    // The test listened once and gave its subscription back; the published one is still there and works.
    await until(() => held(test).length === 0);
    await until(async () => (await listExecutions(n8n.session, id)).length === 2);
    expect(held(address)).toHaveLength(1);
    expect((await listExecutions(n8n.session, id)).map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
  });
});

async function startAgain(): Promise<void> {
  const { folder: data, origin } = n8n.n8n;
  const port = Number(new URL(origin).port);
  const again = await startN8n({ lean: true, folder: data, port, unpublished: await builtPackage('n8n') });
  n8n = { ...n8n, n8n: again, stop: () => again.stop() };
}

/** Waits until n8n's log, which another program writes, has these words. */
const logged = (words: string) => until(() => n8n.n8n.log().includes(words));

it('a trigger that was imported without a webhook id is not published, until its name fits into an address', async () => {
  const imported = workflow({ events: ['BOOKING_CREATED'] });
  const id = randomUUID().slice(0, 16);
  const path = join(folder, 'imported.json');
  const nodes = imported.nodes.map(({ webhookId: _, ...node }) => node);
  await writeFile(path, JSON.stringify({ ...imported, id, nodes, active: false }));
  const { folder: data } = n8n.n8n;
  const env = { ...n8nEnvironment({ lean: true }), N8N_USER_FOLDER: data, N8N_ENCRYPTION_KEY: await keptKey(data) };
  const command = [(await installN8n()).bin, 'import:workflow', `--input=${path}`];
  expect(await new Program(process.execPath, command, { cwd: data, env }).ended).toBe(0);
  await expect(publish(n8n.session, id)).rejects.toThrow(
    /at which it receives nothing.*Rename the trigger to a word of letters and digits/s,
  );
  const named = nodes.map((node) => (node.name === trigger ? { ...node, name: 'Bookings' } : node));
  await saveWorkflow(n8n.session, id, { nodes: named, connections: { Bookings: imported.connections[trigger] ?? {} } });
  await publish(n8n.session, id);
  const booking = sandbox.host.book();
  await awaitExecution(n8n.session, id, (each) => each.items('Bookings')[0]?.['id'] === booking.id);
  await unpublish(n8n.session, id);
});

const pollingTrigger = 'On changes';

/** A new workflow that starts on changes. n8n polls when it publishes it, and after that too rarely to affect a test. */
async function made(): Promise<string> {
  const parameters = { pollTimes: { item: [{ mode: 'everyX', unit: 'hours', value: 23 }] }, events: allEvents };
  const { polling } = n8n.nodes;
  const polls = { name: pollingTrigger, type: polling, parameters, credentials: n8n.credentials };
  return (await createWorkflow(n8n.session, chain('On changes', [polls, nothing]))).id;
}

/** All changes that a workflow was given, each as `EVENT id`, sorted. Waits until none of its executions is running. */
async function givenTo(id: string): Promise<string[]> {
  const ended = await until(async () => {
    const all = await listExecutions(n8n.session, id);
    return all.every(({ status }) => !['new', 'running', 'waiting'].includes(status)) && all;
  });
  const runs = await Promise.all(ended.map((each) => finishedExecution(n8n.session, each.id)));
  const items = runs.flatMap((run) => run.items(pollingTrigger));
  return items.map(({ event, id: record }) => `${String(event)} ${String(record)}`).sort();
}

const listCalls = (): number => sandbox.requests().filter(({ path }) => /\/(bookings|contacts)$/.test(path)).length;

describe('n8n is killed in the middle of a poll, and is down while 180 things happen', () => {
  let kept: Awaited<ReturnType<typeof started>>;

  /** Makes an event happen. @returns the first answer of the trigger: on a busy machine, not always to the first try */
  const answerOf = async ({ address }: typeof kept): Promise<number | null | undefined> => {
    const before = new Set(sandbox.deliveries().map(({ id }) => id));
    sandbox.host.book();
    const answered = () =>
      sandbox
        .deliveries()
        .filter(({ id, url }) => url === address && !before.has(id))
        .flatMap(({ attempts }) => attempts.find(({ status }) => status !== null) ?? [])[0];
    return (await until(answered)).status;
  };

  it('before that, what a trigger keeps may be put back or cleared by the API: events go on', async () => {
    const api = await openApi(n8n);
    kept = await started({ events: ['BOOKING_CREATED'] });
    const older = await api.get(kept.id);
    await unpublish(n8n.session, kept.id);
    await publish(n8n.session, kept.id);
    for (const staticData of [older['staticData'], null]) {
      await api.put(kept.id, { ...older, staticData });
      expect(await answerOf(kept)).toBe(200);
    }
    await logged('n8n has lost the signing secret of the subscription');
  });

  it('afterwards each change is given once', async () => {
    const polling = await made();
    await publish(n8n.session, polling);
    const happen = happenings(sandbox, chance(17));
    const expected = happen(20);
    await unpublish(n8n.session, polling);
    sandbox.forgetRequests();
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'delay', delayMs: 600_000, after: 1 });
    const publishing = publish(n8n.session, polling).catch(() => undefined);
    await until(() => listCalls() > 1);
    await n8n.n8n.kill();
    await publishing;
    sandbox.faults.clear();
    expected.push(...happen(180));
    expect(expected.length).toBeGreaterThan(150);

    // What a killed process was publishing, n8n takes up after two minutes.
    const database = new DatabaseSync(join(n8n.n8n.folder, '.n8n', 'database.sqlite'));
    database.exec(`UPDATE workflow_publication_outbox SET "updatedAt" = datetime("updatedAt", '-2 minutes') WHERE status = 'in_progress'`);
    database.close();

    // n8n polls when it starts.
    await startAgain();
    await awaitExecution(n8n.session, polling);
    expect(await givenTo(polling)).toEqual(expected.sort());
    await unpublish(n8n.session, polling);
  });

  it('a process that does not know the secret of a trigger asks for its events again, and nothing is left', async () => {
    expect(await answerOf(kept)).toBe(503);
    await unpublish(n8n.session, kept.id);
    expect(held(kept.address)).toEqual([]);
    await publish(n8n.session, kept.id);
    expect(await answerOf(kept)).toBe(200);
    await unpublish(n8n.session, kept.id);
  });
});
