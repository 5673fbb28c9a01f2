import type { ServiceRecord } from '../../records/records.ts';
import { defineMany } from '../define.ts';
import { subscription } from '../../records/samples.ts';
import { listSubscriptions } from '../../webhooks/subscriptions.ts';
import { subscriptionRecord } from '../../assumptions.ts';

export const getManySubscriptions = defineMany({
  resource: 'subscription',
  name: 'getMany',
  action: 'List',
  description: 'Lists the webhook subscriptions of the account, up to 25',
  effect: 'read',
  scope: 'webhooks:manage',
  endpoint: 'GET /v1/hooks',
  input: {},
  output: 'subscription',
  sample: subscription,

  /** Removes secrets, even if the service sends them. */
  async *run(client, _, { limit }) {
    for await (const found of listSubscriptions(client, limit)) {
      const { [subscriptionRecord.secretKey]: _secret, ...record }: ServiceRecord = found;
      yield record;
    }
  },
});
