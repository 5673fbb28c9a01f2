import { defineWrite, field } from '../define.ts';
import { idText } from '../inputs.ts';
import { deletion } from '../../webhooks/subscriptions.ts';

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

  /** Without a subscription of this id, nothing was deleted. Only a request that is sent again may have done it before (G10). */
  write(_, { subscription_id: id }) {
    const write = deletion(id);
    return { ...write, rejected: async (refusal, isRepeat) => (isRepeat ? write.rejected?.(refusal, isRepeat) : undefined) };
  },
});
