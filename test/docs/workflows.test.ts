import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { isolatedExpressions } from '../../tools/rigs/n8n/environment.ts';
import { connectCredential, createCredential, redirectUri } from '../../tools/rigs/n8n/credentials.ts';
import { awaitExecution, getExecution, runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish, unpublish, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { root } from '../../tools/root.cjs';
import { brand } from '../../shared/brand.ts';
import { allScopes, oauthEndpoints } from '../../shared/oauth/oauth.ts';
import { Outside } from '../support/outside.ts';
import { inTurns } from '../support/scriptedModel.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

const folder = join(root, 'docs', 'templates');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));
const fileOf = (name: string): WorkflowFile => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as WorkflowFile;

let sandbox: Sandbox;
let n8n: ConnectedN8n;
const outside = new Outside();

beforeAll(async () => {
  await outside.start();
  sandbox = await startSandbox({ limits: false });
  n8n = await openConnectedN8n(sandbox, { lean: true, extra: isolatedExpressions });
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.stop();
  await outside.stop();
});
beforeEach(() => outside.forget());

/** A template as a person sets it up: with the credential chosen, and the addresses of other services and other settings filled in. */
function setUp(name: string, settings: Record<string, unknown> = {}): WorkflowFile {
  const file = fileOf(name);
  const ours = new Set([n8n.nodes.action, `${n8n.nodes.action}Tool`, n8n.nodes.trigger, n8n.nodes.polling]);
  return {
    ...file,
    nodes: file.nodes.map((node) => {
      if (ours.has(node.type)) return { ...node, credentials: n8n.credentials };
      const { assignments } = (node.parameters['assignments'] ?? {}) as { assignments?: { name: string; value: unknown }[] };
      if (assignments === undefined) return node;
      const entered = assignments.map((each) =>
        each.name in settings
          ? { ...each, value: settings[each.name] }
          : each.name.endsWith('_url')
            ? { ...each, value: `${outside.origin}/${each.name}` }
            : each,
      );
      return { ...node, parameters: { ...node.parameters, assignments: { assignments: entered } } };
    }),
  };
}

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
const started = (id: string, wanted: (run: Execution) => boolean = () => true): Promise<Execution> =>
  awaitExecution(n8n.session, id, wanted, 3 * minutes);
const ended = async (id: string): Promise<Execution> => succeeded(await started(id));
const type = (name: string): string => sandbox.eventTypes().find((each) => each.name === name)?.id ?? '';
const bodies = (): Record<string, unknown>[] => outside.asked.map(({ body }) => body);

describe('every template', () => {
  it.each(names)('%s has a note on its canvas, and neither a credential nor a real address in it', (name) => {
    const file = fileOf(name);
    const notes = file.nodes.filter((node) => node.type === 'n8n-nodes-base.stickyNote');
    expect(notes.length).toBeGreaterThan(0);
    expect(String(notes[0]?.parameters['content'])).toContain(`## ${file.name}`);
    expect(file.nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
    const hosts = [...JSON.stringify(file).matchAll(/https?:\/\/([^/"'` ]+)/g)].map(([, host = '']) => host);
    expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host) && host !== new URL(brand.baseUrl).host)).toEqual([]);
  });

  it('is listed, and every listed one exists', () => {
    const listed = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| \[([^\]]+)\]\(([\w-]+)\.json\)/gm)].map(
      ([, title, name]) => ({ title, name }),
    );
    expect(listed.map(({ name }) => name).sort()).toEqual([...names].sort());
    for (const { title, name } of listed) expect(fileOf(name ?? '').name).toBe(title);
  });
});

