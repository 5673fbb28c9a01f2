import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { ServiceError } from '../../shared/client/index.ts';
import { eventRows } from '../../shared/events.ts';
import { deliveredRecord, verifyDelivery, chosenEvents, eventTypeMatches } from '../../shared/webhooks/index.ts';
import { inReadingOrder } from '../../shared/records/index.ts';
import { isObject } from '../../shared/values.ts';
import { Claims, type Answer } from './claims.ts';
import { eventTypesOf } from './filters.ts';
import { keptFor, slotOf } from './subscription.ts';

/** The deliveries that this process has handled. A best effort: items contain the delivery's key for users who need exactly once. */
const claims = new Claims();

/** The part of n8n's request that is used to read a delivery. */
interface IncomingRequest {
  originalUrl: string;
  rawBody?: unknown;
  /** Reads the raw body if n8n has not done so yet. */
  readRawBody?(): Promise<void>;
}

/** The part of n8n's response that is used to refuse a delivery. */
interface OutgoingResponse extends Answer {
  status(code: number): { json(body: object): unknown };
}

/**
 * Receives one delivery: verifies it over the raw body, filters it, and starts the workflow with the record. A delivery that is not
 * certainly ours is answered with a status and the name of the failed check, and starts nothing. This function never throws and never
 * writes static data: n8n stores that as a whole, and the last writer could restore an old secret.
 */
export async function receive(hook: IWebhookFunctions): Promise<IWebhookResponseData> {
  const request = hook.getRequestObject() as IncomingRequest;
  const { id, signing_secret: secret } = keptFor(hook.getWorkflowStaticData('node'), request.originalUrl);
  const opened = verifyDelivery(
    { rawBody: await rawBodyOf(request), headers: hook.getHeaderData() },
    { secret, events: eventsOf(hook), subscriptionId: id ?? '', now: Date.now(), maximumAgeSeconds: maximumAgeOf(hook) },
  );
  if (opened.state === 'refused') return refuse(hook, opened);
  if (opened.state === 'ignored') return ignore(opened.message);
  const chosen = filterOf(hook);
  if (typeof chosen === 'string') return refuse(hook, { status: 503, check: 'filter', message: chosen });
  if (!eventTypeMatches(opened.record, chosen)) return ignore('This event type was not chosen.');
  const response = hook.getResponseObject() as OutgoingResponse;
  const claimed = claims.claim(opened.repeatKeys, response, placeOf(hook, request));
  if (claimed === 'repeated') return ignore('This delivery was received before.');
  if (claimed === 'underWay') {
    response.status(503).json({ received: false, message: 'This delivery is already being received. Send it again.' });
    return { noWebhookResponse: true };
  }
  const isWhole = ['false', false].includes(parameter(hook, 'simplify') as string | boolean);
  const record = deliveredRecord(opened, isWhole ? 'presented' : 'simplified');
  return { workflowData: [[{ json: inReadingOrder(record) as IDataObject }]], webhookResponse: { received: true } };
}

/** One trigger of one workflow, as a published trigger or as a test listener. What it has received is not known to any other. */
const placeOf = (hook: IWebhookFunctions, { originalUrl }: IncomingRequest): string =>
  [hook.getWorkflow().id, hook.getNode().id, slotOf(originalUrl)].join(' ');

/** The value of a parameter's expression; null if it cannot be evaluated, because a delivery must not fail for that reason. */
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

/**
 * If no event is chosen any more, everything that the service sends to this subscription counts, because it was chosen when the
 * subscription was created.
 */
function eventsOf(hook: IWebhookFunctions): string[] {
  const chosen = chosenEvents(parameter(hook, 'events'));
  return chosen.length > 0 ? chosen : eventRows.map(({ name }) => name);
}

/** The chosen event types, or why nothing may pass: the filter came out empty. The service sends the delivery again, in case it is mended. */
function filterOf(hook: IWebhookFunctions): string[] | string {
  try {
    return eventTypesOf(hook);
  } catch (error) {
    return error instanceof ServiceError ? error.sentence : String(error);
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
 * The bytes as they arrived. For most content types, n8n has read them. For the others it is asked to, and throws if there are too many, if
 * they are badly compressed, or if it has read them as a form. If that were thrown, every stranger's request could cause a failed
 * execution.
 */
async function rawBodyOf(request: IncomingRequest): Promise<Buffer | undefined> {
  try {
    if (request.rawBody === undefined) await request.readRawBody?.();
  } catch {
    return undefined;
  }
  return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** The status and the name of the failed check, with which a delivery is answered. */
type Refusal = { status: number; check: string; message: string };

function refuse(hook: IWebhookFunctions, { status, check, message }: Refusal): IWebhookResponseData {
  hook.logger.warn(`${hook.getNode().name} refused a delivery (${check}): ${message}`);
  (hook.getResponseObject() as OutgoingResponse).status(status).json({ received: false, check, message });
  return { noWebhookResponse: true };
}

/** A 2xx, so that it is not sent again; without data, so that nothing starts. */
const ignore = (message: string): IWebhookResponseData => ({ webhookResponse: { received: true, ignored: message } });
