import * as z from 'zod/v4';
import type { ServiceRecord } from '../records/fields.ts';
import { subscriptionRecord } from '../assumptions.ts';
import { defineOne, field, defineWrite, defineMany } from './define.ts';
import { eventRows, type EventName } from '../events.ts';
import { subscription } from '../records/samples.ts';
import { subscribeAny, deletion, listSubscriptions } from '../webhooks/subscriptions.ts';
import { idText } from './commonSchemas.ts';

const names = eventRows.map(({ name }) => name) as [EventName, ...EventName[]];

export const createSubscription = defineOne({
  resource: 'subscription',
  name: 'create',
  action: 'Create',
  description: 'Creates a webhook subscription with a signing secret, which is shown only once',
  effect: 'write',
  isIdempotent: false,
  scope: 'webhooks:manage',
  endpoint: 'POST /v1/hooks',
  input: {
    url: field(z.url({ protocol: /^https?$/, error: 'is not a URL such as https://example.com/hooks' }), {
      label: 'Target URL',
      help: 'Where to send deliveries',
      control: 'url',
      example: 'https://example.com/hooks',
    }),
    events: field(z.array(z.enum(names, `may only contain ${names.join(', ')}`)).min(1, 'must contain at least one event'), {
      label: 'Events',
      help: 'The events to receive',
      control: 'events',
      choices: eventRows.map(({ name, label }) => ({ value: name, label })),
    }),
  },
  output: 'subscription',
  secret: subscriptionRecord.secretKey,
  sample: { ...subscription, [subscriptionRecord.secretKey]: 'shown only once, store it now' },

  /** The only operation that returns a signing secret, because the service does not show it again (section 2). */
  async run(client, wanted) {
    const { record, signing_secret } = await subscribeAny(client, wanted);
    return { ...record, signing_secret };
  },
});

export const deleteSubscription = defineWrite({
  resource: 'subscription',
  name: 'delete',
  action: 'Delete',
  description: 'Deletes a webhook subscription permanently, even if an active trigger uses it',
  effect: 'destructive',
  isIdempotent: true,
  scope: 'webhooks:manage',
  endpoint: 'DELETE /v1/hooks/:id',
  input: {
    subscription_id: field(idText, {
      label: 'Subscription ID',
      help: 'The ID from the list of subscriptions',
      control: 'text',
      example: 'sub_2kMx6JwD',
    }),
  },
  output: 'subscription',
  sample: { id: 'sub_2kMx6JwD', deleted: true },

  /**
   * If there is no subscription with this id, nothing was deleted, and that is an error. Only for a repeated request may it mean that the
   * first one succeeded (G10).
   */
  write(_, { subscription_id: id }) {
    const write = deletion(id);
    return { ...write, rejected: async (refusal, isRepeat) => (isRepeat ? write.rejected?.(refusal, isRepeat) : undefined) };
  },
});

export const getManySubscriptions = defineMany({
  resource: 'subscription',
  name: 'getMany',
  action: 'List',
  description: 'Lists webhook subscriptions. An account can have 25 active ones',
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
