import type { Booking, Contact, EventType, Sandbox } from '../../sandbox/service.ts';
import type { Chance } from './random.ts';

const HOUR_MS = 3_600_000;

/** What happens in an account between polls: bookings are made, moved, cancelled, approved and denied, and contacts are edited. */
export class Happenings {
  readonly #sandbox: Sandbox;
  readonly #luck: Chance;
  /** Records that were there at the start and have not changed since. */
  readonly #untouched: Set<string>;
  #serial = 0;

  constructor(sandbox: Sandbox, luck: Chance) {
    this.#sandbox = sandbox;
    this.#luck = luck;
    this.#untouched = new Set(sightOf(sandbox).keys());
  }

  /** Random changes, none to a record that another of them made or changed: exactly these must be given, whenever the poll comes. */
  happen(count: number): void {
    const pick = <Record extends { id: string }>(records: readonly Record[]): Record | undefined => {
      const open = records.filter(({ id }) => this.#untouched.has(id));
      return open[this.#luck.below(open.length)];
    };
    const { bookings, contacts, clock } = this.#sandbox;
    const mayChange = ({ start_time, status }: Booking): boolean => status !== 'CANCELLED' && Date.parse(start_time) > clock.now();
    for (let left = count; left > 0; left -= 1) {
      const kind = this.#luck.next();
      const booking = kind < 0.5 ? pick(bookings().filter(mayChange)) : undefined;
      const contact = kind > 0.85 ? pick(contacts()) : undefined;
      if (booking !== undefined) this.#change(booking);
      else if (contact !== undefined) this.#edit(contact);
      else this.#book();
    }
  }

  #change({ id, status }: Booking): void {
    const { host } = this.#sandbox;
    this.#untouched.delete(id);
    const isKind = this.#luck.happens(0.5);
    if (status === 'PENDING' && isKind) host.approve(id);
    else if (status === 'PENDING') host.deny(id, { reason: 'That week is full' });
    else if (isKind) host.reschedule(id, { start_time: this.#start() });
    else host.cancel(id, { reason: 'Ill' });
  }

  #edit({ id }: Contact): void {
    this.#untouched.delete(id);
    this.#sandbox.host.editContact(id, { notes: `Note ${(this.#serial += 1)} ${this.#luck.below(1_000_000)}` });
  }

  #book(): void {
    const asks = this.#luck.happens(0.4);
    const type = this.#sandbox.eventTypes().find(({ name }) => name === (asks ? 'Design Review' : 'Coffee Chat'));
    const guest = `guest.${(this.#serial += 1)}.${this.#luck.below(1_000_000)}`;
    const somebody = { invitee_name: guest, invitee_email: `${guest}@example.com` };
    this.#sandbox.host.book({
      event_type_id: type?.id,
      start_time: this.#start(),
      ...(this.#luck.happens(0.8) ? { invitee_name: 'Robin Sample', invitee_email: 'robin.sample@example.com' } : somebody),
      ...(asks && { question_responses: { link: 'https://example.com/drafts' } }),
    });
  }

  /** Years ahead, in a slot that nothing else has. */
  #start(): string {
    this.#serial += 1;
    const ahead = 20_000 * HOUR_MS + this.#serial * 3 * HOUR_MS + this.#luck.below(50) * 60_000;
    return new Date(Math.ceil(this.#sandbox.clock.now() / HOUR_MS) * HOUR_MS + ahead).toISOString();
  }
}

/** The records of a list from the service's side: by id, as JSON shows them. */
type Shown = ReadonlyMap<string, Record<string, unknown>>;

const said = ({ name, email, phone, timezone, locale, notes }: Record<string, unknown>): string =>
  JSON.stringify([name, email, phone, timezone, locale, notes]);

/**
 * Which events the difference between two readings of a record means. It is written a second time, from the service's side: from the
 * document and G22, without knowledge of how the core compares.
 */
function eventsBetween(before: Record<string, unknown> | undefined, now: Record<string, unknown>, types: readonly EventType[]): string[] {
  if (!('start_time' in now)) {
    if (before === undefined) return ['CONTACT_CREATED'];
    return said(before) === said(now) ? [] : ['CONTACT_UPDATED'];
  }
  const needsApproval = types.some(({ id, requires_approval: needed }) => needed && id === now['event_type_id']);
  const waited = before === undefined ? needsApproval : before['status'] === 'PENDING';
  if (now['status'] !== before?.['status']) {
    if (now['status'] === 'CONFIRMED') return waited ? ['BOOKING_APPROVED', 'BOOKING_CREATED'] : ['BOOKING_CREATED'];
    if (now['status'] === 'CANCELLED') return [waited ? 'BOOKING_DENIED' : 'BOOKING_CANCELLED'];
    return [];
  }
  return now['start_time'] === before?.['start_time'] ? [] : ['BOOKING_RESCHEDULED'];
}

/** Each event as `EVENT id`, sorted. */
export const changesBetween = (before: Shown, now: Shown, types: readonly EventType[]): string[] =>
  [...now].flatMap(([id, record]) => eventsBetween(before.get(id), record, types).map((event) => `${event} ${id}`)).sort();

/** The whole account as the service has it. */
export function sightOf(sandbox: Sandbox): Map<string, Record<string, unknown>> {
  const records: (Booking | Contact)[] = [...sandbox.bookings(), ...sandbox.contacts()];
  return new Map(records.map((record) => [record.id, { ...record }]));
}
