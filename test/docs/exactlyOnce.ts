import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/service.ts';
import { OpenedParts } from '../../tools/process/opened.ts';
import { type Execution, finishedExecution, listExecutions, runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { installN8n } from '../../tools/rigs/n8n/install.ts';
import { createCredential } from '../../tools/rigs/n8n/session.ts';
import { createWorkflow, publish, unpublish, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { openPostgres, type Postgres } from '../../tools/rigs/queue/postgres.ts';
import { root } from '../../tools/root.cjs';
import type { ConnectedN8n } from '../support/connectedN8n.ts';
import { until } from '../support/until.ts';

interface Stage {
  n8n: ConnectedN8n;
  sandbox: Sandbox;
  /** Ends n8n as a crash does, and starts it again. */
  crash(): Promise<void>;
}

/** The tests of the examples that handle everything exactly once, in a table of PostgreSQL. @param stage is asked for what runs now */
export function handlesOnce(stage: () => Stage): void {
  const opened = new OpenedParts();
  let postgres: Postgres;
  beforeAll(async () => void (postgres = await openPostgres(await installN8n(), opened)));
  afterAll(async () => expect(await opened.closeAll()).toEqual([]));

  /** One of the examples that handle everything exactly once, with a database credential added, after its table was made. */
  async function exactExample(example: 'each-delivery-once' | 'each-change-once'): Promise<string> {
    const { n8n } = stage();
    const { hostname: host, port, username: user, password } = new URL(postgres.url);
    const data = { host, port: Number(port), user, password, database: 'postgres', ssl: 'disable', sshTunnel: false };
    const { id: credential, name } = await createCredential(n8n.session, { name: 'PostgreSQL', type: 'postgres', data });
    const file = JSON.parse(await readFile(join(root, 'n8n', 'examples', `${example}.json`), 'utf8')) as WorkflowFile;
    const chosen = (type: string): object => {
      if ([n8n.nodes.trigger, n8n.nodes.polling].includes(type)) return { credentials: n8n.credentials };
      return type === 'n8n-nodes-base.postgres' ? { credentials: { postgres: { id: credential, name } } } : {};
    };
    const nodes = file.nodes.map((node) => ({ ...node, ...chosen(node.type) }));
    const { id } = await createWorkflow(n8n.session, { ...file, nodes });
    expect((await runWorkflow(n8n.session, id, 'Run once')).status).toBe('success');
    await publish(n8n.session, id);
    return id;
  }

  /** All executions that a workflow has had so far, once each has ended. */
  const executionsOf = async (id: string): Promise<Execution[]> =>
    Promise.all((await listExecutions(stage().n8n.session, id)).map((each) => finishedExecution(stage().n8n.session, each.id)));
  const itemsOf = async (id: string, node: string) => (await executionsOf(id)).flatMap((each) => each.items(node));

  test('the example with a database table handles a delivery once that comes again after n8n was killed and has forgotten it', async () => {
    const { sandbox, crash } = stage();
    const id = await exactExample('each-delivery-once');
    const trigger = 'On every event';
    const booking = sandbox.host.book({ invitee_email: 'ana.ruiz@example.com', invitee_name: 'Ana Ruiz' });
    await sandbox.settled();
    await until(async () => (await itemsOf(id, 'Your steps')).length === 1);
    const delivery = sandbox.deliveries().find(({ record_id: about }) => about === booking.id);
    await crash();
    sandbox.host.redeliver(delivery?.id ?? '');
    await sandbox.settled();
    await until(async () => (await itemsOf(id, trigger)).length === 2);

    expect((await itemsOf(id, 'Your steps')).map((item) => item['delivery_id'])).toEqual([delivery?.id]);
    const sql = 'SELECT event, handled_at IS NOT NULL AS handled FROM handled_deliveries WHERE delivery_id = $1';
    expect(await postgres.query(sql, [delivery?.id])).toEqual([{ event: 'BOOKING_CREATED', handled: true }]);
    await unpublish(stage().n8n.session, id);
  });

  test('the example that starts from both triggers handles each change once, whether it was delivered, found or both', async () => {
    const { n8n, sandbox } = stage();
    const id = await exactExample('each-change-once');
    const itemsAt = async (node: string) => (await itemsOf(id, node)).map((item) => `${String(item['event'])} ${String(item['id'])}`);
    const [delivered, kept] = [sandbox.host.book(), sandbox.host.book()];
    await until(async () => (await itemsAt('Your steps')).filter((each) => each.startsWith('BOOKING_CREATED')).length === 2);
    // Unpublished it has no subscription. What happens now is delivered to nobody.
    await unpublish(n8n.session, id);
    sandbox.host.cancel(delivered.id);
    const missed = sandbox.host.book();
    await publish(n8n.session, id);
    // n8n polls when it publishes, and perhaps before.
    await until(async () => (await itemsAt('When it is found')).includes(`BOOKING_CREATED ${missed.id}`));

    const created = [delivered, kept, missed].map((booking) => `BOOKING_CREATED ${booking.id}`);
    const cancelled = `BOOKING_CANCELLED ${delivered.id}`;
    expect(await itemsAt('When it is found')).toEqual(expect.arrayContaining([...created.slice(1), cancelled]));
    const all = await itemsAt('Your steps');
    expect(all.filter((each) => each.startsWith('BOOKING')).sort()).toEqual([...created, cancelled].sort());
    expect(new Set(all).size).toBe(all.length);
    await unpublish(n8n.session, id);
  });
}
