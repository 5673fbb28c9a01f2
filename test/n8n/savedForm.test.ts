import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { openConnectedN8n, testOwner, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { createWorkflow, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { root } from '../../tools/root.cjs';
import { bookAMeeting } from '../../tools/start/bookAMeeting.ts';
import { bookable } from '../../tools/start/mainJob.ts';
import { canvasPicture, issuesOf } from './support/canvas.ts';
import { openEditor, type Editor } from './support/editor.ts';
import { savedForm } from './support/savedForm.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

const files = [join('docs', 'templates'), join('n8n', 'examples')].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name)),
);

let sandbox: Sandbox;
let n8n: ConnectedN8n;
let editor: Editor;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  // Of n8n's own nodes, those in our workflows: the editor reads the whole list of nodes.
  n8n = await openConnectedN8n(sandbox, { lean: true, editor: true });
  editor = await openEditor(n8n.n8n.origin, testOwner);
  // Less to draw: nobody looks at it.
  await editor.page.setViewportSize({ width: 900, height: 600 });
});
afterAll(async () => {
  await editor?.close();
  await n8n?.stop();
  await sandbox?.stop();
});

/** The nodes of other services in our workflows. */
const needsCredential = /\.(?:gmail|httpRequest|hubspot|lmChatOpenAi|n8n|postgres|slack)$/;

/** What only the owner of an account can choose. */
const chosenByOwner: Record<string, string[]> = {
  'agent-evaluation': ['When fetching a dataset row: dataTableId'],
  'form-that-books': ['Create booking: eventTypeId'],
};

/** As somebody sets it up: with the credential of this n8n. */
function connected(file: WorkflowFile): WorkflowFile {
  const ours = Object.values(n8n.nodes).flatMap((type) => [type, `${type}Tool`]);
  return { ...file, nodes: file.nodes.map((node) => (ours.includes(node.type) ? { ...node, credentials: n8n.credentials } : node)) };
}

it.each(files)(
  '%s lacks only credentials, and lies in the form that the editor saves: looking into its nodes changes nothing',
  async (path) => {
    const file = JSON.parse(readFileSync(join(root, path), 'utf8')) as WorkflowFile;
    const { id } = await createWorkflow(n8n.session, connected(file));
    await editor.openWorkflow(id);
    const { credentials, others } = await issuesOf(editor, id);
    // n8n publishes nothing that lacks one: no template can fail in silence.
    expect(credentials).toEqual(file.nodes.filter(({ type }) => needsCredential.test(type)).map(({ name }) => name));
    expect(others).toEqual(chosenByOwner[basename(path, '.json')] ?? []);
    if (path.startsWith('docs')) await canvasPicture(editor, basename(path, '.json'));
    const saved = await savedForm(editor, n8n.n8n.origin, file);
    if (process.env['UPDATE_SCREENS'] === '1') writeFileSync(join(root, path), `${JSON.stringify(saved, null, 2)}\n`);
    else expect(file).toEqual(saved);
  },
);

it('a node that was looked into after a run is not marked as changed', async () => {
  const file = bookAMeeting(n8n.nodes.action, n8n.credentials, bookable(sandbox));
  const { id } = await createWorkflow(n8n.session, file);
  const { page, at } = editor;
  await editor.openWorkflow(id);
  await at('execute-workflow-button').first().click();
  await page.getByText('Workflow executed successfully').first().waitFor();
  const [booked] = sandbox.bookings().slice(-1);
  for (const { name } of file.nodes) {
    await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
    await at('node-parameters').first().waitFor();
    await editor.answered();
    await page.keyboard.press('Escape');
    await at('node-parameters').first().waitFor({ state: 'hidden' });
  }
  expect(booked?.invitee_email).toBe('ada@example.com');
  expect(await at('canvas-node-status-warning').count()).toBe(0);
});

it("an agent's tool that was saved with the switch turned off shows the output Raw, and offers the fields to select", async () => {
  const [tool] = (JSON.parse(readFileSync(join(root, 'docs', 'templates', 'ai-booking-agent.json'), 'utf8')) as WorkflowFile).nodes.filter(
    ({ name }) => name === 'Get bookings',
  );
  if (tool === undefined) throw new Error('The agent has no tool for bookings.');
  const file = { name: 'A tool', nodes: [{ ...tool, parameters: { ...tool.parameters, simplify: false } }], connections: {} };
  const { id } = await createWorkflow(n8n.session, connected(file));
  const { page, at, parameter } = editor;
  await editor.openWorkflow(id);
  await page.locator('[data-test-id="canvas-node"][data-node-name="Get bookings"]').dblclick();
  await at('parameter-input-simplify').first().waitFor();
  expect(await parameter('simplify').first().inputValue()).toBe('Raw');
  await parameter('simplify').first().click();
  await page.getByText('Only the fields that you choose, and the ID').click();
  await parameter('selectedFields').first().click();
  await page.getByText('Meeting Link', { exact: true }).last().click();
  await page.keyboard.press('Escape');
  await at('ndv-close-button').click();
  await at('ndv').waitFor({ state: 'hidden' });
  const [saved] = (await savedForm(editor, n8n.n8n.origin, file)).nodes;
  expect(saved?.parameters).toMatchObject({ simplify: 'selectedFields', selectedFields: ['meeting_url'] });
});
