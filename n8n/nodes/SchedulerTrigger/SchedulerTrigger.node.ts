import {
  NodeConnectionTypes,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import { brand } from '../../../shared/brand.ts';
import { credentialType, triggerVersions } from '../../adapter/names.ts';
import { loadOptions } from '../../adapter/methods.ts';
import { triggerHint, triggerPanel, triggerProperties } from '../../adapter/panels.ts';

export class SchedulerTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: `${brand.name} Trigger`,
    name: 'schedulerTrigger',
    icon: { light: 'file:../../icons/scheduler.svg', dark: 'file:../../icons/scheduler.dark.svg' },
    group: ['trigger'],
    version: triggerVersions.all,
    defaultVersion: triggerVersions.newest,
    subtitle: '={{ $parameter["events"].join(", ").toLowerCase().replaceAll("_", " ") }}',
    description: `Starts the workflow when something happens in ${brand.name}`,
    eventTriggerDescription: `Waiting for an event in ${brand.name}`,
    defaults: { name: `${brand.name} Trigger` },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: credentialType, required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'webhook' }],
    triggerPanel: triggerPanel(),
    builderHint: triggerHint(),
    properties: triggerProperties(),
  };

  methods = { loadOptions };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { isSubscribed } = await import('../../adapter/run.ts');
        return isSubscribed(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const { subscribeNode } = await import('../../adapter/run.ts');
        return subscribeNode(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const { unsubscribeNode } = await import('../../adapter/run.ts');
        return unsubscribeNode(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { receive } = await import('../../adapter/run.ts');
    return receive(this);
  }
}
