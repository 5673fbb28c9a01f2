import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { events, isEventName } from '../../shared/events.ts';
import { simplify } from '../../shared/simplify.ts';
import { openDelivery, type Opened } from '../../shared/webhooks/delivery.ts';
import { eventTypeMatches } from '../../shared/webhooks/filter.ts';
import { Claims, type Answer } from './claims.ts';
import { keptFor } from './subscription.ts';

/** The deliveries that this process acted on. Best effort: items carry the delivery's id for who needs it exact. */
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
  const chosen = hook.getNodeParameter('events', []) as string[];
  const { maximumAge } = hook.getNodeParameter('options', {}) as { maximumAge?: number };
  const opened = openDelivery(
    { rawBody: await rawBodyOf(request), headers: hook.getHeaderData() },
    { secret, events: chosen, subscriptionId: id ?? '', now: Date.now(), ...(maximumAge !== undefined && maximumAge > 0 && { maximumAgeSeconds: maximumAge * 60 }) },
  );
  if (opened.outcome === 'refused') return refuse(hook, opened);
  if (opened.outcome === 'ignored') return ignore(opened.message);
  const eventTypes = hook.getNodeParameter('eventTypes', []) as string[];
  if (!eventTypeMatches(opened.record, eventTypes)) return ignore('This event type was not chosen.');
  const response = hook.getResponseObject() as OutgoingResponse;
  const claimed = claims.claim(opened.claims, response);
  if (claimed === 'repeated') return ignore('This delivery was received before.');
  if (claimed === 'underWay') {
    response.status(503).json({ received: false, message: 'This delivery came before, and n8n has not taken it yet. Send it again.' });
    return { noWebhookResponse: true };
  }

  const kind = isEventName(opened.event) ? events[opened.event].record : 'booking';
  const record = hook.getNodeParameter('simplify', true) === true ? simplify(kind, opened.record) : opened.record;
  return { workflowData: [[{ json: record as IDataObject }]], webhookResponse: { received: true } };
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
