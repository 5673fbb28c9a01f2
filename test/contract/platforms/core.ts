import { ServiceError } from '../../../shared/serviceError.ts';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import { createClient } from '../../../shared/client/client.ts';
import { backgroundPolicy } from '../../../shared/client/retry.ts';
import { runOperation } from '../../../shared/operations/runOperation.ts';
import { deliveredRecord, verifyDelivery } from '../../../shared/webhooks/delivery.ts';
import { nodeCrypto } from '../../../shared/webhooks/nodeCrypto.ts';
import { DeliveryMemory } from '../../../shared/webhooks/memory.ts';
import { replaceSubscription, unsubscribe } from '../../../shared/webhooks/subscriptions.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import { fastClock } from '../../mcp/stage.ts';
import { startReceiver } from '../../support/receiver.ts';
import { fetchTransport, ownWrites } from '../../support/service.ts';
import { closingOnFailure, inWords, type Connection } from '../platform.ts';

const worded = inWords((error) => (error instanceof ServiceError ? error.sentence : undefined));

/** The core over plain `fetch`, with which every platform is compared. */
export function connectCore(sandbox: Sandbox, zone?: string): Connection {
  const client = createClient({
    baseUrl: sandbox.baseUrl,
    writes: ownWrites(),
    transport: fetchTransport(sandbox.issueToken().access_token),
    clock: fastClock,
    retryPolicy: backgroundPolicy,
  });
  return {
    async runOperation(operation, { fields, answers, isSimplified = false }) {
      const options = { shape: isSimplified ? 'simplified' : 'presented', timeZone: zone } as const;
      return [await worded(runOperation(client, operation, { fields, ...(answers && { answers }) }, options))].flat();
    },

    async listen(rows, { maximumAgeSeconds } = {}) {
      const events = rows.map(({ name }) => name);
      const items: ServiceRecord[] = [];
      const memory = new DeliveryMemory();
      let kept: { id: string; signing_secret: string | undefined } | undefined;
      const receiver = await startReceiver((delivery) => {
        const opened = verifyDelivery(
          delivery,
          {
            secret: kept?.signing_secret,
            events,
            subscriptionId: kept?.id ?? '',
            now: Date.now(),
            maximumAgeSeconds,
          },
          nodeCrypto,
        );
        if (opened.state === 'refused') return opened.status;
        if (opened.state === 'accepted' && memory.claim(opened.repeatKeys)) items.push(deliveredRecord(opened, 'presented'));
        return 200;
      });
      const subscribing = worded(replaceSubscription(client, { url: receiver.url, events }));
      const made = await closingOnFailure(subscribing, () => receiver.close());
      kept = { id: made.id, signing_secret: made.signing_secret };
      return {
        url: receiver.url,
        secret: () => Promise.resolve(made.signing_secret),
        items: () => Promise.resolve(items),
        loseSecret: async () => void (kept = { id: made.id, signing_secret: undefined }),
        async stop() {
          await worded(unsubscribe(client, made.id)).finally(() => receiver.close());
        },
      };
    },
  };
}
