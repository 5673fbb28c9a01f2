import {
  NodeConnectionTypes,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import { brand } from '../../../shared/brand.ts';
import { triggerHint } from '../../adapter/builderHints.ts';
import { loadOptions } from '../../adapter/lists.ts';
import { credentialType } from '../../adapter/names.ts';
import { receive } from '../../adapter/receive.ts';
import { isSubscribed, subscribeNode, unsubscribeNode } from '../../adapter/subscription.ts';
import { triggerPanel, triggerProperties } from '../../adapter/triggerProperties.ts';

export class SchedulerTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: `${brand.name} Trigger`,
    name: 'schedulerTrigger',
    icon: { light: 'file:../../icons/scheduler.svg', dark: 'file:../../icons/scheduler.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ").toLowerCase().replaceAll("_", " ") }}',
    description: 'Starts the workflow at once when a booking or contact changes',
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
        return isSubscribed(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return subscribeNode(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return unsubscribeNode(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return receive(this);
  }
}
