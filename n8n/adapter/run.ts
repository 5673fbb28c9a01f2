/**
 * What the nodes do when they are used. The package has it as one file beside its entries, which load it with the first item, delivery or
 * list. n8n starts without it, and both nodes share one limiter and one lock for refreshes.
 */
export { operations } from '../../shared/operations/index.ts';
export { execute } from './execute.ts';
export { eventTypeOptions, questionFields, search } from './lists.ts';
export { pollNode } from './poll.ts';
export { receive } from './receive.ts';
export { isSubscribed, subscribeNode, unsubscribeNode } from './subscription.ts';
