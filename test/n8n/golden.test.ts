import '../support/goldenBrand.ts';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { n8nVersion } from '../../tools/rigs/n8n/install.ts';
import type { WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { showOtherName, showThisName } from '../../tools/check/pictures.ts';
import { root } from '../../tools/root.cjs';
import { promised, withoutWords } from '../support/golden.ts';

/** What a person, or n8n's AI builder, reads. Everything else is kept in saved workflows and credentials, or is a setting of n8n. */
const words = new Set([
  'displayName',
  'description',
  'subtitle',
  'placeholder',
  'hint',
  'action',
  'message',
  'documentationUrl',
  'builderHint',
  'triggerPanel',
  'eventTriggerDescription',
]);
const names = (definition: object): unknown =>
  JSON.parse(JSON.stringify(withoutWords(definition, words)), (_, value: unknown) => (isChoice(value) ? value.value : value));
const isChoice = (value: unknown): value is { value: unknown } =>
  typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'name,value';

it.each([
  ['n8n-action', new Scheduler().description],
  ['n8n-trigger', new SchedulerTrigger().description],
  ['n8n-polling-trigger', new SchedulerPollingTrigger().description],
  ['n8n-credential', new SchedulerOAuth2Api()],
] as const)('the names in %s are promises: saved workflows and credentials hold them', (name, definition) => {
  promised(name, names(definition));
});

it('each node gets its own copy of the panel, because n8n changes it', () => {
  const [one, other] = [new Scheduler().description, new Scheduler().description];
  one.properties.push({ displayName: 'Added', name: 'added', type: 'string', default: '' });
  expect(other.properties).toHaveLength(one.properties.length - 1);
  expect(NodeHelpers.getNodeParameters(other.properties, {}, true, false, null, other)).toMatchObject({ resource: 'booking' });
});

/** A hash of everything that the pictures and the recording in docs/images show of ours. Fonts differ between machines, and n8n's part changes with its version. */
const file = join(root, 'docs', 'images', 'n8n-pictures.sha256');
const update = 'UPDATE_SCREENS=1 npm test -- test/n8n/editor test/n8n/golden';

/** What nobody sees: hints for a model, how a credential is tested, and how a request reads pages. */
const unseen = ['builderHint', 'test', 'pagination'];

/** The workflows, without their notes, which are not in the pictures. */
const workflows = globSync(['docs/templates/*.json', 'n8n/examples/*.json'], { cwd: root })
  .sort()
  .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as WorkflowFile)
  .map(({ nodes, connections }) => [nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote'), connections]);

it("the pictures of n8n's editor show the panels, outputs, event types and workflows as they are now", async () => {
  const sandbox = await startSandbox();
  const types = sandbox.eventTypes().map(({ name, questions, duration_minutes, active }) => [name, questions, duration_minutes, active]);
  await sandbox.stop();
  const nodes = [new Scheduler(), new SchedulerTrigger(), new SchedulerPollingTrigger()].map(({ description }) => description);
  // The sentences under the recording.
  const spoken = readFileSync(join(root, 'docs', 'provider', 'n8n.md'), 'utf8').match(/\*".+"\*/g);
  const definitions = [n8nVersion, nodes, new SchedulerOAuth2Api(), outputSchemas(), types, workflows, spoken];
  const shown = JSON.stringify(definitions, (key, value: unknown) => (unseen.includes(key) ? undefined : value));
  const now = createHash('sha256').update(shown).digest('hex');
  if (process.env['UPDATE_SCREENS'] === '1') {
    writeFileSync(file, `${now}\n`);
    await showThisName();
  }
  // Under another name they are still to be taken, as `npm run check` says.
  if (await showOtherName()) return;
  if (readFileSync(file, 'utf8').trim() !== now) throw new Error(`They are stale. Take them again, and look at them: ${update}`);
});
