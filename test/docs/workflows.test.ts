import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { openConnectedN8n, type ConnectedN8n } from '../support/connectedN8n.ts';
import { startN8n } from '../../tools/rigs/n8n/instance.ts';
import { connectCredential, createCredential, redirectUri } from '../../tools/rigs/n8n/session.ts';
import { awaitExecution, listExecutions, runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow, publish, unpublish, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { isInstalled } from '../../tools/rigs/queue/servers.ts';
import { root } from '../../tools/root.cjs';
import { brand } from '../../shared/brand.ts';
import { allScopes, oauthEndpoints } from '../../shared/oauth/oauth.ts';
import { connectServices, mailOf, oursBy, sendingTo, withCredentials, type Credentials } from '../support/otherServices.ts';
import { Outside, inTurns, type Turn } from '../support/outside.ts';
import { until } from '../support/until.ts';
import { asksTheTeam } from './approving.ts';
import { handlesOnce } from './exactlyOnce.ts';
import { answersForms } from './forms.ts';
import { watchesTriggers } from './watching.ts';
import { oneOf, pageIn, recordIn } from '../support/wire.ts';

/**
 * Every template runs as it is, in a real n8n, with credentials chosen. The nodes of Gmail, HubSpot and Slack are n8n's own. What they send
 * arrives at a stand-in, so these tests show what would be sent, and not that those services accept it.
 */

const minutes = 60_000;
jest.setTimeout(25 * minutes);

const folder = join(root, 'docs', 'templates');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));
const textOf = (name: string): string => readFileSync(join(folder, `${name}.json`), 'utf8');
const fileOf = (name: string): WorkflowFile => JSON.parse(textOf(name)) as WorkflowFile;

let sandbox: Sandbox;
let n8n: ConnectedN8n;
let credentials: Record<string, Credentials>;
const outside = new Outside();

/** Lean, but with what such an n8n lacks: a process for Code nodes. */
const options = () => ({ lean: true, extra: { N8N_RUNNERS_MODE: 'internal', ...sendingTo(outside) } });

/** Ends n8n as a crash does, and starts it again. */
async function crash(): Promise<void> {
  const { n8n: before, stop } = n8n;
  await before.kill();
  const port = Number(new URL(before.origin).port);
  const again = await startN8n({ ...options(), folder: before.folder, port, unpublished: await builtPackage('n8n') });
  n8n = { ...n8n, n8n: again, stop: () => again.stop().then(stop) };
}

beforeAll(async () => {
  await outside.start();
  sandbox = await startSandbox({ limits: false });
  // n8n asks its makers about the package that it installs.
  outside.answer = () => ({ status: 200, body: '{"status":"OK"}' });
  n8n = await openConnectedN8n(sandbox, options());
  credentials = { ...oursBy(n8n.nodes, n8n.credentials), ...(await connectServices(n8n.session, outside)) };
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.stop();
  await outside.stop();
});
beforeEach(() => outside.forget());

/** A template as a person sets it up: with credentials chosen, and with other values if the test needs them. */
const setUp = (name: string, edit = (text: string) => text): WorkflowFile =>
  withCredentials(JSON.parse(edit(textOf(name))) as WorkflowFile, credentials);

/** Publishes a template, makes something happen, and waits for the run that it starts. */
async function published<T>(file: WorkflowFile, work: (id: string) => Promise<T>): Promise<T> {
  const { id } = await createWorkflow(n8n.session, file);
  await publish(n8n.session, id);
  try {
    return await work(id);
  } finally {
    await unpublish(n8n.session, id);
  }
}

const succeeded = (execution: Execution): Execution => {
  expect(execution.error).toBeUndefined();
  expect(execution.status).toBe('success');
  return execution;
};
/** On a busy machine, a delivery may be answered late and then come again up to half a minute later. */
const ended = async (id: string): Promise<Execution> => succeeded(await awaitExecution(n8n.session, id, () => true));
const type = (name: string): string => sandbox.eventTypes().find((each) => each.name === name)?.id ?? '';
/** What a model enters in the tool that books. */
const agentsForm = (start_time: string) => {
  const ada = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' };
  return { event_type_id: type('Coffee Chat'), start_time, ...ada, answers: '{}' };
};
const sentTo = (host: string) => outside.asked.filter(({ headers }) => headers['x-host'] === host);
const inSlack = (): unknown[] =>
  sentTo('slack.com').map(({ path, body }) => {
    expect([path, body['channel']]).toEqual(['/api/chat.postMessage', '#general']);
    return body['text'];
  });
