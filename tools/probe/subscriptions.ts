import { rateLimitHeaders, subscriptionRecord, subscriptionRequest } from '../../shared/assumptions.ts';
import { refusal } from '../../shared/client/errors.ts';
import { retryAfter } from '../../shared/client/retry.ts';
import { eventRows } from '../../shared/events.ts';
import { limits } from '../../shared/limits.ts';
import { asText, isObject } from '../../shared/values.ts';
import { canonical, fields, single } from './recognise.ts';
import { type Probing, isSuccess, shapeOf } from './wire.ts';

export interface Subscribed {
  id: string;
  secret: string | undefined;
}

/** Subscribes to everything (G8). Checks the record and the place of the secret (G9), or the refusal at the limit (G19). */
export async function subscribe({ findings, wire, now }: Probing, url: string): Promise<Subscribed | undefined> {
  const reply = await wire('POST', '/hooks', {
    body: subscriptionRequest.body(
      url,
      eventRows.map(({ name }) => name),
    ),
  });
  if (!isSuccess(reply)) {
    const { kind, code = 'none', message } = refusal(reply, { resourceName: 'webhook subscription', scope: 'webhooks:manage' }, now());
    if (kind !== 'subscriptionLimit')
      findings.note('subscriptionRequest', 'differs', `subscribing was refused with ${reply.status}: ${message}`);
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
    findings.note('subscriptionRequest', 'differs', `POST /v1/hooks was answered with ${shapeOf(reply.body)}`);
    return undefined;
  }
  findings.note('subscriptionRequest', 'as assumed', '`url` and `events` were accepted');
  findings.note('targetAddress', 'as assumed', 'the address was accepted');
  const { [subscriptionRecord.secretKey]: inside, ...shown } = raw;
  if (shown['active'] === true) findings.note('pausing', 'as assumed', 'a subscription says that it is active');
  fields(findings, 'subscription', shown);
  const beside = isObject(reply.body) ? reply.body[subscriptionRecord.secretKey] : undefined;
  if (typeof beside === 'string' && beside !== inside)
    findings.note('subscriptionRecord', 'as assumed', `\`${subscriptionRecord.secretKey}\` is next to the record`);
  else if (typeof inside === 'string')
    findings.note('subscriptionRecord', 'also read', `\`${subscriptionRecord.secretKey}\` is inside the record`);
  else
    findings.note(
      'subscriptionRecord',
      'differs',
      `no \`${subscriptionRecord.secretKey}\` came: deliveries could not be verified, so no trigger could be turned on`,
    );
  const secret = [beside, inside].find((value) => typeof value === 'string');
  return { id: asText(canonical('subscription', raw)['id']), secret };
}

/** Deletes a subscription twice (G10). */
export async function unsubscribe({ findings, wire }: Probing, { id }: Subscribed): Promise<void> {
  const path = `/hooks/${encodeURIComponent(id)}`;
  const first = await wire('DELETE', path);
  const empty = first.body === undefined || first.body === '';
  if (!isSuccess(first)) findings.note('deletedSubscription', 'differs', `deleting a subscription was refused with ${first.status}`);
  else
    findings.judge(
      'deletedSubscription',
      first.status === 204 && empty,
      `deleting is answered with ${first.status}${empty ? '' : ` and ${shapeOf(first.body)}`}`,
    );
  const { status } = await wire('DELETE', path);
  findings.must('deletedSubscription', status === 404 || (status >= 200 && status < 300), `deleting it again is answered with ${status}`);
}

/**
 * Lists subscriptions until the service refuses, which shows how it refuses (G16) and whether listing counts (G27). Live
 * triggers of the account cannot subscribe for a minute afterwards.
 */
export async function rateLimit({ findings, baseUrl, transportFor, token, now }: Probing): Promise<void> {
  const transport = transportFor(token);
  for (let request = 1; request <= limits.subscriptionRequestsPerMinute + 1; request += 1) {
    const { status, headers } = await transport({ method: 'GET', url: `${baseUrl}/hooks`, headers: { accept: 'application/json' } });
    if (status !== 429) continue;
    findings.note('countedRequests', 'as assumed', 'listing subscriptions counts towards the limit of subscription requests');
    const { retryAfter: usualName, window } = rateLimitHeaders;
    const name = usualName in headers ? usualName : Object.keys(headers).find((each) => window.test(each));
    if (name === undefined) {
      findings.note('rateLimitHeaders', 'also read', 'a 429 does not say when to come back');
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
  findings.note(
    'countedRequests',
    'also read',
    `${limits.subscriptionRequestsPerMinute + 1} lists of subscriptions within a minute were not refused, so they do not count as subscription requests`,
  );
}
