import { defineTrigger, type Bundle, type ZObject } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { accountOf, ignoreRefusal, parseAccount, ServiceError } from '../../shared/client/index.ts';
import { type EventRow, eventTypeMatches } from '../../shared/events.ts';
import { mappedFields, type ServiceRecord } from '../../shared/records/index.ts';
import {
  asDelivered,
  recentRecords,
  deliveredAlone,
  nodeCrypto,
  verifyDelivery,
  type RawDelivery,
  endSubscription,
  subscribe,
  type StoredSubscription,
} from '../../shared/webhooks/index.ts';
import { checkEventTypes, chosenEventTypes, filterFields } from '../../shared/operations/index.ts';
import { isBlank, isObject } from '../../shared/values.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';
import { filledInputs, formInput, outputField, sentence } from './fields.ts';
import { claimDelivery } from './store.ts';

/** One row of the table of events as an instant trigger. Every Zap has its own subscription, and every delivery is verified. */
export function hookTrigger(row: EventRow) {
  const [filter] = filterFields(row);
  const chosen = (bundle: Bundle): string[] => {
    if (filter === undefined) return [];
    // The filter counts as set if something is written in the form, even if its value came out empty.
    const isSet = !isBlank((bundle as Partial<Bundle>).inputDataRaw?.[filter.key]);
    return chosenEventTypes(filledInputs(bundle)[filter.key], { isSet });
  };

  const performSubscribe = guarded(async (z: ZObject, bundle: Bundle) => {
    const { targetUrl = '' } = bundle;
    await checkEventTypes(clientFor(z, false), chosen(bundle));
    try {
      const client = clientFor(z, false);
      // Before anything is created: Zapier may have to refresh the token here, and then starts again from the beginning.
      const account = await accountOf(client).catch(ignoreRefusal);
      const { record: _, ...subscribed } = await subscribe(client, { url: targetUrl, events: [row.name] });
      return { ...subscribed, ...(account && { account }) };
    } catch (error) {
      throw error instanceof ServiceError && error.kind === 'subscriptionLimit' ? namingZaps(error, targetUrl) : error;
    }
  });

  const performUnsubscribe = guarded(async (z: ZObject, bundle: Bundle) => {
    const known = kept(bundle);
    const { ids, left } = await endSubscription(clientFor(z, false), { ...known, url: bundle.targetUrl }, bundle.targetUrl);
    if (left !== undefined) throw left.error;
    if (ids.length === 0) z.console.log(`No webhook subscription of this Zap was found. If one is left in ${brand.name}, delete it there.`);
    return { id: ids[0] };
  });

  /**
   * Anything that is not certainly a new event for this Zap starts no run. It is no error either: otherwise strangers could turn off Zaps.
   */
  const perform = guarded(async (z: ZObject, bundle: Bundle) => {
    const { rawRequest } = bundle as { rawRequest?: unknown };
    // The command line tool calls this without a delivery.
    if (rawRequest === undefined) return [];
    const { id = '', signing_secret: secret } = kept(bundle);
    const opened = verifyDelivery(received(rawRequest), { secret, events: [row.name], subscriptionId: id, now: Date.now() }, nodeCrypto);
    if (opened.state !== 'accepted') {
      z.console.log(`Not passed on. ${opened.message}`);
      return [];
    }
    if (!isChosen(z, opened.record, bundle)) return [];
    return (await claimDelivery(z, opened.repeatKeys)) ? [deliveredAlone(opened)] : [];
  });

  /** A filter that is set but empty lets nothing pass; otherwise, the events that it was meant to exclude would start the Zap. */
  const isChosen = (z: ZObject, record: ServiceRecord, bundle: Bundle): boolean => {
    try {
      return eventTypeMatches(record, chosen(bundle));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      z.console.log(`Not passed on. ${error.sentence}`);
      return false;
    }
  };

  const performList = guarded(async (z: ZObject, bundle: Bundle) => {
    const records = await recentRecords(clientFor(z), row, { eventTypeIds: chosen(bundle) });
    return records.length > 0 ? records : [sample];
  });

  const sample = asDelivered(row, row.sample);
  return defineTrigger({
    key: row.key,
    noun: row.noun,
    display: { label: row.label, description: sentence(row.description) },
    operation: {
      type: 'hook',
      performSubscribe,
      performUnsubscribe,
      perform,
      performList,
      inputFields: filterFields(row).map((field) => formInput(field)),
      outputFields: mappedFields(row.record, { delivery: 'alone' }).flatMap((field) => outputField(field)),
      sample,
    },
  });
}

/** At the limit, the core counts subscriptions by host, but people count Zaps. */
function namingZaps(error: ServiceError, targetUrl: string): ServiceError {
  const { kind, message, advice, status, code } = error;
  return new ServiceError(kind, { message: `${message} Each at ${new URL(targetUrl).host} is a Zap.`, advice, status, code });
}

/** The value that `performSubscribe` returned, as Zapier passes it back. */
function kept({ subscribeData }: Bundle): StoredSubscription {
  const { id, signing_secret, repeated, account }: Record<string, unknown> = subscribeData ?? {};
  return {
    account: parseAccount(account),
    ...(typeof id === 'string' && { id }),
    ...(typeof signing_secret === 'string' && { signing_secret }),
    repeated: repeated === true,
  };
}

/** The delivery in the form in which Zapier passes it on: the body as text, headers as `Http-X-...`. Anything else is ignored. */
function received(rawRequest: unknown): RawDelivery {
  const { content, headers }: { content?: unknown; headers?: unknown } = isObject(rawRequest) ? rawRequest : {};
  // The sender chooses the header names. In a plain object, names such as "constructor" and "__proto__" would find inherited values.
  const read = new Map<string, string[]>();
  for (const [name, value] of Object.entries(isObject(headers) ? headers : {})) {
    if (typeof value !== 'string') continue;
    const key = name.toLowerCase().replace(/^http-/, '');
    read.set(key, [...(read.get(key) ?? []), value]);
  }
  return { rawBody: typeof content === 'string' ? content : undefined, headers: Object.fromEntries(read) };
}
