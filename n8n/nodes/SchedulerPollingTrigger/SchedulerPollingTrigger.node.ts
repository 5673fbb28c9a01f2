import { NodeConnectionTypes, type INodeExecutionData, type INodeType, type INodeTypeDescription, type IPollFunctions } from 'n8n-workflow';
import { brand } from '../../../shared/brand.ts';
import { pollingHint } from '../../adapter/builderHints.ts';
import { loadOptions } from '../../adapter/lists.ts';
import { credentialType } from '../../adapter/names.ts';
import { pollNode } from '../../adapter/poll.ts';
import { pollingPanel, pollingProperties } from '../../adapter/triggerProperties.ts';

export class SchedulerPollingTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: `${brand.name} Polling Trigger`,
    name: 'schedulerPollingTrigger',
    icon: { light: 'file:../../icons/scheduler.svg', dark: 'file:../../icons/scheduler.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ").toLowerCase().replaceAll("_", " ") }}',
    description: 'Checks for changes every few minutes. Use it if n8n has no public address.',
    defaults: { name: `${brand.name} Polling Trigger` },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: credentialType, required: true }],
    triggerPanel: pollingPanel(),
    builderHint: pollingHint(),
    properties: pollingProperties(),
  };

  methods = { loadOptions };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return pollNode(this);
  }
}
