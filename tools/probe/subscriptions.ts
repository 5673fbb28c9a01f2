import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { reader, retryAfter, windowHeaders } from '../../shared/reading/index.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { deliveryBody, rateLimitHeaders, subscriptionRecord, subscriptionRequest } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { refusal } from '../../shared/client/errors.ts';
import { eventRows } from '../../shared/events.ts';
import { limits } from '../../shared/limits.ts';
import { asText, isObject, parsed } from '../../shared/values.ts';
import { verifyDelivery } from '../../shared/webhooks/delivery.ts';
import { nodeCrypto } from '../../shared/webhooks/nodeCrypto.ts';
import type { Findings } from './findings.ts';
import { canonical, fields, single } from './recognise.ts';
import { type Probing, isSuccess, shapeOf, transportFor } from './wire.ts';

export interface ProbeSubscription {
  id: string;
  secret: string | undefined;
}

/** Subscribes to everything (G8). Checks the record and the place of the secret (G9), or the refusal at the limit (G19). */
export async function subscribe({ findings, wire, now }: Probing, url: string): Promise<ProbeSubscription | undefined> {
  const reply = await wire('POST', '/hooks', {
    body: subscriptionRequest.body(
      url,
      eventRows.map(({ name }) => name),
    ),
  });
  if (!isSuccess(reply)) {
    const { kind, code = 'none', message } = refusal(reply, { resourceName: 'webhook subscription', scope: 'webhooks:manage' }, now());
    if (kind !== 'subscriptionLimit') findings.differs('subscriptionRequest', `subscribing was refused with ${reply.status}: ${message}`);
    else
      findings.judge(
        'subscriptionLimitAnswer',
        reply.status === 403 && code === 'SUBSCRIPTION_LIMIT',
        `the limit of ${limits.subscriptions} is reported with ${reply.status} and the code ${code}`,
      );
    return undefined;
  }
  const raw = single(findings, 'subscription', reply);
  if (raw === undefined) {
    findings.differs('subscriptionRequest', `POST /v1/hooks was answered with ${shapeOf(reply.body)}`);
    return undefined;
  }
  findings.note('subscriptionRequest', 'as assumed', '`url` and `events` were accepted');
  findings.note('targetAddress', 'as assumed', 'the address was accepted');
  const { [subscriptionRecord.secretKey]: inside, ...shown } = raw;
  if (shown['active'] === true) findings.note('pausing', 'as assumed', 'a subscription says that it is active');
  fields(findings, 'subscription', shown);
  const beside = isObject(reply.body) ? reply.body[subscriptionRecord.secretKey] : undefined;
  const secret = [beside, inside].find((value) => typeof value === 'string');
  const key = `\`${subscriptionRecord.secretKey}\``;
  if (secret === undefined)
    findings.differs('subscriptionRecord', `no ${key} came: deliveries could not be verified, so no trigger could be turned on`);
  else findings.judge('subscriptionRecord', secret !== inside, `${key} is next to the record`, `${key} is inside the record`);
  return { id: asText(canonical('subscription', raw)['id']), secret };
}

/** Deletes a subscription twice (G10). */
export async function unsubscribe({ findings, wire }: Probing, { id }: ProbeSubscription): Promise<void> {
  const first = await wire('DELETE', '/hooks/:id', { id });
  const empty = first.body === undefined || first.body === '';
  if (!isSuccess(first)) findings.differs('deletedSubscription', `deleting a subscription was refused with ${first.status}`);
  else
    findings.judge(
      'deletedSubscription',
      first.status === 204 && empty,
      `deleting is answered with ${first.status}${empty ? '' : ` and ${shapeOf(first.body)}`}`,
    );
  const { status } = await wire('DELETE', '/hooks/:id', { id });
  findings.must('deletedSubscription', status === 404 || (status >= 200 && status < 300), `deleting it again is answered with ${status}`);
}

/**
 * Lists subscriptions until the service refuses, which shows how it refuses (G16) and whether listing counts (G27). Live
 * triggers of the account cannot subscribe for a minute afterwards.
 */
export async function rateLimit({ findings, baseUrl, token, now }: Probing): Promise<void> {
  const transport = transportFor(token);
  for (let request = 1; request <= limits.subscriptionRequestsPerMinute + 1; request += 1) {
    const { status, headers } = await transport({ method: 'GET', url: `${baseUrl}/hooks`, headers: { accept: 'application/json' } });
    if (status !== 429) continue;
    findings.note('countedRequests', 'as assumed', 'listing subscriptions counts towards the limit of subscription requests');
    const { retryAfter: usualName } = rateLimitHeaders;
    const name = usualName in headers ? usualName : Object.keys(headers).find((each) => windowHeaders.test(each));
    if (name === undefined) {
      findings.alsoRead('rateLimitHeaders', 'a 429 does not say when to come back');
      return;
    }
    const value = headers[name] ?? '';
    const usual = name === usualName && /^\d+$/.test(value);
    const seconds = retryAfter(headers, now());
    const read = seconds === undefined ? 'nothing' : `${Math.round(seconds)} seconds`;
    findings.judge(
      'rateLimitHeaders',
      usual,
      `a 429 says \`${name}: ${value.slice(0, 40)}\`, read as ${read}`,
      undefined,
      seconds === undefined ? 'differs' : 'also read',
    );
    return;
  }
  findings.alsoRead(
    'countedRequests',
    `${limits.subscriptionRequestsPerMinute + 1} lists of subscriptions within a minute were not refused, so they do not count as subscription requests`,
  );
}