const mails = () => sentTo('www.googleapis.com').map(mailOf);

it.each(names)('%s has neither a credential nor a real address in it', (name) => {
  const file = fileOf(name);
  expect(file.nodes.filter((node) => node.credentials !== undefined)).toEqual([]);
  const hosts = [...JSON.stringify(file).matchAll(/https?:\/\/([^/"'` ]+)/g)].map(([, host = '']) => host);
  expect(hosts.filter((host) => host !== new URL(brand.baseUrl).host)).toEqual([]);
});

it('Booking to CRM: a booking becomes one contact in HubSpot and a task that is due at its start', async () => {
  outside.answer = () => ({ status: 200, body: '{"vid":7}' });
  await published(setUp('booking-to-crm'), async (id) => {
    const booking = sandbox.host.book({
      event_type_id: type('Intro Call'),
      invitee_name: 'Grace Hopper',
      invitee_email: 'grace@example.com',
    });
    await ended(id);
    expect(sentTo('api.hubapi.com').filter(({ method }) => method === 'POST')).toMatchObject([
      {
        path: '/contacts/v1/contact/createOrUpdate/email/grace@example.com',
        body: {
          properties: [
            { property: 'firstname', value: 'Grace' },
            { property: 'lastname', value: 'Hopper' },
          ],
        },
      },
      {
        path: '/engagements/v1/engagements',
        body: {
          engagement: { type: 'TASK', timestamp: Date.parse(booking.start_time) },
          associations: { contactIds: ['7'] },
          metadata: { subject: 'Intro Call with Grace Hopper', body: booking.meeting_url },
        },
      },
    ]);
  });
});

describe('Reminder before the start', () => {
  // Far ahead, where no other test books.
  const hours = 10_000;
  const ahead = hours * 60 * minutes;
  const inSeconds = (seconds: number): string => new Date(Date.now() + ahead + seconds * 1000).toISOString();
  const template = () => setUp('reminder-before-start', (text) => text.replace('hours: 24', `hours: ${hours}`));

  it("waits until a few hours before the start, then sends the reminder with the time on the invitee's clock", async () => {
    await published(template(), async (id) => {
      const start = inSeconds(2);
      const booking = sandbox.host.book({
        event_type_id: type('Coffee Chat'),
        start_time: start,
        invitee_timezone: 'Asia/Tokyo',
        invitee_email: 'grace@example.com',
      });
      // A service may show the same in another notation.
      const record = { ...booking, status: 'confirmed', start_time: booking.start_time.replace('Z', '+00:00') };
      sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 200, body: oneOf(record) });
      await ended(id);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(start) - ahead);
      const tokyo = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' }).format(
        new Date(start),
      );
      expect(mails()).toEqual([
        { to: 'grace@example.com', subject: 'Reminder: Coffee Chat', text: expect.stringContaining(tokyo) as unknown },
      ]);
    });
  });

  it('sends nothing for a booking that was cancelled in the meantime', async () => {
    await published(template(), async (id) => {
      const booking = sandbox.host.book({
        event_type_id: type('Coffee Chat'),
        start_time: inSeconds(-1200),
        invitee_email: 'grace@example.com',
      });
      sandbox.host.cancel(booking.id);
      const run = await ended(id);
      expect(run.items('Get booking')).toMatchObject([{ id: booking.id, status: 'CANCELLED' }]);
    });
    expect(outside.asked).toEqual([]);
  });
});

describe('Approval desk', () => asksTheTeam(() => ({ n8n, sandbox, outside, setUp, published, type, inSlack, mails })));

