import { globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { connectToSandbox, openN8n, testOwner, type OpenedN8n } from '../../tools/rigs/n8n/connected.ts';
import { createCredential, redirectUri } from '../../tools/rigs/n8n/session.ts';
import { createWorkflow, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { bookAMeeting } from '../../tools/start/n8nSide.ts';
import { bookable } from '../../tools/start/roundTrip.ts';
import { choiceKey } from '../../n8n/adapter/answers.ts';
import { credentialType } from '../../n8n/adapter/identity.ts';
import type { Page } from 'playwright-core';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { operations } from '../../shared/operations/index.ts';
import { root } from '../../tools/root.cjs';
import { onEvents } from '../support/n8nWorkflow.ts';
import { until } from '../support/until.ts';
import { openEditor, type Editor } from './support/editor.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

/** Keeps a picture of the nodes of the open workflow for people, without the notes and the editor around them. */
async function canvasPicture({ page, at, answered }: Editor, name: string): Promise<void> {
  await at('canvas-node').first().waitFor();
  await answered();
  // Large enough for n8n to show all of it in its full size. It stays so: nodes outside of the window cannot be pressed.
  await page.setViewportSize({ width: 2600, height: 1400 });
  const around = '[data-test-id="node-issues"], [data-test-id="sticky"], [data-test-id*="handle-plus"] { display: none !important }';
  const style = await page.addStyleTag({ content: around });
  await page.keyboard.press('1');
  // n8n shows buttons where the mouse is.
  await page.mouse.move(1300, 1);
  // The canvas moves to its place in half a second.
  await page.waitForTimeout(1000);
  const nodesAndLines = page.locator('[data-test-id="canvas-node"], .vue-flow__edge-path');
  const boxes = await Promise.all((await nodesAndLines.all()).map((each) => each.boundingBox()));
  const drawn = boxes.flatMap((box) => (box === null ? [] : [box]));
  const edge = { side: 56, top: 32, bottom: 80 };
  const [x, y] = [Math.min(...drawn.map((box) => box.x)) - edge.side, Math.min(...drawn.map((box) => box.y)) - edge.top];
  const width = Math.max(...drawn.map((box) => box.x + box.width)) + edge.side - x;
  const height = Math.max(...drawn.map((box) => box.y + box.height)) + edge.bottom - y;
  const folder = join(root, 'docs', 'images', 'templates');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), clip: { x, y, width, height }, animations: 'disabled' });
  await style.evaluate('(element) => element.remove()');
}

