import { join } from 'node:path';
import { stickyNote, Desk, keepsSavedForm, workflowAt } from './savedForm.ts';

jest.setTimeout(25 * 60_000);

const desk = new Desk();
beforeAll(() => desk.open());
afterAll(() => desk.close());

const examples = join('n8n', 'examples');
keepsSavedForm(desk, examples);

it('a node that was looked into after a run is not marked as changed', async () => {
  const file = workflowAt(join(examples, 'create-booking.json'));
  const { page, at, openWorkflow, answered } = desk.editor;
  await openWorkflow(await desk.create(file));
  await at('execute-workflow-button').first().click();
  await page.getByText('Workflow executed successfully').first().waitFor();
  const [booked] = desk.sandbox.bookings().slice(-1);
  for (const { name, type } of file.nodes) {
    if (type === stickyNote) continue;
    await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
    await at('node-parameters').first().waitFor();
    await answered();
    // The preview of the start is what was booked.
    if (name === 'Create a booking') expect(await at('parameter-input-startTime').first().innerText()).toContain('$json.start');
    await page.keyboard.press('Escape');
    await at('node-parameters').first().waitFor({ state: 'hidden' });
  }
  expect(booked?.invitee_email).toBe('ada@example.com');
  expect(await at('canvas-node-status-warning').count()).toBe(0);
});
