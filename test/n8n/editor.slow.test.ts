import { globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { connectToSandbox } from '../../tools/rigs/n8n/session.ts';
import { nodeTypes } from '../../tools/rigs/n8n/instance.ts';
import { testOwner } from '../support/connectedN8n.ts';
import { startN8n, type N8n } from '../../tools/rigs/n8n/instance.ts';
import { createCredential, N8nSession, redirectUri } from '../../tools/rigs/n8n/session.ts';
import { createWorkflow, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { choiceKey } from '../../n8n/adapter/answers.ts';
import { credentialType } from '../../n8n/adapter/names.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { root } from '../../tools/root.cjs';
import { onEvents } from '../support/n8nWorkflow.ts';
import { until } from '../support/until.ts';
import { openEditor, updatesPictures, type Editor } from './support/editor.ts';

// A person at the editor of the real n8n. UPDATE_SCREENS=1 makes the pictures in docs/images.
const minutes = 60_000;
jest.setTimeout(25 * minutes);

const nodes = nodeTypes(`n8n-nodes-${brand.slug}`);
let sandbox: Sandbox;
let n8n: N8n;
let session: N8nSession;
let editor: Editor;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  // Not yet installed, and on the clock of the account. Unless people look at its lists, with few of n8n's own nodes.
  const extra = { GENERIC_TIMEZONE: sandbox.account.timezone };
  n8n = await startN8n({ unpublished: await builtPackage('n8n'), lean: !updatesPictures, editor: true, extra });
  session = await N8nSession.open(n8n.origin, testOwner);
  sandbox.allowRedirect(redirectUri(n8n.origin));
  editor = await openEditor(n8n.origin, testOwner);
});
afterAll(async () => {
  await editor?.close();
  await n8n?.stop();
  await sandbox?.stop();
});

async function fillIn(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.fill(text);
}

const run = () => editor.at('node-execute-button').first().click();
const shown = (text: string | RegExp) => editor.page.getByText(text).first().waitFor();
const openNode = (name: string) => editor.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();

/** Fills in the open credential, and presses the button that opens the service's consent page. */
async function askConsent(): Promise<Page> {
  const { page, parameter, context } = editor;
  await fillIn(parameter('clientId'), sandbox.client.id);
  await fillIn(parameter('clientSecret'), sandbox.client.secret);
  expect(await parameter('baseUrl').inputValue()).toBe(brand.baseUrl);
  await fillIn(parameter('baseUrl'), sandbox.baseUrl);
  const opened = context.waitForEvent('page');
  await page.locator('[data-test-id=quick-connect-button]:visible').click();
  const consent = await opened;
  await consent.waitForURL(/oauth\/authorize/);
  return consent;
}

/** Searches for our nodes in the open node creator, and opens what they offer. */
async function searchOurs(): Promise<void> {
  await fillIn(editor.at('node-creator-search-bar'), brand.name);
  await editor.page.getByText(brand.name, { exact: true }).last().click();
}

/** Adds an operation of our node to a new workflow. */
async function addAction(name: string): Promise<void> {
  await editor.searchNodes(brand.name);
  await searchOurs();
  await editor.page.getByText(`Actions (${operations.length})`).click();
  await editor.page.getByText(name, { exact: true }).click();
}

/** Opens the list of a field, and searches in it. */
async function openList(name: string, search: string): Promise<void> {
  await editor.at(`resource-locator-${name}`).locator('[data-test-id=rlc-input-container] input').first().click();
  await fillIn(editor.at('rlc-search').locator('input').or(editor.page.getByPlaceholder('Search...')).first(), search);
}

/** One more credential, as a node holds it. */
async function connected(): Promise<Record<string, { id: string; name: string }>> {
  const { id, name, type: kind } = await connectToSandbox(session, sandbox);
  return { [kind]: { id, name } };
}

