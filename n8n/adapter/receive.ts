import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { eventRows } from '../../shared/events.ts';
import { deliveredRecord, openDelivery, type Opened } from '../../shared/webhooks/delivery.ts';
import { chosenTexts, eventTypeMatches } from '../../shared/webhooks/filter.ts';
import { inReadingOrder } from '../../shared/readingOrder.ts';
import { isObject } from '../../shared/values.ts';
import { Claims, type Answer } from './claims.ts';
import { keptFor, slotOf } from './subscription.ts';

/** The deliveries that this process acted on. Best effort: items carry the delivery's key for who needs it exact. */
const claims = new Claims();

/** The part of n8n's request that a delivery is read from. */
interface IncomingRequest {
  originalUrl: string;
  rawBody?: unknown;
  /** Reads the raw body where n8n has not done so already. */
  readRawBody?(): Promise<void>;
}

/** The part of n8n's response that a refusal is written to. */
interface OutgoingResponse extends Answer {
  status(code: number): { json(body: object): unknown };
}

/**
 * Receives one delivery: verifies it over the raw body, filters it, and starts the workflow with the record. Whatever is
 * not surely ours is answered with its status and the name of the failed check, and starts nothing. It never throws and
 * never writes static data: n8n stores that as one piece, and the last writer would roll a new secret back.
 */
export async function receive(hook: IWebhookFunctions): Promise<IWebhookResponseData> {
  const request = hook.getRequestObject() as IncomingRequest;
  const { id, signing_secret: secret } = keptFor(hook.getWorkflowStaticData('node'), request.originalUrl);
  const opened = openDelivery(
    { rawBody: await rawBodyOf(request), headers: hook.getHeaderData() },
    { secret, events: eventsOf(hook), subscriptionId: id ?? '', now: Date.now(), maximumAgeSeconds: maximumAgeOf(hook) },
  );
  if (opened.outcome === 'refused') return refuse(hook, opened);
  if (opened.outcome === 'ignored') return ignore(opened.message);
  if (!eventTypeMatches(opened.record, chosenTexts(parameter(hook, 'eventTypes')))) return ignore('This event type was not chosen.');
  const response = hook.getResponseObject() as OutgoingResponse;
  const claimed = claims.claim(opened.claims, response, placeOf(hook, request));
  if (claimed === 'repeated') return ignore('This delivery was received before.');
  if (claimed === 'underWay') {
    response.status(503).json({ received: false, message: 'This delivery is already being received. Send it again.' });
    return { noWebhookResponse: true };
  }
  const isWhole = ['false', false].includes(parameter(hook, 'simplify') as string | boolean);
  const record = deliveredRecord(opened, isWhole ? 'presented' : 'simplified');
  return { workflowData: [[{ json: inReadingOrder(record) as IDataObject }]], webhookResponse: { received: true } };
}

/** One trigger of one workflow, and whether it only listens for a test: what it has received is known to no other. */
const placeOf = (hook: IWebhookFunctions, { originalUrl }: IncomingRequest): string =>
  [hook.getWorkflow().id, hook.getNode().id, slotOf(originalUrl)].join(' ');

/** What a parameter's expression gives; null where it cannot be evaluated, for a delivery must not fail by it. */
function parameter(hook: IWebhookFunctions, name: string): unknown {
  try {
    return hook.getNodeParameter(name, null);
  } catch (error) {
    hook.logger.warn(
      `${hook.getNode().name} could not evaluate the parameter "${name}", and treats it as empty: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  }
}

/** Where nothing is chosen any more, whatever the service sends to this subscription counts: it was asked for when it was made. */
function eventsOf(hook: IWebhookFunctions): string[] {
  const chosen = chosenTexts(parameter(hook, 'events'));
  return chosen.length > 0 ? chosen : eventRows.map(({ name }) => name);
}

/** In seconds; none where the option is off, or holds no number of minutes. */
function maximumAgeOf(hook: IWebhookFunctions): number | undefined {
  const options = parameter(hook, 'options');
  const given = isObject(options) ? options['maximumAge'] : 0;
  // Of an object without a prototype no number can be made, not even none.
  const minutes = typeof given === 'object' ? 0 : Number(given);
  return Number.isFinite(minutes) && minutes > 0 ? minutes * 60 : undefined;
}

/**
 * The bytes as they came in. n8n has read them for most content types; for the others it is asked to, and throws where
 * they are too many, badly compressed, or a form that it has read as one. Thrown on, that would be a failed execution for
 * every stranger's request.
 */
async function rawBodyOf(request: IncomingRequest): Promise<Buffer | undefined> {
  try {
    if (request.rawBody === undefined) await request.readRawBody?.();
  } catch {
    return undefined;
  }
  return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

function refuse(hook: IWebhookFunctions, { status, check, message }: Extract<Opened, { outcome: 'refused' }>): IWebhookResponseData {
  hook.logger.warn(`${hook.getNode().name} refused a delivery (${check}): ${message}`);
  (hook.getResponseObject() as OutgoingResponse).status(status).json({ received: false, check, message });
  return { noWebhookResponse: true };
}

/** A 2xx, so that it is not sent again; without data, so that nothing starts. */
const ignore = (message: string): IWebhookResponseData => ({ webhookResponse: { received: true, ignored: message } });