it('Weekly digest: one message names the bookings of the next seven days in order', async () => {
  outside.answer = () => ({ status: 200, body: '{"ok":true,"message":{}}' });
  // What Slack takes for a mention of everybody.
  const guest = sandbox.host.book({ invitee_name: 'Ada & <!channel>' });
  const { id } = await createWorkflow(n8n.session, setUp('weekly-digest'));
  succeeded(await runWorkflow(n8n.session, id, 'Every Monday at 7'));
  const coming = sandbox
    .bookings()
    .filter(
      ({ status, start_time: start }) =>
        status === 'CONFIRMED' && Date.parse(start) > Date.now() && Date.parse(start) < Date.now() + 7 * 24 * 60 * minutes,
    );
  const inOrder = [...coming]
    .sort((a, b) => a.start_time.localeCompare(b.start_time))
    .map(({ id: booking, invitee_name: name }) => (booking === guest.id ? 'Ada &amp; &lt;!channel>' : name));
  expect(coming.length).toBeGreaterThan(1);
  const [text, ...others] = inSlack();
  expect(others).toEqual([]);
  const [heading, ...lines] = String(text).split('\n');
  expect(heading).toBe(`${coming.length} bookings in the next seven days:`);
  expect(lines.map((line) => line.split(' – ')[1])).toEqual(inOrder);
});

it('AI booking agent: it books with the tools, cancels only after the person in the chat has agreed, and waits if nobody answers', async () => {
  const start = '2062-01-31T08:00:00.000Z';
  const made = () => sandbox.bookings().find((booking) => booking.start_time === start);
  const cancel = () => ({
    name: 'Cancel_booking',
    arguments: { toolParameters: { booking_id: made()?.id }, hitlParameters: { booking: 'Coffee with Ada' } },
  });
  const file = setUp('ai-booking-agent');
  const nodes = file.nodes.map((node) => (node.name === 'Chat' ? { ...node, parameters: { ...node.parameters, public: true } } : node));
  const webhook = nodes.find(({ name }) => name === 'Chat')?.webhookId ?? '';
  /** Says one thing in the chat. @returns the answers, after a button was pressed below a question; without one, the person leaves the page */
  const say = async (turns: Turn[], button = ''): Promise<string[]> => {
    outside.answer = inTurns(turns);
    const response = await fetch(`${n8n.n8n.origin}/webhook/${webhook}/chat`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'sendMessage', sessionId: 'a', chatInput: 'Coffee on 31 January 2062 at nine in Berlin?' }),
    });
    const { executionId, resumeToken } = (await response.json()) as Record<string, string>;
    const query = new URLSearchParams({ sessionId: 'a', executionId: executionId ?? '', token: resumeToken ?? '', isPublic: 'true' });
    const socket = new WebSocket(`${n8n.n8n.origin.replace('http', 'ws')}/chat?${query.toString()}`);
    const said: string[] = [];
    socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text.startsWith('n8n|')) return;
      if (!text.startsWith('{')) return void said.push(text);
      const asked = JSON.parse(text) as { text: string; buttons: { text: string; link: string }[] };
      said.push(asked.text);
      if (button === '') return socket.close();
      // n8n takes other programs for those that only show a preview of the link.
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', connection: 'close' };
      void fetch(asked.buttons.find((each) => each.text === button)?.link ?? '', { headers });
    };
    await new Promise((resolve) => (socket.onclose = resolve));
    return said;
  };
  const question = 'Cancel this booking permanently? Coffee with Ada';
  await published({ ...file, nodes }, async (id) => {
    const wanted = agentsForm('2062-01-31T09:00:00+01:00');
    const looked = [
      { name: 'Get_event_types', arguments: {} },
      { name: 'Create_booking', arguments: wanted },
    ];
    expect(await say([...looked, 'Booked.'])).toEqual(['Booked.']);
    expect(made()).toMatchObject({ invitee_name: 'Ada Lovelace', status: 'CONFIRMED' });
    expect(JSON.stringify(outside.asked[1]?.body['messages'])).toContain(wanted.event_type_id);

    const asks = { name: 'Get_bookings', arguments: { email: 'ada@example.com' } };
    expect(await say([asks, cancel(), 'Kept.'], 'Decline')).toEqual([question, 'Kept.']);
    expect(made()?.status).toBe('CONFIRMED');
    // It remembers what was said before.
    expect(JSON.stringify(outside.asked.at(-1)?.body['messages'])).toContain('Booked.');

    // Nobody answers: the agent waits, and nothing is cancelled.
    const asked = outside.asked.length;
    expect(await say([cancel(), 'Cancelled.'])).toEqual([question]);
    await until(async () => (await listExecutions(n8n.session, id))[0]?.status === 'waiting');
    expect(outside.asked).toHaveLength(asked + 1);
    expect(made()?.status).toBe('CONFIRMED');

    expect(await say([cancel(), 'Cancelled.'], 'Approve')).toEqual([question, 'Cancelled.']);
    expect(made()?.status).toBe('CANCELLED');
  });
});

