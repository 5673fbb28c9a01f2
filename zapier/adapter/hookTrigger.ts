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

/** One row of the table of events as an instant trigger: every Zap has its own subscription, and every delivery is verified. */
export function hookTrigger(row: EventRow) {
  const [filter] = filterFields(row);
  const chosen = (bundle: Bundle): string[] => {
    if (filter === undefined) return [];
    // What is written in the form says that it is filled in, whatever came of it.
    const isSet = !isBlank((bundle as Partial<Bundle>).inputDataRaw?.[filter.key]);
    return chosenEventTypes(filledInputs(bundle)[filter.key], { isSet });
  };

  const performSubscribe = guarded(async (z: ZObject, bundle: Bundle) => {
    const { targetUrl = '' } = bundle;
    await checkEventTypes(clientFor(z, false), chosen(bundle));
    try {
      const client = clientFor(z, false);
      // Before anything is made, because Zapier may refresh the token now and then begin again.
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

  /** Anything that is not certainly a new event for this Zap starts no run: an error would let strangers turn off Zaps. */
  const perform = guarded(async (z: ZObject, bundle: Bundle) => {
    const { rawRequest } = bundle as { rawRequest?: unknown };
    // Called without a delivery, as the command line tool does.
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

  /** A filter that is set and empty lets nothing pass: what it was meant to keep out would start the Zap. */
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

/** What `performSubscribe` returned, as Zapier passes it back. */
function kept({ subscribeData }: Bundle): StoredSubscription {
  const { id, signing_secret, repeated, account }: Record<string, unknown> = subscribeData ?? {};
  return {
    account: parseAccount(account),
    ...(typeof id === 'string' && { id }),
    ...(typeof signing_secret === 'string' && { signing_secret }),
    repeated: repeated === true,
  };
}

/** The delivery, if it has the form in which Zapier passes it on: a body that is text, headers as `Http-X-...`. */
function received(rawRequest: unknown): RawDelivery {
  const { content, headers }: { content?: unknown; headers?: unknown } = isObject(rawRequest) ? rawRequest : {};
  // The sender chooses the names: as keys of an object, "constructor" and "__proto__" would find inherited values.
  const read = new Map<string, string[]>();
  for (const [name, value] of Object.entries(isObject(headers) ? headers : {})) {
    if (typeof value !== 'string') continue;
    const key = name.toLowerCase().replace(/^http-/, '');
    read.set(key, [...(read.get(key) ?? []), value]);
  }
  return { rawBody: typeof content === 'string' ? content : undefined, headers: Object.fromEntries(read) };
}