it('Booking to CRM row: a booking becomes one contact and one meeting under the key of its delivery', async () => {
  await published(setUp('booking-to-crm'), async (id) => {
    const booking = sandbox.host.book({
      event_type_id: type('Intro Call'),
      invitee_name: 'Grace Hopper',
      invitee_email: 'grace@example.com',
    });
    await ended(id);
    expect(outside.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /crm_url/contacts', 'POST /crm_url/meetings']);
    expect(bodies()).toMatchObject([
      { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' },
      {
        contact: 'grace@example.com',
        title: 'Intro Call',
        starts: booking.start_time,
        key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      },
    ]);
  });
});

describe('Reminder before the start', () => {
  // Far ahead, where no other test books.
  const settings = { hours_before: 10_000 };
  const ahead = settings.hours_before * 60 * minutes;
  const inSeconds = (seconds: number): string => new Date(Date.now() + ahead + seconds * 1000).toISOString();

  it("waits until a few hours before the start, then sends the reminder with the time on the invitee's clock", async () => {
    await published(setUp('reminder-before-start', settings), async (id) => {
      const start = inSeconds(4);
      sandbox.host.book({
        event_type_id: type('Coffee Chat'),
        start_time: start,
        invitee_timezone: 'Asia/Tokyo',
        invitee_email: 'grace@example.com',
      });
      await ended(id);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(start) - ahead);
      const tokyo = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' }).format(
        new Date(start),
      );
      expect(bodies()).toEqual([{ to: 'grace@example.com', text: expect.stringContaining(tokyo) as unknown }]);
    });
  });

  it('sends nothing for a booking that was cancelled in the meantime', async () => {
    await published(setUp('reminder-before-start', settings), async (id) => {
      const booking = sandbox.host.book({
        event_type_id: type('Coffee Chat'),
        start_time: inSeconds(-1200),
        invitee_email: 'grace@example.com',
      });
      sandbox.host.cancel(booking.id);
      const run = await ended(id);
      expect(run.items('As it is now')).toMatchObject([{ id: booking.id, status: 'CANCELLED' }]);
    });
    expect(outside.asked).toEqual([]);
  });
});

describe('Cancellation win-back', () => {
  it('writes to invitees without an upcoming booking, and not to those who have booked again', async () => {
    await published(setUp('cancellation-win-back', { days_to_wait: 0 }), async (id) => {
      const lost = sandbox.host.book({ event_type_id: type('Intro Call'), invitee_name: 'Lost Soul', invitee_email: 'lost@example.com' });
      sandbox.host.cancel(lost.id, { reason: 'No time' });
      await ended(id);
      expect(bodies()).toMatchObject([{ to: 'lost@example.com', subject: 'Shall we find another time, Lost?' }]);
      outside.forget();

      const faithful = sandbox.host.book({ event_type_id: type('Intro Call'), invitee_email: 'faithful@example.com' });
      sandbox.host.book({ event_type_id: type('Intro Call'), invitee_email: 'faithful@example.com' });
      sandbox.host.cancel(faithful.id);
      const run = await started(id, (each) => each.items('When it happens')[0]?.['id'] === faithful.id);
      succeeded(run);
      expect(outside.asked).toEqual([]);
    });
  });
});

describe('Approval desk', () => {
  const ask = (email: string) =>
    sandbox.host.book({
      event_type_id: type('Design Review'),
      invitee_email: email,
      question_responses: { link: 'https://example.com/drafts' },
    });

  it('notifies the team once of each waiting request', async () => {
    const request = ask('asking@example.com');
    const { id } = await createWorkflow(n8n.session, setUp('approval-desk'));
    succeeded(await runWorkflow(n8n.session, id, 'Every quarter of an hour'));
    const told = bodies().filter(({ text }) => String(text).includes(request.id));
    expect(told).toHaveLength(1);
    outside.forget();
    succeeded(await runWorkflow(n8n.session, id, 'Every quarter of an hour'));
    expect(outside.asked).toEqual([]);
  });

  it("tells the invitee what was decided, in the host's words", async () => {
    await published(setUp('approval-desk'), async (id) => {
      const [yes, no] = [ask('yes@example.com'), ask('no@example.com')];
      sandbox.host.approve(yes.id);
      succeeded(await started(id, (run) => run.items('Say yes').length > 0));
      sandbox.host.deny(no.id, { reason: 'that week is full' });
      succeeded(await started(id, (run) => run.items('Say no').length > 0));
      expect(bodies()).toEqual([
        { to: 'yes@example.com', text: expect.stringContaining('Design Review is confirmed') as unknown },
        { to: 'no@example.com', text: 'Design Review cannot take place: that week is full.' },
      ]);
    });
  });
});