// The first and the last version of each of its four agents: within one, versions differ in what is shown and streamed.
it.each([1, 1.5, 1.6, 1.9, 2, 2.3, 3, 3.1])(
  "n8n's agent of version %s tells its model the whole sentence of a failure: what happened, and what to do",
  async (typeVersion) => {
    const taken = new Date(Date.UTC(2062, 1, 1, 9) + typeVersion * 10 * 24 * 60 * minutes).toISOString();
    sandbox.host.book({ event_type_id: type('Coffee Chat'), start_time: taken });
    const { nodes, connections, ...file } = setUp('ai-booking-agent');
    const { nodes: start } = chain('', [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} }]);
    const kind = typeVersion < 1.6 ? 'openAiFunctionsAgent' : 'toolsAgent';
    const parameters = { agent: kind, promptType: 'define', text: 'Book a coffee.', options: {} };
    const agents = nodes
      .filter(({ name }) => ['Booking agent', 'Model', 'Create booking'].includes(name))
      .map((node) => (node.name === 'Booking agent' ? { ...node, typeVersion, parameters } : node));
    const { Model, 'Create booking': tool } = connections;
    const { id } = await createWorkflow(n8n.session, {
      ...file,
      nodes: [...start, ...agents],
      connections: {
        ...(Model && { Model }),
        ...(tool && { 'Create booking': tool }),
        Start: { main: [[{ node: 'Booking agent', type: 'main', index: 0 }]] },
      },
    });
    const wanted = agentsForm(taken);
    for (const [change, sentence] of [
      [{}, /That time is not free for this event type: .+ Choose another start\./],
      [{ invitee_email: 'nobody' }, /Invitee Email.+ is not an email address: it is .+nobody.+ Correct it and run this again\./],
    ] as const) {
      outside.forget();
      outside.answer = inTurns([{ name: 'Create_booking', arguments: { ...wanted, ...change } }, 'It was refused.']);
      succeeded(await runWorkflow(n8n.session, id, 'Start'));
      expect(JSON.stringify(outside.asked.at(-1)?.body['messages'])).toMatch(sentence);
    }
  },
);

