import type { IncomingMessage } from 'node:http';
import { deliveredRecord, openDelivery } from '../../shared/webhooks/delivery.ts';
import { DeliveryMemory } from '../../shared/webhooks/memory.ts';
import { eventRows } from '../../shared/events.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import type { State } from './state.ts';

const BODY_MAX_BYTES = 1024 * 1024;

/** What every delivery of ours is subscribed to. */
export const wantedEvents = eventRows.map(({ name }) => name);

/** Best effort: an application with a database claims the same keys there. */
const memory = new DeliveryMemory();

/** What to answer the service, and the record where there is something to act on. */
export interface Receipt {
  status: number;
  message: string;
  record?: ServiceRecord;
}

/** Verifies a delivery over the bytes as they came in, then reads it. */
export async function receive(request: IncomingMessage, { subscription }: State): Promise<Receipt> {
  const rawBody = await bytesOf(request);
  const opened = openDelivery(
    { rawBody, headers: request.headersDistinct },
    { secret: subscription?.signing_secret, subscriptionId: subscription?.id ?? '', events: wantedEvents, now: Date.now() },
  );
  if (opened.outcome === 'refused') return { status: opened.status, message: opened.message };
  if (opened.outcome === 'ignored') return { status: 200, message: opened.message };
  if (!memory.claim(opened.claims)) return { status: 200, message: 'This delivery was received before.' };
  return { status: 200, message: 'Thank you.', record: deliveredRecord(opened, 'presented') };
}

/** Before any parsing; `undefined`, which is refused, when there is more of it than any delivery has. */
async function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