it('Weekly digest: every page is read, and one mail names the bookings of the next seven days in order', async () => {
  for (let count = 0; count < 120; count += 1)
    sandbox.host.book({
      event_type_id: type('Coffee Chat'),
      invitee_email: 'many@example.com',
      start_time: new Date(Date.parse('2061-01-01T00:00:00Z') + count * 60 * minutes).toISOString(),
    });
  const { id } = await createWorkflow(n8n.session, setUp('weekly-digest'));
  sandbox.forgetRequests();
  succeeded(await runWorkflow(n8n.session, id, 'Monday at seven'));
  expect(sandbox.requests().filter(({ path }) => path.startsWith('/v1/bookings')).length).toBeGreaterThan(1);
  const coming = sandbox
    .bookings()
    .filter(
      ({ status, start_time: start }) =>
        status === 'CONFIRMED' && Date.parse(start) > Date.now() && Date.parse(start) < Date.now() + 7 * 24 * 60 * minutes,
    );
  const inOrder = [...coming].sort((a, b) => a.start_time.localeCompare(b.start_time)).map(({ invitee_name: name }) => name);
  expect(coming.length).toBeGreaterThan(1);
  expect(bodies()).toMatchObject([{ to: 'team@example.com', subject: `${coming.length} bookings in the next seven days` }]);
  expect(
    String(bodies()[0]?.['text'])
      .split('\n')
      .map((line) => line.split(' – ')[1]),
  ).toEqual(inOrder);
});

it('AI booking agent: the model looks up the event types and books with the tools', async () => {
  const credential = await createCredential(n8n.session, {
    name: 'A model',
    type: 'openAiApi',
    data: { apiKey: 'none', url: `${outside.origin}/v1` },
  });
  const file = setUp('ai-booking-agent');
  const withModel = {
    ...file,
    nodes: file.nodes.map((node) => {
      if (node.name === 'Model') return { ...node, credentials: { openAiApi: { id: credential.id, name: credential.name } } };
      return node.name === 'When chat message received'
        ? { ...node, parameters: { ...node.parameters, public: true, mode: 'webhook' } }
        : node;
    }),
  };
  const turns = [
    { name: 'Look_up_event_types', arguments: {} },
    {
      name: 'Book_a_meeting',
      arguments: {
        event_type_id: type('Coffee Chat'),
        start_time: '2062-01-31T09:00:00+01:00',
        invitee_name: 'Ada Lovelace',
        invitee_email: 'ada@example.com',
        answers: '{}',
      },
    },
  ];
  outside.answer = inTurns([...turns, 'Booked.']);
  await published(withModel, async () => {
    const webhook = withModel.nodes.find(({ name }) => name === 'When chat message received')?.webhookId ?? '';
    const response = await fetch(`${n8n.n8n.origin}/webhook/${webhook}/chat`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify({
        action: 'sendMessage',
        sessionId: 'a',
        chatInput: 'Coffee on 31 January 2062 at nine in Berlin? Ada Lovelace, ada@example.com',
      }),
    });
    expect(await response.json()).toMatchObject({ output: 'Booked.' });
  });
  expect(sandbox.bookings().filter(({ start_time: start }) => Date.parse(start) === Date.parse('2062-01-31T08:00:00Z'))).toMatchObject([
    { invitee_name: 'Ada Lovelace', status: 'CONFIRMED' },
  ]);
  const tools = JSON.stringify(outside.asked[0]?.body['tools']);
  for (const { name } of turns) expect(tools).toContain(name);
  const seen = JSON.stringify(outside.asked[1]?.body['messages']);
  expect(seen).toContain(type('Coffee Chat'));
});

describe('Exact de-duplication', () => {
  it('a delivery that it claims is handled, and one that another run has claimed is not', async () => {
    const keys = new Set<string>();
    outside.answer = ({ path, headers }) => {
      const taken = keys.has(path) && headers['if-none-match'] === '*';
      keys.add(path);
      return { status: taken ? 412 : 201, body: '' };
    };
    await published(setUp('exact-de-duplication'), async (id) => {
      sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { notes: 'Handle this once' });
      const first = await ended(id);
      expect(first.items('Handled once')).toMatchObject([{ event: 'CONTACT_UPDATED' }]);
      const [claimed = ''] = keys;
      expect(claimed).toContain(String(first.items('When it happens')[0]?.['delivery_key']));
      outside.answer = () => ({ status: 412, body: '' });
      sandbox.host.editContact(sandbox.contacts()[1]?.id ?? '', { notes: 'Claimed by another process' });
      const second = succeeded(await started(id, (run) => run.id !== first.id));
      expect(second.items('Handled once')).toEqual([]);
    });
  });

  it('a store that does not answer fails the run instead of guessing', async () => {
    outside.answer = () => ({ status: 503, body: '' });
    await published(setUp('exact-de-duplication'), async (id) => {
      sandbox.host.editContact(sandbox.contacts()[2]?.id ?? '', { notes: 'Nobody knows' });
      const run = await started(id);
      expect(run.status).toBe('error');
      expect(run.error?.message).toContain('The store answered 503');
      expect(run.items('Handled once')).toEqual([]);
    });
  });
});

