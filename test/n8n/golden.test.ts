import '../support/goldenBrand.ts';
import { NodeHelpers } from 'n8n-workflow';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
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
