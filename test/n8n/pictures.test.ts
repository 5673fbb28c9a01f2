import '../support/goldenBrand.ts';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { n8nVersion } from '../../tools/rigs/n8n/install.ts';
import type { WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { root } from '../../tools/root.cjs';

/** A hash of everything that the pictures and the recording in docs/images show of ours. Fonts differ between machines, and n8n's part changes with its version. */
const file = join(__dirname, '..', '..', 'docs', 'images', 'n8n-pictures.sha256');
const update = 'UPDATE_SCREENS=1 npm test -- test/n8n/screens test/n8n/workflowFiles test/n8n/video test/n8n/pictures';

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
  const shown = JSON.stringify(definitions, (key, value: unknown) => (key === 'builderHint' ? undefined : value));
  const now = createHash('sha256').update(shown).digest('hex');
  if (process.env['UPDATE_SCREENS'] === '1') writeFileSync(file, `${now}\n`);
  if (readFileSync(file, 'utf8').trim() !== now) throw new Error(`They are stale. Take them again, and look at them: ${update}`);
});
