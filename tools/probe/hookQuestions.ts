import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { deliveryBody, rateLimitHeaders, subscriptionRecord, subscriptionRequest } from '../../shared/assumptions.ts';
import { refusal } from '../../shared/client/errors.ts';
import { eventRows } from '../../shared/events.ts';
import { limits } from '../../shared/limits.ts';
import { retryAfter, windowHeaders } from '../../shared/reading/index.ts';
import { isObject } from '../../shared/values.ts';
import { idOf } from './answers.ts';
import { type Ask, differs, isSuccess, type Question, type Reply, type Said, type Seen, withinSeconds } from './asking.ts';
import { headerOf, type ReceivedRequest } from './receiver.ts';

/** The subscription that the probe made, and its secret; `undefined` if there is none. */
export function subscription({ replies }: Seen): { id: string; secret: string | undefined; isBeside: boolean } | undefined {
  const { record, body } = replies.find((each) => each.ask.what === 'POST /hooks' && each.record !== undefined) ?? {};
  if (record === undefined) return undefined;
  const beside = isObject(body) ? body[subscriptionRecord.secretKey] : undefined;
  const secret = [beside, record[subscriptionRecord.secretKey]].find((value) => typeof value === 'string');
  return { id: idOf('subscription', record), secret, isBeside: secret === beside };
}

/** Waits for a delivery. Without a secret, it could not be verified. */
function delivery(seen: Seen, name: string, fits: (received: ReceivedRequest) => boolean): Ask | undefined {
  const { secret } = subscription(seen) ?? {};
  return secret === undefined || seen.receiver === undefined ? undefined : { what: name, name, delivery: { fits, secret } };
}

const bodyOf = ({ json }: ReceivedRequest): Record<string, unknown> => (isObject(json) ? json : {});

export const arrives = (event: string): Question => ({
  ask: (seen) => delivery(seen, event, (each) => headerOf(each, 'Event') === event || bodyOf(each)[deliveryBody.eventKey] === event),
  says: ({ delivery: came }) => {
    const words = `${event} arrived; what a host does (approve, deny, reschedule, edit a contact) must be tested by hand`;
    return [['eventsThatFire', came !== undefined, words, `${event} did not arrive within ${withinSeconds} seconds`, 'differs']];
  },
});

/** Subscribes to all events. */
export const subscribing: Question = {
  ask: ({ url }) => {
    const events = eventRows.map(({ name }) => name);
    return { what: 'POST /hooks', body: subscriptionRequest.body(url, events) };
  },
  says: subscribed,
};

/** Whether a delivery that failed with 500 is sent again unchanged. */
export const retried: Question = {
  ask: (seen) => {
    const first = seen.replies.at(-1)?.delivery;
    if (first?.status !== 500) return undefined;
    return delivery(seen, 'a retry', (each) => each !== first && headerOf(each, 'Delivery-ID') === headerOf(first, 'Delivery-ID'));
  },
  says: ({ delivery: again }, { replies }) => {
    const first = replies.at(-2)?.delivery;
    if (first === undefined || again === undefined) {
      const late = `a delivery that was answered with 500 did not come again within ${withinSeconds} seconds`;
      return [differs('deliveryRetries', `${late}: ${assumptions.deliveryRetries.restsOn} cannot rely on it`)];
    }
    const isSame = headerOf(again, 'Timestamp') === headerOf(first, 'Timestamp');
    const words = 'a delivery that was answered with 500 came again with the same id and body';
    return [
      ['deliveryRetries', first.body.equals(again.body), words, 'a delivery came again with the same id and another body', 'differs'],
      ['timestampHeader', isSame, 'a repeated delivery has the same timestamp', 'a repeated delivery has a new timestamp'],
    ];
  },
};

/** Deletes the subscription twice. */
export const unsubscribing: readonly Question[] = [false, true].map((isAgain) => ({
  ask: (seen) => {
    const { id } = subscription(seen) ?? {};
    return id === undefined ? undefined : { what: 'DELETE /hooks/:id', id };
  },
  says: (reply) => {
    const isFine = isSuccess(reply) || (isAgain && reply.status === 404);
    const isUsual = isAgain ? isFine : reply.status === 204 && (reply.body === undefined || reply.body === '');
    return [['deletedSubscription', isUsual, undefined, undefined, isFine ? 'also read' : 'differs']];
  },
}));

/**
 * Lists subscriptions until the service refuses, which shows how it refuses and whether listing counts. For a minute afterwards, triggers
 * of the account cannot subscribe.
 */
export const pacing: Question = {
  *ask() {
    for (let request = 1; request <= limits.subscriptionRequestsPerMinute + 1; request += 1)
      if ((yield { what: 'GET /hooks', trial: 'paced' }).status === 429) return;
  },
  says({ status, headers }, seen) {
    const many = `${limits.subscriptionRequestsPerMinute + 1} lists of subscriptions within a minute were not refused`;
    if (status !== 429) return [['countedRequests', false, `${many}, so they do not count as subscription requests`]];
    const { retryAfter: usualName } = rateLimitHeaders;
    const name = usualName in headers ? usualName : Object.keys(headers).find((each) => windowHeaders.test(each));
    const value = headers[name ?? ''] ?? '';
    const seconds = retryAfter(headers, seen.now());
    const read = seconds === undefined ? 'nothing' : `${Math.round(seconds)} seconds`;
    const words = name === undefined ? 'does not say when to come back' : `says \`${name}: ${value.slice(0, 40)}\`, read as ${read}`;
    const isUsual = name === usualName && /^\d+$/.test(value);
    return [
      ['countedRequests', true, 'listing subscriptions counts towards the limit of subscription requests'],
      ['rateLimitHeaders', isUsual, `a 429 ${words}`, undefined, name !== undefined && seconds === undefined ? 'differs' : 'also read'],
    ];
  },
};

function subscribed(reply: Reply, seen: Seen): (Said | false)[] {
  if (!isSuccess(reply)) {
    const { kind, code = 'none', message } = refusal(reply, { resourceName: 'webhook subscription', scope: 'webhooks:manage' }, seen.now());
    if (kind !== 'subscriptionLimit') return [differs('subscriptionRequest', `subscribing was refused with ${reply.status}: ${message}`)];
    const words = `the limit of ${limits.subscriptions} is reported with ${reply.status} and the code ${code}`;
    return [['subscriptionLimitAnswer', reply.status === 403 && code === 'SUBSCRIPTION_LIMIT', words]];
  }
  const { secret, isBeside = false } = subscription(seen) ?? {};
  if (reply.record === undefined) return [differs('subscriptionRequest')];
  const key = `\`${subscriptionRecord.secretKey}\``;
  return [
    ['subscriptionRequest', true, '`url` and `events` were accepted'],
    ['targetAddress', true, 'the address was accepted'],
    reply.record['active'] === true && ['pausing', true, 'a subscription says that it is active'],
    secret === undefined
      ? differs('subscriptionRecord', `no ${key} came: deliveries could not be verified, so no trigger could be turned on`)
      : ['subscriptionRecord', isBeside, `${key} is next to the record`, `${key} is inside the record`],
  ];
}