const WITHIN_MS = 20_000;
const STEP_MS = 500;

const headerOf = ({ headers }: ReceivedRequest, name: string): string =>
  [headers[`${brand.headerPrefix}-${name}`.toLowerCase()] ?? ''].flat()[0] ?? '';

/** Waits for a matching delivery; `undefined` if none arrives within twenty seconds. */
export async function awaitDelivery(
  receiver: ProbeReceiver,
  { sleep }: Probing,
  fits: (received: ReceivedRequest) => boolean,
): Promise<ReceivedRequest | undefined> {
  for (let waited = 0; waited <= WITHIN_MS; waited += STEP_MS) {
    const found = receiver.received.find(fits);
    if (found !== undefined) return found;
    await sleep(STEP_MS);
  }
  return undefined;
}

export const isEvent =
  (event: string) =>
  (received: ReceivedRequest): boolean =>
    headerOf(received, 'Event') === event || bodyOf(received)?.[deliveryBody.eventKey] === event;

/** Where a delivery has its record, how it names its event (G13), and whether its signature is valid, which is documented. */
export function judgeDelivery(findings: Findings, received: ReceivedRequest, secret: string): void {
  const opened = verifyDelivery(
    { rawBody: received.body, headers: received.headers },
    { secret, events: eventRows.map(({ name }) => name), subscriptionId: 'probe', now: 0 },
    nodeCrypto,
  );
  if (opened.state !== 'accepted') {
    findings.differs('deliveryBody', `a delivery was not accepted: ${opened.message}`);
    return;
  }
  findings.note('secretEncoding', 'as assumed', 'deliveries are signed with the secret as it came');
  const body = bodyOf(received) ?? {};
  const found = reader.find('booking', body)?.raw;
  if (found !== undefined) findings.came.push({ kind: 'booking', what: 'delivery', body });
  const key = Object.keys(body).find((each) => body[each] === found);
  findings.judge(
    'deliveryBody',
    key === deliveryBody.recordKey,
    found === body ? 'the record is the body itself' : key === undefined ? 'the record is deeper' : `the record is under "${key}"`,
  );
  const named = body[deliveryBody.eventKey];
  const otherwise =
    named === undefined ? 'only the header names the event' : `the body names the event ${JSON.stringify(named).slice(0, 60)}`;
  findings.judge('deliveryBody', named === opened.event, 'the body names the event', otherwise);
}

/** Whether a delivery that was answered with 500 is sent again unchanged (G20). */
export async function judgeRetry(probing: Probing, receiver: ProbeReceiver, first: ReceivedRequest): Promise<void> {
  const { findings } = probing;
  const again = await awaitDelivery(
    receiver,
    probing,
    (each) => each !== first && headerOf(each, 'Delivery-ID') === headerOf(first, 'Delivery-ID'),
  );
  findings.must(
    'deliveryRetries',
    again?.body.equals(first.body) === true,
    'a delivery that was answered with 500 came again with the same id and body',
    again === undefined
      ? `a delivery that was answered with 500 did not come again within ${WITHIN_MS / 1000} seconds: ${assumptions.deliveryRetries.restsOn} cannot rely on it`
      : 'a delivery came again with the same id and another body',
  );
  if (again === undefined) return;
  const isSame = headerOf(again, 'Timestamp') === headerOf(first, 'Timestamp');
  findings.judge('timestampHeader', isSame, 'a repeated delivery has the same timestamp', 'a repeated delivery has a new timestamp');
}

const bodyOf = ({ body }: ReceivedRequest): Record<string, unknown> | undefined => {
  const value = parsed(body.toString());
  return isObject(value) ? value : undefined;
};

interface ReceivedRequest {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The status that it was answered with. */
  status: 200 | 500;
}

export type ProbeReceiver = Awaited<ReturnType<typeof startReceiver>>;

/** A server that receives deliveries. @param port on this machine; 0 uses any free one */
export async function startReceiver(port: number) {
  const received: ReceivedRequest[] = [];
  let failing = false;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const status = failing ? 500 : 200;
      failing = false;
      received.push({ headers: request.headersDistinct, body, status });
      response.writeHead(status, { connection: 'close' }).end();
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    /** Answers the next delivery with 500, to see whether it is sent again. */
    failNext: () => void (failing = true),
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
