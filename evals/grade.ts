import { DateTime } from 'luxon';
import type { Booking, Sandbox } from '../sandbox/service.ts';

/** The changes that must have happened in the service. Nothing else may have changed. */
export interface Expected {
  booked?: {
    type: string;
    start: string;
    email: string;
    /** Any zone with the same offset at that time is right. */
    zone?: string;
    answers?: Readonly<Record<string, string>>;
  };
  cancelled?: readonly Booking[];
}

interface AccountSnapshot {
  bookings: readonly Booking[];
  subscriptions: readonly string[];
}

export const snapshotOf = (sandbox: Sandbox): AccountSnapshot => ({
  bookings: sandbox.bookings(),
  subscriptions: sandbox.subscriptions().map(({ id }) => id),
});

/** All deviations of the service's records from the expected changes; empty if the task was done. What the model said does not count. */
export function faultsIn(before: AccountSnapshot, after: AccountSnapshot, { booked, cancelled = [] }: Expected): string[] {
  const known = new Map(before.bookings.map((booking) => [booking.id, booking]));
  // With a tool that moves bookings, a moved one counts as cancelled and made again.
  const isMoved = ({ id, status, start_time }: Booking): boolean => status !== 'CANCELLED' && start_time !== known.get(id)?.start_time;
  // A booking that was cancelled again still counts, because its invitee was notified.
  const made = after.bookings.filter((booking) => !known.has(booking.id) || isMoved(booking));
  const changed = after.bookings.filter((booking) => known.has(booking.id) && !isSame(booking, known.get(booking.id)));
  const wanted = cancelled.map(({ id }) => id);
  return [
    ...(booked === undefined ? made.map((each) => `booked ${nameOf(each)}, and should not`) : faultsOfNew(made, booked)),
    ...changed.filter(({ id }) => !wanted.includes(id)).map((each) => `changed ${nameOf(each)}, and should not`),
    ...after.bookings
      .filter((booking) => wanted.includes(booking.id) && booking.status !== 'CANCELLED' && !isMoved(booking))
      .map((each) => `did not cancel ${nameOf(each)}`),
    ...(isSame(before.subscriptions, after.subscriptions) ? [] : ['changed the webhook subscriptions']),
  ];
}

function faultsOfNew(made: readonly Booking[], wanted: NonNullable<Expected['booked']>): string[] {
  const [booking, ...more] = made;
  if (booking === undefined) return ['booked nothing'];
  if (more.length > 0) return [`booked ${made.length} times`];
  const { status, event_type_name, start_time, invitee_email, invitee_timezone, question_responses } = booking;
  const answers = Object.entries(wanted.answers ?? {});
  const checks: [isRight: boolean, fault: string][] = [
    [status !== 'CANCELLED', 'cancelled its own booking'],
    [event_type_name === wanted.type, `booked a ${event_type_name}, not a ${wanted.type}`],
    [invitee_email === wanted.email, `booked for ${invitee_email}, not for ${wanted.email}`],
    [Date.parse(start_time) === Date.parse(wanted.start), `booked at ${start_time}, not at ${wanted.start}`],
    [
      clockOf(start_time, invitee_timezone) === clockOf(start_time, wanted.zone ?? invitee_timezone),
      `booked in the zone ${invitee_timezone}`,
    ],
    ...answers.map(([key, answer]): [boolean, string] => [
      String(question_responses[key]).replaceAll(/[ .()-]/g, '') === answer,
      `answered "${key}" with ${JSON.stringify(question_responses[key])}`,
    ]),
  ];
  return checks.flatMap(([isRight, fault]) => (isRight ? [] : [fault]));
}

const clockOf = (at: string, zone: string): number => DateTime.fromISO(at, { zone }).offset;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const nameOf = ({ event_type_name, invitee_name, start_time }: Booking): string =>
  `the ${event_type_name} of ${invitee_name} at ${start_time}`;
