import { NodeOperationError, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';
import { ServiceError } from '../../shared/client/index.ts';
import { eventRows, eventTypeMatches } from '../../shared/events.ts';
import { deliveredRecord, isGone, isVerified, nodeCrypto, verifyDelivery } from '../../shared/webhooks/index.ts';
import { chosenEvents } from '../../shared/operations/index.ts';
import { inReadingOrder } from '../../shared/records/index.ts';
import { errorWords, isNo, isObject } from '../../shared/values.ts';
import { DeliveryClaims, type HookAnswer } from './claims.ts';
import { eventTypesOf } from './filters.ts';
import { itemContent } from './items.ts';
import { Refusals } from './refusals.ts';
import { connectionOf, inBackground } from './connection.ts';
import { storedSubscription, memory, placeOf, type TriggerSubscription } from './subscription.ts';

/**
 * The deliveries that this process has handled. A best effort: items contain the delivery's key for users who need exactly-once processing.
 */
const claims = new DeliveryClaims();

/** The deliveries that this process could not verify. */
const refusals = new Refusals();

/** The part of n8n's request that is needed to read a delivery. */
interface IncomingRequest {
  originalUrl: string;
  rawBody?: unknown;
  /** Reads the raw body if n8n has not done so yet. */
  readRawBody?(): Promise<void>;
}

/** The part of n8n's response that is needed to refuse a delivery. */
interface OutgoingResponse extends HookAnswer {
  status(code: number): { json(body: object): unknown };
}

/**
 * Receives one delivery: verifies it over the raw body, filters it, and starts the workflow with the record. A delivery that cannot be
 * verified is answered with a status and the name of the failed check, and starts nothing. This function never writes static data: n8n
 * stores it as a whole, so the last writer could restore an old secret.
 *
 * @throws NodeOperationError, at most once an hour, if the trigger has lost its secret and refuses everything, because people look at
 *   failed executions. A stranger's request never causes a throw.
 */
export async function receive(hook: IWebhookFunctions): Promise<IWebhookResponseData> {
  const request = hook.getRequestObject() as IncomingRequest;
  const place = placeOf(hook, request.originalUrl);
  const kept = storedSubscription(hook.getWorkflowStaticData('node'), request.originalUrl);
  const { opened, used } = await openWithNewest(hook, request, kept, place);
  if (opened.state === 'refused') return refuse(hook, opened, { place, used, left: kept.left });
  refusals.accepted(place);
  if (opened.state === 'ignored') return ignore(opened.message);
  const chosen = filterOf(hook);
  if (typeof chosen === 'string') return refuse(hook, { status: 503, check: 'filter', message: chosen }, { place, used, left: kept.left });
  if (!eventTypeMatches(opened.record, chosen)) return ignore('This event type was not chosen.');
  const response = hook.getResponseObject() as OutgoingResponse;
  const claimed = claims.claim(opened.repeatKeys, response, place);
  if (claimed === 'repeated') return ignore('This delivery was received before.');
  if (claimed === 'underWay') {
    response.status(503).json({ received: false, message: 'This delivery is already being received. Send it again.' });
    return { noWebhookResponse: true };
  }
  const isWhole = isNo(parameter(hook, 'simplify'));
  const record = deliveredRecord(opened, isWhole ? 'presented' : 'simplified');
  return { workflowData: [[{ json: itemContent(inReadingOrder(record)) }]], webhookResponse: { received: true } };
}

/**
 * Verifies a delivery with the secret that n8n provides or, if this process knows a newer one, with that.
 *
 * @returns also the subscription that was used; for a refused delivery, the newest
 */
async function openWithNewest(hook: IWebhookFunctions, request: IncomingRequest, kept: TriggerSubscription, place: string) {
  const delivery = { rawBody: await rawBodyOf(request), headers: hook.getHeaderData() };
  const expected = { events: eventsOf(hook), now: Date.now(), maximumAgeSeconds: maximumAgeOf(hook) };
  const openWith = (used: TriggerSubscription) => {
    const { id = '', signing_secret: secret } = used;
    return { used, opened: verifyDelivery(delivery, { ...expected, secret, subscriptionId: id }, nodeCrypto) };
  };
  const [newest, ...others] = memory.candidates(place, kept);
  const first = openWith(newest);
  const result = [first, ...others.map(openWith)].find(({ opened }) => isVerified(opened)) ?? first;
  const { used, opened } = result;
  if (!isVerified(opened)) return result;
  if (used === kept) memory.used(place, kept);
  else
    hook.logger.warn(
      `${hook.getNode().name}: n8n has lost the signing secret of the subscription ${used.id}, so this process used its own copy, which is lost when it ends. Unpublish and publish this workflow: that stores a new one.`,
    );
  return result;
}

/** The value of a parameter; null if it cannot be evaluated, because a delivery must not fail for that reason. */
function parameter(hook: IWebhookFunctions, name: string): unknown {
  try {
    return hook.getNodeParameter(name, null);
  } catch (error) {
    hook.logger.warn(`${hook.getNode().name} could not evaluate the parameter "${name}", and treats it as empty: ${errorWords(error)}`);
    return null;
  }
}

/**
 * The events to accept. If none is chosen any more, every event of this subscription is accepted, because it was chosen when the
 * subscription was created.
 */
function eventsOf(hook: IWebhookFunctions): string[] {
  const chosen = chosenEvents(parameter(hook, 'events'));
  return chosen.length > 0 ? chosen : eventRows.map(({ name }) => name);
}

/**
 * The chosen event types, or why nothing may pass: the filter is set but empty. The service then retries the delivery, in case the filter
 * is fixed.
 */
function filterOf(hook: IWebhookFunctions): string[] | string {
  try {
    return eventTypesOf(hook);
  } catch (error) {
    return error instanceof ServiceError ? error.sentence : errorWords(error);
  }
}

/** In seconds; `undefined` if the option is off or is not a number of minutes. */
function maximumAgeOf(hook: IWebhookFunctions): number | undefined {
  const options = parameter(hook, 'options');
  const raw = isObject(options) ? options['maximumAge'] : 0;
  // An object without a prototype cannot be converted to a number, not even to NaN.
  const minutes = typeof raw === 'object' ? 0 : Number(raw);
  return Number.isFinite(minutes) && minutes > 0 ? minutes * 60 : undefined;
}

/**
 * The bytes as they arrived. For most content types, n8n has already read them. For the others, it reads them on request, and throws if
 * there are too many, if their compression is invalid, or if it has read them as a form. The error is caught, because otherwise any
 * stranger's request could cause a failed execution.
 */
async function rawBodyOf(request: IncomingRequest): Promise<Buffer | undefined> {
  try {
    if (request.rawBody === undefined) await request.readRawBody?.();
  } catch {
    return undefined;
  }
  return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** A refusal: the status and the name of the failed check for the response. */
type DeliveryRefusal = { status: number; check: string; message: string };

/** @param used the subscription with which verification was tried */
function refuse(
  hook: IWebhookFunctions,
  refused: DeliveryRefusal,
  { place, used, left }: { place: string; used: TriggerSubscription; left: TriggerSubscription['left'] },
): IWebhookResponseData {
  const { status, check, message } = refused;
  const from =
    check === 'signature' && left !== undefined
      ? ` It may come from the subscription ${left.id}, which the account ${left.account} still has for this address. To remove it, connect that account and use Webhook Subscription: Delete.`
      : '';
  hook.logger.warn(`${hook.getNode().name} refused a delivery (${check}): ${message}${from}`);
  if (check === 'secret' || check === 'signature') {
    const next = refusals.refused(place, check === 'secret' ? undefined : used.id, Date.now());
    if (next === 'ask') void askFor(hook, used, place);
    if (next === 'tell')
      throw new NodeOperationError(
        hook.getNode(),
        "n8n has lost the signing secret of this trigger's subscription, so it refuses every event.",
        {
          description:
            'Unpublish the workflow, then publish it again. That creates a new subscription. The refused events are not sent again.',
        },
      );
  }
  (hook.getResponseObject() as OutgoingResponse).status(status).json({ received: false, check, message });
  return { noWebhookResponse: true };
}

/** Asks the service whether the subscription still exists. Nobody waits for the result, and a failed request proves nothing. */
const askFor = (hook: IWebhookFunctions, used: TriggerSubscription, place: string): Promise<void> =>
  connectionOf(hook, inBackground)
    .then(({ client }) => isGone(client, used))
    .then(
      (gone) => (gone ? refusals.gone(place, used.id) : undefined),
      (error: unknown) => hook.logger.debug(`${hook.getNode().name} could not ask for its subscription: ${errorWords(error)}`),
    );

/** Responds with a 2xx, so that the delivery is not retried, and without data, so that nothing starts. */
const ignore = (message: string): IWebhookResponseData => ({ webhookResponse: { received: true, ignored: message } });
