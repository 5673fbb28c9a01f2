import * as z from 'zod/v4';
import { subscriptionRecord } from '../../assumptions.ts';
import { defineOne, field } from '../define.ts';
import { eventRows, type EventName } from '../../events.ts';
import { subscription } from '../../records/samples.ts';
import { subscribeAny } from '../../webhooks/subscriptions.ts';

const names = eventRows.map(({ name }) => name) as [EventName, ...EventName[]];

export const createSubscription = defineOne({
  resource: 'subscription',
  name: 'create',
  action: 'Create',
  description: 'Creates a webhook subscription and returns its signing secret, which is shown only once',
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
    events: field(z.array(z.enum(names, 'contains an unknown event')).min(1, 'must contain at least one event'), {
      label: 'Events',
      help: 'The events to receive',
      control: 'events',
      choices: eventRows.map(({ name, label }) => ({ value: name, label })),
    }),
  },
  output: 'subscription',
  secret: subscriptionRecord.secretKey,
  sample: { ...subscription, [subscriptionRecord.secretKey]: 'shown only once, store it now' },

  /** The only place that returns a signing secret, because the service does not show it again (section 2). */
  async run(client, wanted) {
    const { record, signing_secret } = await subscribeAny(client, wanted);
    return { ...record, signing_secret };
  },
});
