import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service.ts';
import { connectToSandbox, openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow } from '../../tools/rigs/n8n/workflows.ts';
import { brand } from '../../shared/brand.ts';
import { oneAction } from '../support/n8nWorkflow.ts';

// Half a minute is waited each time. So each of these has a service of its own, and all wait together.
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

async function stage(): Promise<Stage> {
  const sandbox = await startSandbox({ limits: false });
  sandboxes.push(sandbox);
  return { sandbox, connected: await connection(sandbox) };
}

async function connection(sandbox: Sandbox): Promise<ConnectedN8n> {
  const { id, name, type } = await connectToSandbox(n8n.session, sandbox);
  return { ...n8n, credentials: { [type]: { id, name } } };
}

const email = 'ada@example.com';
const booked = (sandbox: Sandbox) => sandbox.bookings().filter((booking) => booking.invitee_email === email);
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

const scenarios = {
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
  n8n = await openConnectedN8n(first, { lean: true });
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

describe('a token that cannot be renewed', () => {
  it.each([
    ['a page', 'tokenPage', 'without an access_token', 1],
    ['a 503', 'token503', 'status 503', 3],
    ['silence', 'tokenSilence', '(within 20 seconds)', 1],
  ] as const)('because of %s, ends five bookings as not carried out, after few token calls', async (_, name, words, calls) => {
    const { errors, there, tokenCalls } = await end(name);
    expect(errors).toHaveLength(5);
    for (const error of errors) {
      expect(error).toContain(`Nothing was done, because the connection to ${brand.name} could not be renewed: `);
      expect(error).toContain(words);
      expect(error).not.toMatch(/may or may not|reconnect/i);
    }
    expect([there, tokenCalls]).toEqual([0, calls]);
  });
});
