/** Subscriptions and verified deliveries. The exports of this folder for other folders. */
export { deliveredAlone, deliveredRecord, isVerified, verifyDelivery, type DeliveryResult, type RawDelivery } from './delivery.ts';
export { nodeCrypto, sha256 } from './nodeCrypto.ts';
export { DeliveryMemory, rememberedDeliveries } from './memory.ts';
export { type Doubt, doubtAbout, isWebAddress, pollingTriggerName } from './reach.ts';
export { AccountSubscriptions, endSubscription, isIntact, replaceSubscription, subscribe, unsubscribe } from './subscriptions.ts';
export { isGone, type StoredSubscription } from './storedSubscription.ts';
export { asDelivered, fittingRecords, recentRecords } from './testData.ts';
