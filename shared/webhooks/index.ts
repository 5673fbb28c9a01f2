/** Subscriptions, and deliveries that are verified: what other parts use of it. */
export { deliveredAlone, deliveredRecord, verifyDelivery, type DeliveryResult, type RawDelivery } from './delivery.ts';
export { sha256 } from './key.ts';
export { DeliveryMemory, rememberedDeliveries } from './memory.ts';
export { type Doubt, doubtAbout, isWebAddress, pollingTriggerName } from './reach.ts';
export {
  AccountSubscriptions,
  endSubscription,
  isElsewhere,
  isGone,
  isIntact,
  type Known,
  replaceSubscription,
  subscribe,
  unsubscribe,
} from './subscriptions.ts';
export { asDelivered, fittingRecords, recentRecords } from './testData.ts';