it('the script of the video for n8n can be followed, from the installation to the tool of an agent', async () => {
  const { page, at, parameter, context } = editor;
  const addAfter = async (what: string): Promise<void> => {
    await at('canvas-handle-plus').last().click();
    await searchOurs();
    await page.getByText(what, { exact: true }).click();
  };
  /** When the invitee has booked, or weeks later, on the host's clock. */
  const start = (weeksLater: number): string => {
    const booked = sandbox.bookings().find(({ invitee_name: name }) => name === 'Katherine Johnson')?.start_time ?? '';
    const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: sandbox.account.timezone });
    return clock.format(Date.parse(booked) + weeksLater * 7 * 24 * 60 * minutes);
  };
  const leave = async (): Promise<void> => {
    await at('ndv-close-button').click();
    await at('ndv').waitFor({ state: 'hidden' });
  };

  await editor.go('/settings/community-nodes');
  // n8n's own tip would cover what is shown.
  await page.evaluate("localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true')");
  await shown('Install a community node');
  await page.getByText('Install a community node').click();
  await fillIn(at('package-name-input'), `n8n-nodes-${brand.slug}`);
  await at('user-agreement-checkbox').click();
  await at('install-community-package-button').click();
  await at('package-name-input').waitFor({ state: 'hidden' });
  await at('community-package-card').waitFor();

  await editor.go('/workflow/new');
  await at('canvas-add-button').waitFor();
  await at('canvas-add-button').click();
  await searchOurs();
  await page.getByText('On booking created', { exact: true }).click();
  const connect = page.getByText(`Connect to ${brand.name}`, { exact: true }).last();
  await connect.waitFor();
  await connect.click();
  const consent = await askConsent();
  await consent.getByRole('button', { name: 'Allow' }).click();
  await at('credential-edit-button').click();
  const credential = at('editCredential-modal');
  await credential.getByText('Account connected').waitFor();
  await editor.picture('n8n-credential');
  await credential.locator('.el-dialog__headerbtn').click();
  await credential.waitFor({ state: 'hidden' });
  // n8n has looked for event types before the account was connected. It looks again when the panel is opened.
  await leave();
  await at('canvas-node').dblclick();
  await page.getByText('Intro Call (30 min)').first().waitFor({ state: 'attached' });
  await editor.picture('n8n-trigger');

  await run();
  await shown('Listening for test event');
  const host = await context.newPage();
  await host.goto(`${sandbox.origin}/host/types`);
  const type = host.getByRole('row', { name: 'Coffee Chat' });
  await type.locator('summary', { hasText: 'Book' }).click();
  const proposed = type.getByLabel('What to send');
  await proposed.fill((await proposed.inputValue()).replace('Robin Sample', 'Katherine Johnson'));
  await type.getByRole('button', { name: 'Book Coffee Chat' }).click();
  await host.getByText('The booking was created.').waitFor();
  await host.close();
  await at('radio-button-json').last().click();
  await shown('Katherine Johnson');
  await leave();

  await addAfter('Create booking');
  await openList('eventTypeId', 'support');
  await page.getByText('Support Session (30 min)').last().click();
  await fillIn(parameter('startTime'), start(0));
  await page.keyboard.press('Enter');
  await fillIn(parameter('inviteeName'), 'Ada Lovelace');
  await fillIn(parameter('inviteeEmail'), 'ada@example.com');
  await at('parameter-input-urgent').first().scrollIntoViewIfNeeded();
  await fillIn(parameter('phone').first(), '+44 20 7946 0123');
  await run();
  await shown('That time is not free for this event type');
  await fillIn(parameter('startTime'), start(8));
  await page.keyboard.press('Enter');
  await run();
  await at('output-panel').getByText('CONFIRMED').waitFor();
  await leave();

  await addAfter('Cancel booking');
  await shown('This cannot be undone. Check the booking before you run it.');
  await openList('bookingId', 'ada');
  const listed = page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC\+0[12]:00, .*Ada Lovelace/).last();
  await listed.waitFor();
  await editor.picture('n8n-cancel-booking');
  await listed.click();
  await run();
  await shown('CANCELLED');
  await leave();

  await editor.go('/workflow/new');
  await at('canvas-add-button').waitFor();
  await at('canvas-add-button').click();
  await fillIn(at('node-creator-search-bar'), 'AI Agent');
  await page.getByText('AI Agent', { exact: true }).first().click();
  await leave();
  await at('canvas-handle-plus').last().click();
  await fillIn(at('node-creator-search-bar'), brand.name);
  await page.getByText(`${brand.name} Tool`, { exact: true }).last().click();
  await at('from-ai-override-button').first().waitFor();
  for (let field = 0; field < 3; field++) await at('from-ai-override-button').first().click();
  await leave();
  await page.setViewportSize({ width: 1280, height: 850 });
});

