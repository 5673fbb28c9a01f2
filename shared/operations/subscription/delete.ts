import { defineOne, field } from '../../define.ts';
import { filledText } from '../../inputs.ts';
import { unsubscribe } from '../../webhooks/subscriptions.ts';

export const deleteSubscription = defineOne({
  resource: 'subscription',
  name: 'delete',
  action: 'Delete',
  description: 'Deletes a webhook subscription for good, also one that a live trigger relies on',
  effect: 'destructive',
  scope: 'webhooks:manage',
  endpoint: 'DELETE /v1/hooks/:id',
  input: {
    subscription_id: field(filledText, {
      label: 'Subscription ID',
      help: 'The id of the subscription, as the list of subscriptions gives it',
      control: 'text',
      example: 'sub_2kMx6JwD',
    }),
  },
  output: 'subscription',
  sample: { id: 'sub_2kMx6JwD', deleted: true },

  /** One that is gone already counts as deleted (G10). */
  async run(client, { subscription_id: id }) {
    await unsubscribe(client, id);
    return { id, deleted: true };
  },
});
