import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { startHosted, type Hosted } from '../../tools/rigs/mcp/hosted.ts';
import { testOwner } from '../support/connectedN8n.ts';
import { runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { startN8n } from '../../tools/rigs/n8n/instance.ts';
import { listCredentials, N8nSession } from '../../tools/rigs/n8n/session.ts';
import { chain, createWorkflow } from '../../tools/rigs/n8n/workflows.ts';
import { openEditor, type Editor } from '../n8n/support/editor.ts';
import { openedForFile } from '../support/hosted.ts';

// The first assistant of many people: a real n8n, whose own node and credential know nothing of this server but its address.
jest.setTimeout(25 * 60_000);

const opened = openedForFile();
let sandbox: Sandbox;
let hosted: Hosted;
let folder: string;
let session: N8nSession;
let editor: Editor;

beforeAll(async () => {
  sandbox = await opened.start('the sandbox', () => startSandbox({ limits: false }));
  folder = await opened.temporaryFolder('hosted-');
  hosted = await startHosted({ sandbox, folder }, opened);
  const { origin } = await opened.start('n8n', (signal) => startN8n({ lean: true, editor: true, signal }));
  session = await N8nSession.open(origin, testOwner);
  editor = await opened.start(
    'the editor',
    () => openEditor(origin, testOwner),
    (started) => started.close(),
  );
});
/** Runs one tool as a step of a workflow. @returns what it answers for programs */
async function run(tool: string, value: Record<string, unknown> = {}): Promise<unknown> {
  const [credential] = await listCredentials(session);
  const node = {
    name: 'Tool',
    type: '@n8n/n8n-nodes-langchain.mcpClient',
    typeVersion: 1.1,
    credentials: { mcpOAuth2Api: { id: String(credential?.id), name: String(credential?.name) } },
    parameters: {
      ...{ serverTransport: 'httpStreamable', endpointUrl: `${hosted.origin}/mcp`, authentication: 'mcpOAuth2Api', options: {} },
      ...{ tool: { __rl: true, mode: 'id', value: tool }, inputMode: 'json', jsonInput: JSON.stringify(value) },
    },
  };
  const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
  const execution = await runWorkflow(session, (await createWorkflow(session, chain(tool, [start, node]))).id, 'Start');
  expect(execution.error).toBeUndefined();
  return execution.items('Tool')[0]?.['structuredContent'];
}

it("n8n's credential connects in its editor with the address alone, and its node books in the account that the person chose", async () => {
  const account = sandbox.addAccount({ name: 'Ada Automates' });
  const { page, at, parameter, context } = editor;
  await editor.go('/home/credentials/create');
  await at('new-credential-type-select').locator('input').fill('MCP OAuth2');
  await at('new-credential-type-select-option').first().click();
  await at('new-credential-type-button').click();
  await parameter('serverUrl').fill(`${hosted.origin}/mcp`);
  const popup = context.waitForEvent('page');
  await page.locator('[data-test-id=quick-connect-button]:visible, [data-test-id=oauth-connect-button]:visible').first().click();
  const ours = await popup;
  await ours.getByRole('heading', { name: 'Connect an assistant' }).waitFor();
  await ours.getByRole('button', { name: /^Continue/ }).click();
  await ours.getByRole('radio', { name: 'Ada Automates' }).check();
  await ours.getByRole('button', { name: 'Allow' }).click();
  await at('editCredential-modal').getByText('Account connected').waitFor();

  expect(await run('list_bookings')).toMatchObject({ records: [] });
  const types = (await run('list_event_types')) as { records: { id: string; name: string }[] };
  const booking = {
    event_type_id: types.records.find(({ name }) => name === 'Intro Call')?.id,
    start_time: '2059-03-04T09:00:00Z',
    invitee_name: 'Grace Hopper',
    invitee_email: 'grace@example.com',
  };
  const made = await run('create_booking', booking);
  expect(made).toMatchObject({ invitee_email: booking.invitee_email, status: 'CONFIRMED' });
  expect(sandbox.bookings().filter((each) => each.invitee_email === booking.invitee_email)).toMatchObject([{ account_id: account.id }]);
});

it('once its token has expired, n8n gets another one and goes on', async () => {
  const database = new DatabaseSync(join(folder, 'mcp-server.sqlite'), { timeout: 10_000 });
  const { changes } = database.prepare("DELETE FROM mcp_kept WHERE kind = 'AccessToken'").run();
  database.close();
  expect(Number(changes)).toBeGreaterThan(0);
  expect(await run('list_bookings')).toMatchObject({ records: [{ invitee_email: 'grace@example.com' }] });
});