it('a booking is made: the operation and the event type from their lists, its questions as fields, run, and the output seen', async () => {
  const { page, at, parameter } = editor;
  await editor.searchNodes(brand.name);
  await searchOurs();
  await shown(`Triggers (${eventRows.length})`);
  await page.getByText(`Actions (${operations.length})`).click();
  for (const { label } of eventRows) await page.getByText(`On ${label.toLowerCase()}`).waitFor();
  await page.getByText('Cancel booking', { exact: true }).waitFor();
  await editor.picture('n8n-node-creator');
  const kickOff = sandbox.eventTypes().find(({ name }) => name === 'Project Kick-off');
  const before = sandbox.bookings().length;
  await page.getByText('Create booking', { exact: true }).click();
  await page.getByText('Choose an event type to see its questions').waitFor();
  await editor.picture('n8n-create-booking-empty');
  await openList('eventTypeId', 'kick');
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
  await run();
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
  await shown(made?.id ?? 'nothing was booked');
  await editor.picture('n8n-output');
  await run();
  await shown('That time is not free for this event type: 2059-03-05');
  await editor.picture('n8n-create-booking-failed');
});

it("the polling trigger's panel offers times, events and event types", async () => {
  const { page } = editor;
  await editor.searchNodes(`${brand.name} Polling Trigger`);
  await page.getByText(`${brand.name} Polling`).last().click();
  await page.getByText('On booking created').click();
  await shown('Poll Times');
  await page.getByText('Booking Created', { exact: true }).first().waitFor();
  await page.getByText('Intro Call (30 min)').first().waitFor({ state: 'attached' });
  await run();
  await shown('readable_start');
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
  const { page, at } = editor;
  await editor.go('/home/credentials/create');
  await at('new-credential-type-select').locator('input').fill(brand.name);
  await at('new-credential-type-select-option').first().click();
  await at('new-credential-type-button').click();
  const consent = await askConsent();
  expect(await consent.locator('body').innerText()).toContain('bookings:write');
  await consent.setViewportSize({ width: 720, height: 500 });
  await editor.picture('consent', consent);
  await consent.getByRole('button', { name: 'Deny' }).click();
  // n8n's own words: it does not read why it was sent back without a code.
  await consent.getByText('Failed to connect').waitFor();
  await consent.close();
  await page.getByText('Connect your account to use this credential').waitFor();
  expect(await page.getByText('Account connected').isVisible()).toBe(false);
  await editor.picture('n8n-credential-failed');
});

it('a polling trigger whose connection has ended fails in its panel, with what to do', async () => {
  const credentials = await connected();
  const parameters = { events: ['BOOKING_CREATED'] };
  const node = { id: 'polling', name: 'On changes', type: nodes.polling, typeVersion: 1, position: [0, 0] as [number, number] };
  const workflow = await createWorkflow(session, { name: 'Changes', nodes: [{ ...node, parameters, credentials }], connections: {} });
  const ended = { error: 'invalid_grant', error_description: 'The authorization was revoked.' };
  sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 401, times: 'always' });
  sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 400, body: ended, times: 'always' });
  await editor.openWorkflow(workflow.id);
  await openNode('On changes');
  await run();
  await shown(/Reconnect/);
  sandbox.faults.clear();
  await editor.picture('n8n-polling-trigger-failed');
});

it('a trigger that the service cannot reach fails in its panel, with what to do', async () => {
  const data = { clientId: 'client', clientSecret: 'secret', baseUrl: brand.baseUrl };
  const { id, name, type } = await createCredential(session, { name: 'The real service', type: credentialType, data });
  const file = onEvents({ nodes, credentials: { [type]: { id, name } } }, { events: ['BOOKING_CREATED'] });
  const workflow = await createWorkflow(session, { ...file, nodes: file.nodes.slice(0, 1), connections: {} });
  await editor.openWorkflow(workflow.id);
  await openNode('On events');
  await run();
  await shown(/cannot deliver to http:\/\/localhost/);
  await editor.picture('n8n-trigger-failed');
});

/** Keeps a picture of the nodes of the open workflow for people, without the notes and the editor around them. */
async function canvasPicture({ page, at, answered }: Editor, name: string): Promise<void> {
  await at('canvas-node').first().waitFor();
  await answered();
  // Large enough for n8n to show all of it in its full size. It stays so: nodes outside of the window cannot be pressed.
  await page.setViewportSize({ width: 2600, height: 1400 });
  const around = '[data-test-id="node-issues"], [data-test-id="sticky"], [data-test-id*="handle-plus"] { display: none !important }';
  await page.addStyleTag({ content: around });
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
}

// People look at these pictures, and nothing compares them.
if (updatesPictures)
  it.each(globSync('docs/templates/*.json', { cwd: root }))('the canvas of %s is pictured', async (path) => {
    const { id } = await createWorkflow(session, JSON.parse(readFileSync(join(root, path), 'utf8')) as WorkflowFile);
    await editor.openWorkflow(id);
    await canvasPicture(editor, basename(path, '.json'));
  });