it('Each change once: a change from a delivery and a poll is handled once, and one that was not delivered is handled too', async () => {
  const keys = new Set<string>();
  outside.answer = ({ path }) => {
    const status = keys.has(path) ? 412 : 201;
    keys.add(path);
    return { status, body: '' };
  };
  const { id } = await createWorkflow(n8n.session, setUp('each-change-once'));
  const handled = async (run: string) => succeeded(await getExecution(n8n.session, run)).items('Handled once');
  await publish(n8n.session, id);
  const [contact] = sandbox.contacts();
  sandbox.host.editContact(contact?.id ?? '', { notes: 'Delivered, and found' });
  const delivered = await started(id);
  expect(await handled(delivered.id)).toMatchObject([{ event: 'CONTACT_UPDATED', id: contact?.id }]);
  await unpublish(n8n.session, id);
  const missed = sandbox.host.book({ event_type_id: type('Coffee Chat'), invitee_email: contact?.email, invitee_name: contact?.name });
  await publish(n8n.session, id);
  const found = await started(id, (run) => run.id !== delivered.id);
  expect(found.items('When it is found').map((item) => item['event'])).toEqual(['CONTACT_UPDATED', 'BOOKING_CREATED']);
  expect(await handled(found.id)).toMatchObject([{ event: 'BOOKING_CREATED', id: missed.id }]);
  await unpublish(n8n.session, id);
});

it('Bulk import from a sheet: good rows are booked, a bad one is reported with its reason and stops nothing', async () => {
  const rows = [
    ['event_type_id', 'start_time', 'name', 'email', 'timezone'],
    [type('Coffee Chat'), '2063-01-31T09:00:00Z', 'Ada Lovelace', 'ada@example.com', 'Europe/London'],
    [type('Coffee Chat'), '2063-01-31T09:00:00Z', 'Too Late', 'late@example.com', 'Europe/London'],
    [type('Coffee Chat'), '2063-01-31T10:00', 'Grace Hopper', 'grace@example.com', 'America/New_York'],
  ];
  outside.answer = ({ path }) =>
    path.startsWith('/sheet_url')
      ? { status: 200, body: rows.map((row) => row.join(',')).join('\n'), type: 'text/csv' }
      : { status: 200, body: '{}' };
  const { id } = await createWorkflow(n8n.session, setUp('bulk-import'));
  succeeded(await runWorkflow(n8n.session, id, 'By hand'));
  const made = sandbox.bookings().filter(({ start_time: start }) => start.startsWith('2063-'));
  expect(made.map(({ invitee_name, start_time }) => [invitee_name, start_time])).toEqual(
    expect.arrayContaining([['Grace Hopper', '2063-01-31T15:00:00.000Z']]),
  );
  expect(made).toHaveLength(2);
  const report = String(outside.asked.find(({ path }) => path === '/report_url')?.body['text'])
    .split('\n')
    .sort();
  expect(report).toHaveLength(3);
  expect(report.filter((line) => line.includes('booked as'))).toHaveLength(2);
  expect(report.filter((line) => line.includes('not free'))).toHaveLength(1);
});

it('With the HTTP Request node: lists every page, creates and cancels with the generic credential', async () => {
  sandbox.allowRedirect(redirectUri(n8n.session.origin));
  const { authorizeUrl, tokenUrl } = oauthEndpoints(sandbox.baseUrl);
  const credential = await createCredential(n8n.session, {
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
  await connectCredential(n8n.session, credential.id);
  const file = setUp('http-request', { base_url: sandbox.baseUrl });
  const nodes = file.nodes.map((node) =>
    node.type === 'n8n-nodes-base.httpRequest'
      ? { ...node, credentials: { oAuth2Api: { id: credential.id, name: credential.name } } }
      : node,
  );
  const { id } = await createWorkflow(n8n.session, { ...file, nodes });
  const before = sandbox.bookings().map((booking) => booking.id);
  const run = succeeded(await runWorkflow(n8n.session, id, 'By hand'));
  expect(
    run
      .items('Each booking')
      .map((item) => item['id'])
      .filter((each) => before.includes(String(each)))
      .sort(),
  ).toEqual([...before].sort());
  const [made] = run.items('Create a booking') as [{ data: { id: string } }];
  expect(sandbox.bookings().find((booking) => booking.id === made.data.id)).toMatchObject({
    status: 'CANCELLED',
    cancellation_reason: 'An example',
  });
});
