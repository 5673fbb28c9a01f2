import type { Booking, Sandbox } from '../../../sandbox/service.ts';
import type { Chance } from '../../soak/random.ts';

const HOUR_MS = 3_600_000;

/**
 * Random changes in an account, none to a record that another of them made or changed: bookings are made, moved, cancelled, approved and
 * denied, and contacts are edited.
 *
 * @returns a function that makes so many of them, and returns the events that they mean, each as `EVENT id`
 */
export function happenings({ bookings, contacts, eventTypes, clock, host }: Sandbox, luck: Chance): (count: number) => string[] {
  const untouched = new Set([...bookings(), ...contacts()].map(({ id }) => id));
  let serial = 0;
  const pick = <Record extends { id: string }>(records: readonly Record[]): Record | undefined => {
    const open = records.filter(({ id }) => untouched.has(id));
    const picked = open[luck.below(open.length)];
    untouched.delete(picked?.id ?? '');
    return picked;
  };
  /** Years ahead, in a slot that nothing else has. */
  const start = (): string => {
    const ahead = 20_000 * HOUR_MS + (serial += 1) * 3 * HOUR_MS + luck.below(50) * 60_000;
    return new Date(Math.ceil(clock.now() / HOUR_MS) * HOUR_MS + ahead).toISOString();
  };
  const eventsOf = {
    approved: ({ id }: Booking) => [`BOOKING_APPROVED ${host.approve(id).id}`, `BOOKING_CREATED ${id}`],
    denied: ({ id }: Booking) => [`BOOKING_DENIED ${host.deny(id, { reason: 'That week is full' }).id}`],
    moved: ({ id }: Booking) => [`BOOKING_RESCHEDULED ${host.reschedule(id, { start_time: start() }).id}`],
    cancelled: ({ id }: Booking) => [`BOOKING_CANCELLED ${host.cancel(id, { reason: 'Ill' }).id}`],
  };
  const book = (): string[] => {
    const known = new Set(contacts().map(({ id }) => id));
    const asks = luck.happens(0.4);
    const guest = `guest.${(serial += 1)}.${luck.below(1_000_000)}`;
    const { id, status } = host.book({
      event_type_id: eventTypes().find(({ name }) => name === (asks ? 'Design Review' : 'Coffee Chat'))?.id,
      start_time: start(),
      ...(luck.happens(0.2) && { invitee_name: guest, invitee_email: `${guest}@example.com` }),
      ...(asks && { question_responses: { link: 'https://example.com/drafts' } }),
    });
    const met = contacts().filter((contact) => !known.has(contact.id));
    return [...(status === 'CONFIRMED' ? [`BOOKING_CREATED ${id}`] : []), ...met.map((contact) => `CONTACT_CREATED ${contact.id}`)];
  };
  const happen = (): string[] => {
    const kind = luck.next();
    const isUpcoming = ({ start_time, status }: Booking): boolean => status !== 'CANCELLED' && Date.parse(start_time) > clock.now();
    const booking = kind < 0.5 ? pick(bookings().filter(isUpcoming)) : undefined;
    const contact = kind > 0.85 ? pick(contacts()) : undefined;
    if (contact !== undefined) return [`CONTACT_UPDATED ${host.editContact(contact.id, { notes: `Note ${(serial += 1)}` }).id}`];
    if (booking === undefined) return book();
    const [kindly, unkindly] = booking.status === 'PENDING' ? (['approved', 'denied'] as const) : (['moved', 'cancelled'] as const);
    return eventsOf[luck.happens(0.5) ? kindly : unkindly](booking);
  };
  return (count) => Array.from({ length: count }, happen).flat();
}
