import { startSandbox, type Fault, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { connectToSandbox, openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow } from '../../tools/rigs/n8n/workflows.ts';
import { brand } from '../../shared/brand.ts';
import { oneAction } from '../support/n8nWorkflow.ts';

// What may still be carried out is waited for, half a minute each time. So each of these has a service of its own, and all wait together.
const minutes = 60_000;
jest.setTimeout(25 * minutes);

let n8n: ConnectedN8n;
const sandboxes: Sandbox[] = [];
const ends = new Map<string, Promise<unknown>>();

/** One service, and one credential of the same n8n that is connected to it. */
interface Stage {
  sandbox: Sandbox;
  connected: ConnectedN8n;
}

async function stage(options: SandboxOptions = {}): Promise<Stage> {
  const sandbox = await startSandbox({ limits: false, ...options });
  sandboxes.push(sandbox);
  return { sandbox, connected: await connection(sandbox) };
}

async function connection(sandbox: Sandbox): Promise<ConnectedN8n> {
  const { id, name, type } = await connectToSandbox(n8n.session, sandbox);
  return { ...n8n, credentials: { [type]: { id, name } } };
}

const email = 'ada@example.com';
const booked = (sandbox: Sandbox) => sandbox.bookings().filter((booking) => booking.invitee_email === email);
const route = 'POST /v1/bookings';
const page = {
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body>Sign in</body></html>',
} as const;

/** Books for each of these names at one time, in one execution. */
async function book({ sandbox, connected }: Stage, names: readonly string[], node: Record<string, unknown> = {}): Promise<Execution> {
  const eventTypeId = { __rl: true, mode: 'id', value: sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id };
  const workflow = oneAction(connected, {
    resource: 'booking',
    operation: 'create',
    eventTypeId,
    startTime: '2039-05-04T09:00:00',
    inviteeName: '={{ $json.name }}',
    inviteeEmail: email,
  });
  const [by, action] = workflow.nodes;
  if (by === undefined || action === undefined) throw new Error('The workflow has no nodes.');
  const pinned = { ...workflow, nodes: [by, { ...action, ...node }], pinData: { [by.name]: names.map((name) => ({ json: { name } })) } };
  const { id } = await createWorkflow(connected.session, pinned);
  return runWorkflow(connected.session, id, by.name);
}

interface Told {
  error: string | undefined;
  names: unknown[];
  ids: string[];
  there: string[];
}

const told = async ({ sandbox }: Stage, end: Promise<Execution>): Promise<Told> => {
  const execution = await end;
  const items = execution.items('Action');
  return {
    error: execution.error?.message,
    names: items.map((each) => each['invitee_name']),
    ids: items.map((each) => String(each['id'])).sort(),
    there: booked(sandbox)
      .map(({ id }) => id)
      .sort(),
  };
};

const scenarios = {
  async page() {
    const one = await stage();
    one.sandbox.faults.add({ route, ...page });
    return told(one, book(one, ['Ada Lovelace']));
  },

  async oldRecord() {
    const one = await stage();
    const old = {
      id: 'bkg_2019',
      status: 'CONFIRMED',
      event_type_id: null,
      invitee_name: 'Ada Lovelace',
      invitee_email: email,
      start_time: '2019-03-04T09:00:00Z',
      created_at: '2019-03-01T09:00:00Z',
    };
    one.sandbox.faults.add({ route, kind: 'drop-before' });
    one.sandbox.faults.add({
      route: 'GET /v1/bookings',
      kind: 'status',
      status: 200,
      times: 'always',
      body: { data: [old], next_cursor: null },
    });
    return told(one, book(one, ['Ada Lovelace']));
  },

  async family() {
    const one = await stage({ forms: { slots: 'shared' } });
    one.sandbox.faults.add({ route, kind: 'drop-before' });
    one.sandbox.faults.add({ route, kind: 'drop-after', after: 1 });
    return told(one, book(one, ['Ada Lovelace', 'Bob Lovelace']));
  },

  async twoUsers() {
    const first = await stage({ forms: { slots: 'shared' } });
    const second = { ...first, connected: await connection(first.sandbox) };
    first.sandbox.faults.add({ route, kind: 'drop-before' });
    let isFirstOver = false;
    const waiting = book(first, ['Ada Lovelace']).finally(() => (isFirstOver = true));
    while (first.sandbox.requests().every(({ path }) => path !== '/v1/bookings')) await new Promise((resolve) => setTimeout(resolve, 20));
    const other = await told(second, book(second, ['Bob Babbage']));
    return { other, waited: isFirstOver, first: await told(first, waiting) };
  },

  tokenPage: () => unrenewed(page),
  token503: () => unrenewed({ kind: 'status', status: 503 }),
  tokenSilence: () => unrenewed({ kind: 'stall' }),
};

/** Five items, and a token that has expired and cannot be renewed. */
async function unrenewed(fault: Omit<Fault, 'route'>) {
  const one = await stage();
  await one.sandbox.clock.advance(120 * minutes);
  one.sandbox.forgetRequests();
  one.sandbox.faults.add({ ...fault, route: 'POST /api/oauth/token', times: 'always' });
  const execution = await book(one, ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'], { onError: 'continueRegularOutput' });
  return {
    errors: execution.items('Action').map((each) => String(each['error'])),
    there: booked(one.sandbox).length,
    tokenCalls: one.sandbox.requests().filter(({ path }) => path === '/api/oauth/token').length,
  };
}

beforeAll(async () => {
  const first = await startSandbox({ limits: false });
  sandboxes.push(first);
  n8n = await openConnectedN8n(first);
  for (const [name, play] of Object.entries(scenarios)) {
    const end = play();
    // Whoever asks for it is told.
    end.catch(() => undefined);
    ends.set(name, end);
  }
});
afterAll(async () => {
  await Promise.allSettled(ends.values());
  await n8n?.stop();
  for (const sandbox of sandboxes) await sandbox.stop();
});

const end = async <Name extends keyof typeof scenarios>(name: Name) =>
  (await ends.get(name)) as Awaited<ReturnType<(typeof scenarios)[Name]>>;

describe('an answer that was lost', () => {
  it('a page in answer to the request is no booking: nothing is told as made that is not there', async () => {
    const { error, ids, there } = await end('page');
    expect([error, there.length, ids]).toEqual([undefined, 1, there]);
  });

  it('an old booking of the same person without a type blocks nothing', async () => {
    const { error, ids, there } = await end('oldRecord');
    expect([error, there.length, ids]).toEqual([undefined, 1, there]);
  });

  it('a family with one address and one time: the first request is lost, the answer to the second, and each is told the booking with the name', async () => {
    const { error, names, ids, there } = await end('family');
    expect([error, names]).toEqual([undefined, ['Ada Lovelace', 'Bob Lovelace']]);
    expect([there.length, ids]).toEqual([2, there]);
  });

  it('two users who ask for the same neither see nor delay each other, though the answer to one is outstanding', async () => {
    const { other, waited, first } = await end('twoUsers');
    expect([other.error, other.names, waited]).toEqual([undefined, ['Bob Babbage'], false]);
    expect([first.error, first.names]).toEqual([undefined, ['Ada Lovelace']]);
    expect([...other.ids, ...first.ids].sort()).toEqual(first.there);
  });
});

describe('a token that cannot be renewed', () => {
  it.each([
    ['a page', 'tokenPage', 'without an access_token', 1],
    ['a 503', 'token503', 'status 503', 3],
    ['silence', 'tokenSilence', '(within 20 seconds)', 1],
  ] as const)('because of %s, ends five bookings as not carried out, after few token calls', async (_, name, words, calls) => {
    const { errors, there, tokenCalls } = await end(name);
    expect(errors).toHaveLength(5);
    for (const error of errors) {
      expect(error).toContain(`Not carried out, because the connection to ${brand.name} could not be renewed: `);
      expect(error).toContain(words);
      expect(error).not.toMatch(/may or may not|reconnect/i);
    }
    expect([there, tokenCalls]).toEqual([0, calls]);
  });
});