describe('in the editor of the real n8n, by clicking', () => {
  let sandbox: Sandbox;
  let n8n: OpenedN8n;
  let editor: Editor;

  beforeAll(async () => {
    sandbox = await startSandbox({ limits: false });
    // Of n8n's own nodes, those in our workflows: the editor reads the whole list of nodes.
    n8n = await openN8n({ lean: true, editor: true });
    sandbox.allowRedirect(redirectUri(n8n.n8n.origin));
    editor = await openEditor(n8n.n8n.origin, testOwner);
  });
  afterAll(async () => {
    await editor?.close();
    await n8n?.stop();
    await sandbox?.stop();
  });

  /** Fills in a new credential, and presses the button that opens the service's consent page. */
  async function askConsent(): Promise<Page> {
    const { page, at, parameter } = editor;
    await editor.go('/home/credentials/create');
    await at('new-credential-type-select').locator('input').fill(brand.name);
    await at('new-credential-type-select-option').first().click();
    await at('new-credential-type-button').click();
    await parameter('clientId').fill(sandbox.client.id);
    await parameter('clientSecret').fill(sandbox.client.secret);
    expect(await parameter('baseUrl').inputValue()).toBe(brand.baseUrl);
    await parameter('baseUrl').fill(sandbox.baseUrl);
    const opened = editor.context.waitForEvent('page');
    await page.locator('[data-test-id=quick-connect-button]:visible').click();
    const consent = await opened;
    await consent.waitForURL(/oauth\/authorize/);
    return consent;
  }

  /** Opens a new workflow, and in its node creator what our node offers. */
  async function searchOurs(): Promise<void> {
    await editor.searchNodes(brand.name);
    await editor.page.getByText(brand.name, { exact: true }).last().click();
  }

  /** Adds an operation of our node. */
  async function addAction(name: string): Promise<void> {
    await searchOurs();
    await editor.page.getByText(`Actions (${operations.length})`).click();
    await editor.page.getByText(name, { exact: true }).click();
  }

  /** One more credential, as a node holds it. */
  async function connected(): Promise<Record<string, { id: string; name: string }>> {
    const { id, name, type } = await connectToSandbox(n8n.session, sandbox);
    return { [type]: { id, name } };
  }

  it('the credential is connected through the consent page', async () => {
    const { page } = editor;
    const consent = await askConsent();
    expect(await consent.locator('body').innerText()).toContain('bookings:write');
    await consent.setViewportSize({ width: 720, height: 500 });
    await editor.picture('consent', consent);
    const closed = consent.waitForEvent('close');
    await consent.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await page.getByText('Account connected').waitFor();
    await editor.picture('n8n-credential');
  });

  it('the node creator offers every trigger and every operation under one name', async () => {
    const { page } = editor;
    await searchOurs();
    await page.getByText(`Triggers (${eventRows.length})`).waitFor();
    await page.getByText(`Actions (${operations.length})`).click();
    for (const { label } of eventRows) await page.getByText(`On ${label.toLowerCase()}`).waitFor();
    await page.getByText('Cancel booking permanently').waitFor();
    await editor.picture('n8n-node-creator');
  });

  it('a booking is made: event type from the list, its questions as fields, run, and the output seen', async () => {
    const { page, at, parameter } = editor;
    const kickOff = sandbox.eventTypes().find(({ name }) => name === 'Project Kick-off');
    const before = sandbox.bookings().length;
    await page.getByText('Create booking', { exact: true }).click();
    await page.getByText('Choose an event type to see its questions').waitFor();
    await editor.picture('n8n-create-booking-empty');
    await at('resource-locator-eventTypeId').locator('[data-test-id=rlc-input-container] input').first().click();
    await at('rlc-search').locator('input').or(page.getByPlaceholder('Search...')).first().fill('kick');
    await page.getByText(`Project Kick-off (${kickOff?.duration_minutes} min)`).first().click();
    for (const { key, type, options = [] } of kickOff?.questions ?? [])
      for (const field of type === 'multiselect' ? options.map((option) => choiceKey(key, option)) : [key])
        await at(`parameter-input-${field}`).first().waitFor({ state: 'attached' });
    const services = kickOff?.questions.find(({ type }) => type === 'multiselect');
    const [, wanted = ''] = services?.options ?? [];

    await parameter('startTime').fill('2059-03-05 10:00:00');
    await page.keyboard.press('Enter');
    await parameter('inviteeName').fill('Ada Lovelace');
    await parameter('inviteeEmail').fill('ada@example.com');
    for (const { key, type, options, required } of kickOff?.questions ?? []) {
      if (!required) continue;
      await parameter(key).first().click();
      if (type === 'select') await page.getByText(String(options?.[0]), { exact: true }).last().click();
      else await parameter(key).first().fill('Analytical Engines Ltd');
    }
    await at(`parameter-input-${choiceKey(services?.key ?? '', wanted)}`)
      .locator('.el-switch, [role=switch]')
      .first()
      .click();
    // High enough for the whole form.
    await page.setViewportSize({ width: 1280, height: 1640 });
    await editor.picture('n8n-create-booking');
    await page.setViewportSize({ width: 1280, height: 850 });
    await at('node-execute-button').first().click();
    // The editor's own message comes and goes; a booking and its output stay.
    await until(() => sandbox.bookings().length > before);
    const made = sandbox
      .bookings()
      .find(({ invitee_email: email, event_type_id: type }) => email === 'ada@example.com' && type === kickOff?.id);
    expect(sandbox.bookings()).toHaveLength(before + 1);
    // What nobody answered is not answered.
    expect(Object.keys(made?.question_responses ?? {}).sort()).toEqual(
      (kickOff?.questions ?? [])
        .filter(({ required, key }) => required || key === services?.key)
        .map(({ key }) => key)
        .sort(),
    );
    expect(made?.question_responses[services?.key ?? '']).toEqual([wanted]);
    await at('radio-button-json').last().click();
    await page
      .getByText(made?.id ?? 'nothing was booked')
      .first()
      .waitFor();
    await editor.picture('n8n-output');
    await at('node-execute-button').first().click();
    await page.getByText('That time is not free for this event type: 2059-03-05').first().waitFor();
    await editor.picture('n8n-create-booking-failed');
  });

  it('cancelling warns in its panel, and its list is on the clock of the host', async () => {
    const { page, at } = editor;
    await addAction('Cancel booking permanently');
    await page.getByText('This cannot be undone. Check the booking before you run it.').waitFor();
    await at('resource-locator-bookingId').locator('[data-test-id=rlc-input-container] input').first().click();
    await page
      .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC\+0[12]:00, /)
      .first()
      .waitFor();
    await editor.picture('n8n-cancel-booking');
  });

  it("the trigger's panel says what it takes, and offers events and event types", async () => {
    const { page } = editor;
    await searchOurs();
    await page.getByText('On booking created').click();
    await page.getByText("one of the account's 25 webhook subscriptions").first().waitFor();
    await page.getByText('Booking Created', { exact: true }).first().waitFor();
    await page.getByText('Intro Call (30 min)').first().waitFor({ state: 'attached' });
    await editor.picture('n8n-trigger');
  });

  it("the polling trigger's panel says what a poll costs, and offers times, events and event types", async () => {
    const { page, at } = editor;
    await editor.searchNodes(`${brand.name} Polling Trigger`);
    await page.getByText(`${brand.name} Polling`).last().click();
    await page.getByText('On booking created').click();
    await page.getByText('Every poll reads the full list').first().waitFor();
    await page.getByText('Poll Times').first().waitFor();
    await page.getByText('Booking Created', { exact: true }).first().waitFor();
    await page.getByText('Intro Call (30 min)').first().waitFor({ state: 'attached' });
    await at('node-execute-button').first().click();
    await page.getByText('change_key').first().waitFor();
    await editor.picture('n8n-polling-trigger');
  });

  it('the fields of an operation can be mapped before anything has run', async () => {
    const { page, at } = editor;
    await addAction('Get many bookings');
    await at('parameter-input-returnAll').waitFor();
    await page.keyboard.press('Escape');
    await at('canvas-handle-plus').last().click();
    await at('node-creator-search-bar').fill('Edit Fields');
    await page.getByText('Edit Fields (Set)').first().click();
    await page.getByText('Usually outputs the following fields').waitFor();
    await page.getByText('invitee_email', { exact: true }).waitFor();
    await editor.picture('n8n-fields-before-the-first-run');
  });

  // The last ones: each leaves a credential that would be offered to others.
  it('a credential that somebody does not agree to is not connected, and its dialog says so', async () => {
    const { page } = editor;
    const consent = await askConsent();
    await consent.getByRole('button', { name: 'Deny' }).click();
    // n8n's own words: it does not read why it was sent back without a code.
    await consent.getByText('Failed to connect').waitFor();
    await consent.close();
    await page.getByText('Connect your account to use this credential').waitFor();
    expect(await page.getByText('Account connected').isVisible()).toBe(false);
    await editor.picture('n8n-credential-failed');
  });

  it('a polling trigger whose connection has ended fails in its panel, with what to do', async () => {
    const { page, at } = editor;
    const credentials = await connected();
    const parameters = { events: ['BOOKING_CREATED'] };
    const node = { id: 'polling', name: 'On changes', type: n8n.nodes.polling, typeVersion: 1, position: [0, 0] as [number, number] };
    const workflow = await createWorkflow(n8n.session, { name: 'Changes', nodes: [{ ...node, parameters, credentials }], connections: {} });
    const ended = { error: 'invalid_grant', error_description: 'The authorization was revoked.' };
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 401, times: 'always' });
    sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 400, body: ended, times: 'always' });
    await editor.openWorkflow(workflow.id);
    await page.locator('[data-test-id="canvas-node"][data-node-name="On changes"]').dblclick();
    await at('node-execute-button').first().click();
    await page
      .getByText(/Reconnect/)
      .first()
      .waitFor();
    sandbox.faults.clear();
    await editor.picture('n8n-polling-trigger-failed');
  });

  it('a trigger that the service cannot reach fails in its panel, with what to do', async () => {
    const { page, at } = editor;
    const data = { clientId: 'client', clientSecret: 'secret', baseUrl: brand.baseUrl };
    const { id, name, type } = await createCredential(n8n.session, { name: 'The real service', type: credentialType, data });
    const file = onEvents({ nodes: n8n.nodes, credentials: { [type]: { id, name } } }, { events: ['BOOKING_CREATED'] });
    const workflow = await createWorkflow(n8n.session, { ...file, nodes: file.nodes.slice(0, 1), connections: {} });
    await editor.openWorkflow(workflow.id);
    await page.locator('[data-test-id="canvas-node"][data-node-name="On events"]').dblclick();
    await at('node-execute-button').first().click();
    await page
      .getByText(/cannot deliver to http:\/\/localhost/)
      .first()
      .waitFor();
    await editor.picture('n8n-trigger-failed');
  });

  it('a node that was looked into after a run is not marked as changed', async () => {
    const { page, at } = editor;
    const file = bookAMeeting(n8n.nodes.action, await connected(), bookable(sandbox));
    const { id } = await createWorkflow(n8n.session, file);
    await editor.openWorkflow(id);
    await at('execute-workflow-button').first().click();
    await page.getByText('Workflow executed successfully').first().waitFor();
    for (const { name } of file.nodes) {
      await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
      await at('node-parameters').first().waitFor();
      await editor.answered();
      await page.keyboard.press('Escape');
      await at('node-parameters').first().waitFor({ state: 'hidden' });
    }
    expect(sandbox.bookings().at(-1)?.invitee_email).toBe('ada@example.com');
    expect(await at('canvas-node-status-warning').count()).toBe(0);
  });

  // People look at these pictures, and nothing compares them.
  if (process.env['UPDATE_SCREENS'] === '1')
    it.each(globSync('docs/templates/*.json', { cwd: root }))('the canvas of %s is pictured', async (path) => {
      const { id } = await createWorkflow(n8n.session, JSON.parse(readFileSync(join(root, path), 'utf8')) as WorkflowFile);
      await editor.openWorkflow(id);
      await canvasPicture(editor, basename(path, '.json'));
    });
});
