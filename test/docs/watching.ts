import type { Sandbox } from '../../sandbox/service.ts';
import type { EventName } from '../../shared/events.ts';
import { connectToSandbox } from '../../tools/rigs/n8n/session.ts';
import type { ConnectedN8n } from '../support/connectedN8n.ts';
import { onEvents } from '../support/n8nWorkflow.ts';
import { awaitExecution, runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import {
  createWorkflow,
  getWorkflow,
  publicationStatus,
  publish,
  saveWorkflow,
  unpublish,
  type WorkflowFile,
} from '../../tools/rigs/n8n/workflows.ts';
import type { Outside } from '../support/outside.ts';
import { createApiCredential, openApi } from '../support/n8nApi.ts';
import { withCredentials } from '../support/otherServices.ts';
import { until } from '../support/until.ts';
import { listOf } from '../support/wire.ts';

const scopes = ['workflow:read', 'workflow:list', 'workflow:activate', 'workflow:deactivate'];
const events: EventName[] = ['BOOKING_CREATED', 'BOOKING_CANCELLED'];

interface Stage {
  n8n: ConnectedN8n;
  sandbox: Sandbox;
  outside: Outside;
  /** The template with credentials chosen, except for that of n8n's own API. */
  template: WorkflowFile;
}

interface Live {
  id: string;
  file: WorkflowFile;
  address: string;
}

/** The tests of the template that watches over triggers. @param stage is asked for what runs once the tests run */
export function watchesTriggers(stage: () => Stage): void {
  let keys = 0;
  /** Runs the template once, with a key for n8n's API that may do this. @returns what was told */
  async function watch(allowed = scopes): Promise<string[]> {
    const { n8n, outside, template } = stage();
    outside.forget();
    const { id: key, name } = await createApiCredential(n8n.session, `Watching ${(keys += 1)}`, allowed);
    const { id } = await createWorkflow(n8n.session, withCredentials(template, { n8n: { n8nApi: { id: key, name } } }));
    try {
      expect((await runWorkflow(n8n.session, id, 'Every 15 minutes')).error).toBeUndefined();
    } finally {
      // n8n deletes only what is archived.
      await n8n.session.post(`/rest/workflows/${id}/archive`);
      await n8n.session.delete(`/rest/workflows/${id}`);
    }
    return outside.asked.map(({ body }) => String(body['text']));
  }

  async function live(name: string, credentials = stage().n8n.credentials): Promise<Live> {
    const { n8n } = stage();
    const file = { ...onEvents({ ...n8n, credentials }, { events }), name };
    const { id } = await createWorkflow(n8n.session, file);
    await publish(n8n.session, id);
    return { id, file, address: `${n8n.n8n.origin}/webhook/${file.nodes[0]?.webhookId}/webhook` };
  }

  const end = (...all: Live[]) => Promise.all(all.map(({ id }) => unpublish(stage().n8n.session, id)));
  const held = (address: string) =>
    stage()
      .sandbox.subscriptions()
      .filter(({ url }) => url === address);
  const remove = ({ address }: Live): void => stage().sandbox.host.deleteSubscription(held(address)[0]?.id ?? '');

  /** Checks that each subscription is as wanted, and that its deliveries are verified and start the workflow. */
  async function work(...all: Live[]): Promise<void> {
    const { n8n, sandbox } = stage();
    for (const { id, address } of all) {
      // The API of n8n answers before the triggers are set up.
      await until(async () => (await publicationStatus(n8n.session, id)).status === 'published' && held(address).length === 1);
      expect(held(address)).toMatchObject([{ active: true, events, signed: true }]);
    }
    const { id: booked } = sandbox.host.book();
    await Promise.all(all.map(({ id }) => awaitExecution(n8n.session, id, (each) => each.items('On events')[0]?.['id'] === booked)));
  }

  /** As n8n's API does it with a file that has other static data, or none. */
  async function putState({ id }: Live, staticData: object | null): Promise<void> {
    const api = await openApi(stage().n8n);
    await api.put(id, { ...(await api.get(id)), staticData });
  }

  /** What may happen to a subscription, by the name of the workflow that it happens to here, and the words about it. */
  const harms: Record<string, [harm: (workflow: Live) => void | Promise<void>, words: string]> = {
    Deleted: [remove, 'has no subscription'],
    Paused: [({ address }) => void stage().sandbox.host.setActive(held(address)[0]?.id ?? '', false), 'has a subscription that is paused'],
    'Given other events': [
      ({ address }) => void stage().sandbox.host.setEvents(held(address)[0]?.id ?? '', ['CONTACT_CREATED']),
      'is subscribed to other events',
    ],
    Emptied: [(workflow) => putState(workflow, { 'node:On events': {} }), 'has lost the secret of its subscription'],
    Cleared: [(workflow) => putState(workflow, null), 'has lost the secret of its subscription'],
    'Replaced by one whose secret nobody knows': [
      (workflow) => {
        remove(workflow);
        stage().sandbox.host.addSecretlessSubscription({ url: workflow.address, events });
      },
      'has a subscription that is not its own',
    ],
  };

  it('every harmed subscription is made again with what was live, all of them are reported in one message, and a whole one is left alone', async () => {
    const { n8n, sandbox } = stage();
    const whole = await live('Whole');
    const untouched = held(whole.address);
    expect(await watch()).toEqual([]);
    // A service shows them in its own way.
    const shown = { id: untouched[0]?.id, endpoint: 'hidden', events: ['booking.cancelled', 'booking.created'] };
    sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 200, body: listOf([shown]) });
    expect(await watch()).toEqual([]);
    const harmed: Live[] = [];
    for (const [name, [harm]] of Object.entries(harms)) {
      const workflow = await live(name);
      harmed.push(workflow);
      await harm(workflow);
      // Changes that were edited but not published must not go live because of this.
      const nodes = workflow.file.nodes.map((node) =>
        node.name === 'On events' ? { ...node, parameters: { ...node.parameters, events: ['CONTACT_UPDATED'] } } : node,
      );
      await saveWorkflow(n8n.session, workflow.id, { nodes });
    }
    expect((await watch()).map((text) => text.split('\n').sort())).toEqual([
      Object.entries(harms)
        .map(([name, [, words]]) => `${name}: "On events" ${words}. It was published again.`)
        .sort(),
    ]);
    await work(...harmed, whole);
    expect(held(whole.address)).toMatchObject(untouched);
    await end(...harmed, whole);
  });

  it("leaves alone another account's triggers, workflows that are not live, and subscriptions elsewhere", async () => {
    const { n8n, sandbox } = stage();
    const { id, name, type } = await connectToSandbox(n8n.session, sandbox);
    const other = await live('Of another account', { [type]: { id, name } });
    const idle = await live('Unpublished');
    await end(idle);
    remove(other);
    const elsewhere = ['http://127.0.0.1:9/webhook/5b0c/webhook', `${n8n.n8n.origin}/webhook/of-nobody/webhook`].map(
      (url) => sandbox.host.addSecretlessSubscription({ url, events: ['BOOKING_CREATED'] }).id,
    );
    expect(await watch()).toEqual([]);
    expect(held(other.address)).toEqual([]);
    expect((await getWorkflow(n8n.session, idle.id)).active).toBe(false);
    expect(sandbox.subscriptions().map((each) => each.id)).toEqual(expect.arrayContaining(elsewhere));
    for (const each of elsewhere) sandbox.host.deleteSubscription(each);
    await end(other);
  });

  it('a workflow that could not be published again is reported as unpublished', async () => {
    const harmed = await live('The harmed one');
    remove(harmed);
    expect(await watch(scopes.filter((scope) => scope !== 'workflow:activate'))).toEqual([
      'The harmed one: "On events" has no subscription. It could not be published again and is unpublished now: publish it by hand.',
    ]);
    expect((await getWorkflow(stage().n8n.session, harmed.id)).active).toBe(false);
  });
}
