export { createReceiver, type Answer, type Handler, type Receiver, type ReceiverOptions, type Refusal } from './receiver.ts';
export type { Incoming } from './request.ts';
export { eventNames, type Changed, type EventName, type EventOf, type Received, type RecordOf, type WebhookEvent } from './events.ts';
export {
  fetchHandler,
  expressHandler,
  lambdaHandler,
  nodeHandler,
  type LambdaAnswer,
  type LambdaEvent,
  type NodeRequest,
  type NodeResponse,
  type WrappedResponse,
} from './servers.ts';
export {
  DeliveryRefused,
  explainSignature,
  open,
  verify,
  type Check,
  type Opened,
  type OpenOptions,
  type RawDelivery,
  type Secret,
  type Subscriptions,
  type Verdict,
} from './open.ts';
export { UnreadableBody, type BodyFault, type Bounds } from './body.ts';
export { memoryClaims, type ChangeClaims, type Claim, type Claims } from '../stores/claims.ts';
export type { Soon, Store } from '../stores/store.ts';
export { endSubscription, keepSubscription, type Subscribed, type WantedSubscription } from './subscriptions.ts';
