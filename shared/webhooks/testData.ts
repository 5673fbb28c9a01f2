import { hasStatus } from '../reading/index.ts';
import { type Sign, type EventRow, eventTypeMatches } from '../events.ts';
import { ServiceError } from '../serviceError.ts';
import type { BookingRecord, ServiceRecord } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import { allOf, paginate } from '../client/pages.ts';
import { listingOf } from '../records/resources.ts';
import { mapped, present } from '../records/outputs.ts';
import { booking } from '../records/samples.ts';
import { asText, isYes, hasValue } from '../values.ts';
import { deliveryKey } from './key.ts';
import { sha256 } from './nodeCrypto.ts';

/** Shows a presented record, from a list or the sample, as `deliveredAlone` shows that of a delivery. */
export const asDelivered = (row: EventRow, record: ServiceRecord): ServiceRecord => {
  const { updated_at: updated, created_at: created } = record;
  const id = String(record['id']);
  const time = [updated, created].find((each) => typeof each === 'string') ?? booking['updated_at'];
  return {
    ...mapped(row.record, record),
    event: row.name,
    delivered_at: time,
    delivery_key: deliveryKey(sha256, 'sample', row.name, id),
  };
};

/** How many records are read for test data, because the API guarantees no order (G31). */
const looked = 100;
/** How many event types are read to find those that need approval. */
const maxEventTypes = 1_000;

interface Recent {
  limit?: number;
  eventTypeIds?: readonly string[];
}

/**
 * Recent records for testing a trigger, with the same fields, keys and types as a live delivery.
 *
 * @throws ServiceError if a list cannot be read
 */
export const recentRecords = async (client: Client, row: EventRow, recent: Recent = {}): Promise<ServiceRecord[]> =>
  (await fittingRecords(client, row, recent)).map((record) => asDelivered(row, present(row.record, record)));

const signs: Record<Sign, (record: Partial<BookingRecord>, needsApproval: (record: Partial<BookingRecord>) => boolean) => boolean> = {
  confirmed: (record) => hasStatus(record, 'confirmed'),
  cancelled: (record) => hasStatus(record, 'cancelled'),
  moved: ({ previous_start_time: before }) => hasValue(before),
  reason: ({ cancellation_reason: reason }) => hasValue(reason),
  needsApproval: (record, needs) => needs(record),
};

/**
 * The records with the most signs of an event, newest first. If event types are chosen, only their records; empty if the account has none.
 *
 * @throws ServiceError if a list cannot be read
 */
export async function fittingRecords(
  client: Client,
  row: EventRow,
  { limit = 3, eventTypeIds = [] }: Recent = {},
): Promise<ServiceRecord[]> {
  const { source, fits = [] } = row;
  // A trigger's records need an id.
  const listed = async (status?: string): Promise<ServiceRecord[]> =>
    (
      await allOf(
        paginate(
          client,
          { path: [source.path], scope: source.scope, resourceName: `${row.noun.toLowerCase()}s`, record: row.record, query: { status } },
          looked,
        ),
      )
    ).filter((record) => record.id !== '' && eventTypeMatches(record, eventTypeIds));
  const needs = fits.includes('needsApproval') ? await approvalOf(client) : () => false;
  const signsOf = (record: ServiceRecord): number => fits.filter((sign) => signs[sign](record, needs)).length;

  let records = await listed(source.status);
  if (source.status !== undefined && !records.some((record) => signsOf(record) === fits.length))
    records = [...records, ...(await listed())];
  const max = Math.max(...records.map(signsOf));
  const time = ({ updated_at: updated, created_at: created }: ServiceRecord) => asText(updated) || asText(created);
  return [...new Map(records.filter((record) => signsOf(record) === max).map((record) => [record['id'], record])).values()]
    .sort((a, b) => time(b).localeCompare(time(a)))
    .slice(0, limit);
}

/**
 * Returns a function that says whether a booking's event type needs the host's approval. If the event types cannot be read, it says no, so
 * that test data is still shown.
 *
 * @param isUnknown which errors are handled in this way; others are thrown
 */
export async function approvalOf(
  client: Client,
  isUnknown: (error: ServiceError) => boolean = () => true,
): Promise<(record: Partial<BookingRecord>) => boolean> {
  try {
    const types = await allOf(paginate(client, listingOf('eventType'), maxEventTypes));
    const needing = new Set(types.filter(({ requires_approval: needed }) => isYes(needed)).map(({ id }) => id));
    return ({ event_type_id: id }) => needing.has(asText(id));
  } catch (error) {
    if (error instanceof ServiceError && isUnknown(error)) return () => false;
    throw error;
  }
}
