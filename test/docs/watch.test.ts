import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { createApiCredential } from '../../tools/rigs/n8n/credentials.ts';
import { connectToSandbox, openConnectedN8n, ourPackage, testOwner, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { isolatedExpressions } from '../../tools/rigs/n8n/environment.ts';
import { awaitExecution, runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { startN8n } from '../../tools/rigs/n8n/instance.ts';
import { N8nSession } from '../../tools/rigs/n8n/session.ts';
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  publicationStatus,
  publish,
  saveWorkflow,
  unpublish,
  type WorkflowFile,
} from '../../tools/rigs/n8n/workflows.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { root } from '../../tools/root.cjs';
import { onEvents } from '../support/n8nWorkflow.ts';
import { connectServices, oursBy, sendingTo, withCredentials, type Credentials } from '../support/otherServices.ts';
import { Outside } from '../support/outside.ts';
import { until } from '../support/until.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

const template = JSON.parse(readFileSync(join(root, 'docs', 'templates', 'watch-my-triggers.json'), 'utf8')) as WorkflowFile;
const scopes = ['workflow:read', 'workflow:list', 'workflow:activate', 'workflow:deactivate'];
const outside = new Outside();

/** What a lean n8n lacks: a process for Code nodes. */
const codeNodes = { N8N_RUNNERS_MODE: 'internal' };
let services: Record<string, Credentials>;

let sandbox: Sandbox;
let n8n: ConnectedN8n;
let folder: string;
let port: number;
let key: { id: string; name: string };

beforeAll(async () => {
  await outside.start();
  sandbox = await startSandbox({ limits: false });
  folder = await mkdtemp(join(tmpdir(), 'n8n-watch-'));
  port = await freePort();
  // The last test evaluates the same expressions as n8n does today.
  n8n = await openConnectedN8n(sandbox, { folder, port, lean: true, extra: { ...codeNodes, ...sendingTo(outside) } });
  services = await connectServices(n8n.session, outside);
  key = await createApiCredential(n8n.session, 'Watching', scopes);
});
afterAll(async () => {
  await n8n?.n8n.stop();
  await sandbox?.stop();
  await outside.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});
beforeEach(() => outside.forget());

/** The template as a person sets it up. */
const setUp = ({ id, name } = key): WorkflowFile =>
  withCredentials(template, { ...oursBy(n8n.nodes, n8n.credentials), ...services, n8n: { n8nApi: { id, name } } });

async function watch(file = setUp()): Promise<Execution> {
  const { id } = await createWorkflow(n8n.session, file);
  try {
    const run = await runWorkflow(n8n.session, id, 'Every 15 minutes');
    expect(run.error).toBeUndefined();
    return run;
  } finally {
    await deleteWorkflow(n8n.session, id);
  }
}

interface Live {
  id: string;
  file: WorkflowFile;
  address: string;
}

async function live(name: string, credentials = n8n.credentials): Promise<Live> {
  const file = { ...onEvents({ ...n8n, credentials }, { events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'] }), name };
  const { id } = await createWorkflow(n8n.session, file);
  await publish(n8n.session, id);
  return { id, file, address: `${n8n.n8n.origin}/webhook/${file.nodes[0]?.webhookId}/webhook` };
}

const end = (...all: Live[]) => Promise.all(all.map(({ id }) => unpublish(n8n.session, id)));
const held = (address: string) => sandbox.subscriptions().filter(({ url }) => url === address);
const heldId = (address: string): string => held(address)[0]?.id ?? '';
const told = (): string[] => outside.asked.map(({ body }) => String(body['text']));
/** The API of n8n answers before the triggers are set up. */
const isPublished = ({ id }: Live) => until(async () => (await publicationStatus(n8n.session, id)).status === 'published');

/** Checks that each subscription is as wanted, and that its deliveries are verified and start the workflow. */
async function work(...all: Live[]): Promise<void> {
  for (const each of all) {
    await isPublished(each);
    await until(() => held(each.address).length === 1);
    expect(held(each.address)).toMatchObject([{ active: true, events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'], signed: true }]);
  }
  const { id: booked } = sandbox.host.book();
  await Promise.all(all.map(({ id }) => awaitExecution(n8n.session, id, (each) => each.items('On events')[0]?.['id'] === booked)));
}

it('if every live trigger has its subscription, nothing is published and nobody is notified', async () => {
  const all = [await live('One'), await live('Another')];
  const before = sandbox.subscriptions();
  const run = await watch();
  expect(run.items('Find broken triggers')).toEqual([]);
  expect(told()).toEqual([]);
  expect(sandbox.subscriptions()).toEqual(before);
  await end(...all);
});

/** What may happen to a subscription, by the name of the workflow that it happens to here, and the words about it. */
const harms: Record<string, [harm: (workflow: Live) => void, words: string]> = {
  Deleted: [({ address }) => sandbox.host.deleteSubscription(heldId(address)), 'has no subscription'],
  'Deleted too': [({ address }) => sandbox.host.deleteSubscription(heldId(address)), 'has no subscription'],
  Paused: [({ address }) => void sandbox.host.setActive(heldId(address), false), 'has a subscription that is paused'],
  'Given other events': [({ address }) => sandbox.host.setEvents(heldId(address), ['CONTACT_CREATED']), 'is subscribed to other events'],
  'Replaced by one whose secret nobody knows': [
    ({ address }) => {
      sandbox.host.deleteSubscription(heldId(address));
      sandbox.host.addSecretlessSubscription({ url: address, events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'] });
    },
    'has a subscription that is not its own',
  ],
};

it('every harmed subscription is made again with what was live, all of them are reported in one message, and a whole one is left alone', async () => {
  const whole = await live('Whole');
  const untouched = held(whole.address);
  const harmed: Live[] = [];
  for (const [name, [harm]] of Object.entries(harms)) {
    const workflow = await live(name);
    harmed.push(workflow);
    // Changes that were edited but not published must not go live because of this.
    const nodes = workflow.file.nodes.map((node) =>
      node.name === 'On events' ? { ...node, parameters: { ...node.parameters, events: ['CONTACT_UPDATED'] } } : node,
    );
    await saveWorkflow(n8n.session, workflow.id, { nodes });
    harm(workflow);
  }
  await watch();
  expect(told().map((text) => text.split('\n').sort())).toEqual([
    Object.entries(harms)
      .map(([name, [, words]]) => `${name}: "On events" ${words}. It was published again.`)
      .sort(),
  ]);
  await work(...harmed);
  expect(held(whole.address)).toEqual(untouched);
  await work(whole);
  await end(...harmed, whole);
});

it("leaves alone another account's triggers, workflows that are not live, and subscriptions elsewhere", async () => {
  const { id, name, type } = await connectToSandbox(n8n.session, sandbox);
  const other = await live('Of another account', { [type]: { id, name } });
  const idle = await live('Unpublished');
  await end(idle);
  sandbox.host.deleteSubscription(heldId(other.address));
  const elsewhere = ['http://127.0.0.1:9/webhook/5b0c/webhook', `${n8n.n8n.origin}/webhook/of-nobody/webhook`].map(
    (url) => sandbox.host.addSecretlessSubscription({ url, events: ['BOOKING_CREATED'] }).id,
  );
  await watch();
  expect(told()).toEqual([]);
  expect(held(other.address)).toEqual([]);
  expect((await getWorkflow(n8n.session, idle.id)).active).toBe(false);
  expect(sandbox.subscriptions().map((each) => each.id)).toEqual(elsewhere);
  for (const each of elsewhere) sandbox.host.deleteSubscription(each);
  await end(other);
});

it('a workflow that could not be published again is reported as unpublished', async () => {
  const powerless = await createApiCredential(
    n8n.session,
    'May not publish',
    scopes.filter((scope) => scope !== 'workflow:activate'),
  );
  const harmed = await live('The harmed one');
  sandbox.host.deleteSubscription(heldId(harmed.address));
  await watch(setUp(powerless));
  expect(told()).toEqual([
    'The harmed one: "On events" has no subscription. It could not be published again and is unpublished now: publish it by hand.',
  ]);
  expect((await getWorkflow(n8n.session, harmed.id)).active).toBe(false);
});

it('once n8n has another address, triggers are subscribed there, and the subscriptions at the old one are not touched', async () => {
  const moved = await live('Moved');
  const [old] = held(moved.address);
  await n8n.n8n.stop();
  const origin = `http://127.0.0.1:${port}`;
  const extra = { ...codeNodes, ...isolatedExpressions, N8N_WEBHOOK_URL: `${origin}/`, ...sendingTo(outside) };
  const again = await startN8n({ folder, port, unpublished: await ourPackage(), lean: true, extra });
  n8n = { ...n8n, n8n: again, session: await N8nSession.signIn(again.origin, testOwner) };
  await watch();
  expect(told()).toEqual(['Moved: "On events" has no subscription. It was published again.']);
  await isPublished(moved);
  const address = moved.address.replace(again.origin, origin);
  await until(() => held(address).length === 1);
  expect(held(moved.address)).toEqual([old]);
  expect(again.log()).toContain(`the webhook subscription ${old?.id} at ${moved.address} belongs to another address and was kept`);
  outside.forget();
  await watch();
  expect(told()).toEqual([]);
  expect(held(moved.address)).toEqual([old]);
  await work({ ...moved, address });
});
