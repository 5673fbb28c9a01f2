import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { awaitExecution, runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, getWorkflow, publish, unpublish } from '../../tools/rigs/n8n/workflows.ts';
import { eventRows } from '../../shared/events.ts';
import { givenTo, onChanges, pollingTrigger } from './support/polling.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

let sandbox: Sandbox;
let n8n: ConnectedN8n;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  n8n = await openConnectedN8n(sandbox);
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.stop();
});

const allEvents = eventRows.map(({ name }) => name);
const known = async (id: string): Promise<string> => JSON.stringify((await getWorkflow(n8n.session, id))['staticData'] ?? null);

it('takes stock when it is published, and afterwards gives each change once', async () => {
  const { id } = await createWorkflow(n8n.session, onChanges(n8n, { events: allEvents, simplify: false }));
  await publish(n8n.session, id);
  expect(await givenTo(n8n, id)).toEqual([]);
  const stock = await known(id);
  console.log(stock.slice(0, 400));
  await unpublish(n8n.session, id);
  const booking = sandbox.host.book({ invitee_email: 'quite.new@example.com', invitee_name: 'Quite New' });
  await publish(n8n.session, id);
  await awaitExecution(n8n.session, id);
  const given = await givenTo(n8n, id);
  console.log(JSON.stringify(given, null, 1));
  expect(
    given
      .flat()
      .map((item) => item['event'])
      .sort(),
  ).toEqual(['BOOKING_CREATED', 'CONTACT_CREATED']);
  await unpublish(n8n.session, id);
  await publish(n8n.session, id);
  expect(await givenTo(n8n, id)).toHaveLength(1);
  await unpublish(n8n.session, id);
  expect(booking.id).toBeDefined();
});

it('fetching a test event gives recent records of each chosen event, and leaves what is known alone', async () => {
  const { id } = await createWorkflow(n8n.session, onChanges(n8n, { events: ['BOOKING_CREATED', 'CONTACT_UPDATED'] }));
  const run = await runWorkflow(n8n.session, id, pollingTrigger);
  console.log(JSON.stringify(run.items(pollingTrigger), null, 1), run.error);
  expect(await known(id)).toBe('null');
});
