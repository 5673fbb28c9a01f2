import type { Booking, Contact, EventType, Sandbox } from '../../../sandbox/service.ts';

/** The records of a list from the service's side: by id, as JSON shows them. */
export type Shown = ReadonlyMap<string, Record<string, unknown>>;

const said = ({ name, email, phone, timezone, locale, notes }: Record<string, unknown>): string =>
  JSON.stringify([name, email, phone, timezone, locale, notes]);

/**
 * Which events the difference between two readings of a record means. It is written a second time, from the service's side: from the
 * document and G22, without knowledge of how the core compares.
 */
export function eventsBetween(
  before: Record<string, unknown> | undefined,
  now: Record<string, unknown>,
  needsApproval: (eventType: unknown) => boolean,
): string[] {
  if (!('start_time' in now)) {
    if (before === undefined) return ['CONTACT_CREATED'];
    return said(before) === said(now) ? [] : ['CONTACT_UPDATED'];
  }
  const waited = before === undefined ? needsApproval(now['event_type_id']) : before['status'] === 'PENDING';
  if (now['status'] !== before?.['status']) {
    if (now['status'] === 'CONFIRMED') return waited ? ['BOOKING_APPROVED', 'BOOKING_CREATED'] : ['BOOKING_CREATED'];
    if (now['status'] === 'CANCELLED') return [waited ? 'BOOKING_DENIED' : 'BOOKING_CANCELLED'];
    return [];
  }
  return now['start_time'] === before?.['start_time'] ? [] : ['BOOKING_RESCHEDULED'];
}

export const approvalIn =
  (types: readonly EventType[]) =>
  (eventType: unknown): boolean =>
    types.some(({ id, requires_approval: needed }) => needed && id === eventType);

/** Each event as `EVENT id`, sorted. */
export function changesBetween(before: Shown, now: Shown, types: readonly EventType[]): string[] {
  const needs = approvalIn(types);
  return [...now].flatMap(([id, record]) => eventsBetween(before.get(id), record, needs).map((event) => `${event} ${id}`)).sort();
}

/** The whole account as the service has it. */
export function sightOf(sandbox: Sandbox): Map<string, Record<string, unknown>> {
  const records: (Booking | Contact)[] = [...sandbox.bookings(), ...sandbox.contacts()];
  return new Map(records.map((record) => [record.id, { ...record }]));
}
