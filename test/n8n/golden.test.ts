import '../support/goldenBrand.ts';
import { NodeHelpers, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { Scheduler } from '../../n8n/nodes/Scheduler/Scheduler.node.ts';
import { SchedulerPollingTrigger } from '../../n8n/nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.ts';
import { SchedulerTrigger } from '../../n8n/nodes/SchedulerTrigger/SchedulerTrigger.node.ts';
import { promised } from '../support/golden.ts';

const action = new Scheduler().description;
const trigger = new SchedulerTrigger().description;
const polling = new SchedulerPollingTrigger().description;

/** The parts of a property that saved workflows contain: its name, and the values that can be chosen. Everything else is wording. */
const names = (properties: readonly INodeProperties[]): unknown[] =>
  properties.map(({ name, type, default: preset, displayOptions, options, modes }) => ({
    name,
    type,
    default: preset,
    ...(displayOptions?.show && { when: displayOptions.show }),
    ...(options && {
      options: options.map((option) => ('value' in option ? option.value : 'type' in option ? names([option])[0] : option.name)),
    }),
    ...(modes && { modes: modes.map(({ name: mode }) => mode) }),
  }));

const promises = ({ name, version, credentials, properties }: INodeTypeDescription) => ({
  name,
  version,
  credentials: credentials?.map((each) => each.name),
  parameters: names(properties),
});

describe('these names are promises: saved workflows and credentials hold them', () => {
  it('the action node', () => promised('n8n-action-names', promises(action)));
  it('the trigger', () => promised('n8n-trigger-names', promises(trigger)));
  it('the polling trigger', () => promised('n8n-polling-trigger-names', promises(polling)));
  it('the credential', () => {
    const { name, properties } = new SchedulerOAuth2Api();
    promised('n8n-credential-names', { name, parameters: names(properties) });
  });
});

describe('every word and setting, to be reviewed like a screen when it changes', () => {
  it('the action node', () => promised('n8n-action', action));
  it('the trigger', () => promised('n8n-trigger', { ...new SchedulerTrigger(), description: trigger }));
  it('the polling trigger', () => promised('n8n-polling-trigger', { ...new SchedulerPollingTrigger(), description: polling }));
  it('the credential', () => promised('n8n-credential', { ...new SchedulerOAuth2Api() }));
});

it('each node gets its own copy of the panel, because n8n changes it', () => {
  const [one, other] = [new Scheduler().description, new Scheduler().description];
  one.properties.push({ displayName: 'Added', name: 'added', type: 'string', default: '' });
  expect(other.properties).toHaveLength(action.properties.length);
  expect(NodeHelpers.getNodeParameters(other.properties, {}, true, false, null, other)).toMatchObject({ resource: 'booking' });
});