it("Evaluate the booking agent: n8n's own evaluation counts a request as passed if exactly what was expected is booked, and cancels it", async () => {
  const { session } = n8n;
  const { id: projectId } = await session.get<{ id: string }>('/rest/projects/personal');
  const tables = `/rest/projects/${projectId}/data-tables`;
  const columns = ['request', 'email', 'expected_start'].map((name) => ({ name, type: 'string' }));
  const table = await session.post<{ id: string; name: string }>(tables, { name: 'Requests', columns });
  const rows = ['right', 'asks', 'late'].map((name) => ({ request: `I am ${name}`, email: `${name}@example.com` }));
  const expected = ['2064-01-31T09:00:00+01:00', '', '2064-01-31T11:00:00+01:00'];
  await session.post(`${tables}/${table.id}/insert`, { data: rows.map((row, index) => ({ ...row, expected_start: expected[index] })) });

  const books = (email = '', start = ''): Turn => ({ name: 'Create_booking', arguments: { ...agentsForm(start), invitee_email: email } });
  const late = '2064-01-31T12:00:00+01:00';
  outside.answer = inTurns([
    ...[{ name: 'Get_event_types', arguments: {} }, books(rows[0]?.email, expected[0]), 'Booked.'],
    'On which day?',
    ...[books(rows[2]?.email, late), 'Booked.'],
  ]);
  const chosen = JSON.stringify({ __rl: true, mode: 'list', value: table.id, cachedResultName: table.name });
  const empty = '"dataTableId": { "__rl": true, "mode": "list", "value": "" }';
  const file = setUp('agent-evaluation', (text) => text.replace(empty, `"dataTableId": ${chosen}`));
  const { id } = await createWorkflow(session, file);
  const { testRunId } = await session.post<{ testRunId: string }>(`/rest/workflows/${id}/test-runs/new`);
  const run = await until(async () => {
    const now = await session.get<{ status: string; metrics: object }>(`/rest/workflows/${id}/test-runs/${testRunId}`);
    return !['new', 'running'].includes(now.status) && now;
  });
  const cases = await session.get<{ metrics: Record<string, number> }[]>(`/rest/workflows/${id}/test-runs/${testRunId}/test-cases`);
  expect(run).toMatchObject({ status: 'completed', metrics: { 'Booked as expected': expect.closeTo(2 / 3) as number } });
  expect(cases.map(({ metrics }) => metrics['Booked as expected']).sort()).toEqual([0, 1, 1]);
  const { data } = await session.get<{ data: Record<string, string>[] }>(`${tables}/${table.id}/rows`);
  expect(data.map(({ answer, booked_start: start }) => [answer, start])).toEqual([
    ['Booked.', new Date(expected[0] ?? '').toISOString()],
    ['On which day?', ''],
    ['Booked.', new Date(late).toISOString()],
  ]);
  const made = sandbox.bookings().filter(({ start_time: start }) => start.startsWith('2064'));
  expect(made.map(({ status, invitee_email: email }) => [email, status])).toEqual([
    ['right@example.com', 'CANCELLED'],
    ['late@example.com', 'CANCELLED'],
  ]);
});

describe('Watch my triggers', () => watchesTriggers(() => ({ n8n, sandbox, outside, template: setUp('watch-my-triggers') })));

describe('forms', () => answersForms(() => ({ n8n, sandbox, setUp, published, type })));

it('With the HTTP Request node: lists every page, creates and cancels with the generic credential', async () => {
  sandbox.allowRedirect(redirectUri(n8n.session.origin));
  const { authorizeUrl, tokenUrl } = oauthEndpoints(sandbox.baseUrl);
  const { id: generic, name } = await createCredential(n8n.session, {
    name: 'Generic',
    type: 'oAuth2Api',
    data: {
      grantType: 'authorizationCode',
      authUrl: authorizeUrl,
      accessTokenUrl: tokenUrl,
      clientId: sandbox.client.id,
      clientSecret: sandbox.client.secret,
      scope: allScopes,
      authQueryParameters: '',
      authentication: 'body',
    },
  });
  await connectCredential(n8n.session, generic);
  for (let count = 0; count < 120; count += 1)
    sandbox.host.book({
      event_type_id: type('Coffee Chat'),
      start_time: new Date(Date.parse('2061-01-01T00:00:00Z') + count * 60 * minutes).toISOString(),
    });
  const file = setUp('http-request', (text) => text.replaceAll(brand.baseUrl, sandbox.baseUrl));
  const { id } = await createWorkflow(n8n.session, withCredentials(file, { httpRequest: { oAuth2Api: { id: generic, name } } }));
  const before = sandbox.bookings().map((booking) => booking.id);
  const run = succeeded(await runWorkflow(n8n.session, id, 'Execute workflow'));
  const pages = run.items('List bookings').map((body) => pageIn<{ id: string }>(body).records);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat().map((booking) => booking.id)).toEqual(expect.arrayContaining(before));
  const { id: made } = recordIn<{ id: string }>(run.items('Create booking')[0]);
  expect(sandbox.bookings().find((booking) => booking.id === made)).toMatchObject({
    status: 'CANCELLED',
    cancellation_reason: 'An example',
  });
});

// The last, because n8n does not survive it. Elsewhere than in CI it is no failure that a machine has no PostgreSQL.
(isInstalled('postgres') || process.env['CI'] !== undefined ? describe : describe.skip)('the examples with a database', () =>
  handlesOnce(() => ({ n8n, sandbox, crash })),
);
