import type { ChangeKind, ListedRow } from '../events.ts';
import { personOf, startOf } from '../webhooks/key.ts';
import type { BookingRecord, ContactRecord, ServiceRecord } from '../records/fields.ts';
import { hasStatus, saysNoStatus, isLinked } from '../reading/index.ts';
import { comparableTime, recordedBetween } from '../time/time.ts';

/** A booking's status, as far as events depend on it (G21). A service may omit it or have other statuses. */
export const states = ['none', 'pending', 'confirmed', 'cancelled', 'other'] as const;
export type State = (typeof states)[number];

/** How a record differs between two readings of a list. */
export interface Difference {
  /** Whether it was unknown before. */
  isNew: boolean;
  /** `none` for a new record. */
  was: State;
  is: State;
  /** Whether its start changed. */
  isMoved: boolean;
  /** Whether its data about a person changed. */
  isEdited: boolean;
  /** Whether it changed without a new update time. */
  isUnsaid: boolean;
  /** Whether its event type currently needs the host's approval. Looked up only for new records. */
  needsApproval: boolean;
}

/** Whether a difference is a particular kind of change. */
type IsChange = (difference: Omit<Difference, 'isUnsaid'>) => boolean;

const isConfirmedNow: IsChange = ({ isNew, was, is }) =>
  isNew ? is === 'confirmed' || is === 'none' : is === 'confirmed' && was !== 'confirmed' && was !== 'none';

/** A denied booking was never confirmed. A new but cancelled booking was confirmed before, unless its event type needs approval. */
const neverConfirmed: IsChange = ({ isNew, was, needsApproval }) => (isNew ? needsApproval : was === 'pending');

const isCancelledNow: IsChange = ({ isNew, was, is }) => is === 'cancelled' && (isNew || (was !== 'cancelled' && was !== 'none'));

/** Which differences show each event (G21, G22). Two changes between two readings count as one: the later one. */
const judges = {
  created: isConfirmedNow,
  approved: (difference) => difference.is === 'confirmed' && (difference.isNew ? difference.needsApproval : difference.was === 'pending'),
  cancelled: (difference) => isCancelledNow(difference) && !neverConfirmed(difference),
  denied: (difference) => isCancelledNow(difference) && neverConfirmed(difference),
  rescheduled: (difference) => difference.isMoved && difference.is !== 'cancelled' && !isConfirmedNow(difference),
  appeared: ({ isNew }) => isNew,
  edited: ({ isEdited }) => isEdited,
} satisfies Record<ChangeKind, IsChange>;

export const shows = ({ shown }: Pick<ListedRow, 'shown'>, difference: Omit<Difference, 'isUnsaid'>): boolean => judges[shown](difference);

/**
 * Whether a later event can be recognized only if this difference is remembered. For example, a new booking that is moved later would
 * otherwise look like another new one.
 */
export const isToRemember = (row: ListedRow, now: Omit<Difference, 'needsApproval'>): boolean =>
  states.some(
    (is) =>
      shows(row, { is, was: now.is, isNew: false, isMoved: true, isEdited: true, needsApproval: false }) &&
      // If the difference is not remembered, a later one is visible only if the record was known before. A new pending booking waits for
      // approval.
      !shows(row, { ...now, is, isMoved: !now.isNew, isEdited: !now.isNew, needsApproval: now.is === 'pending' }),
  );

/**
 * A booking that was last updated this long before the first reading already existed, but was hidden from it. The time is long because
 * services write times in their own way (G43). Milliseconds.
 */
const hiddenMs = 24 * 60 * 60_000;

/**
 * Interprets a booking's difference; `undefined` if it is not an event. Services may reschedule by creating a new booking that names the
 * old one (G21). An old booking may appear late: the list shifted during the first reading, or the account now sees a team's bookings
 * (G44).
 *
 * @param since the time of the first reading. Milliseconds since the epoch
 */
export function asEvent(
  record: Partial<BookingRecord>,
  difference: Omit<Difference, 'needsApproval'>,
  since = -Infinity,
): Omit<Difference, 'needsApproval'> | undefined {
  const { isNew, is } = difference;
  if (is === 'cancelled' && isLinked(record, 'toNew')) return undefined;
  // Without an update time, the booking may until now have had a status that lists do not show, such as a pending payment.
  const latest = (time: unknown): number => recordedBetween(time)[1];
  const made = latest(record.created_at);
  const isMadeSince = made < Infinity && made >= since - hiddenMs;
  if (isNew && !isMadeSince && latest(record.updated_at) < since - hiddenMs) return undefined;
  return isNew && is === 'confirmed' && isLinked(record, 'toOld') ? { ...difference, isNew: false, was: is, isMoved: true } : difference;
}

/** A booking never goes back to an earlier one of these (G21). */
const order: readonly State[] = ['pending', 'confirmed', 'cancelled'];

/** Whether a booking cannot have gone from the first state to the second, so that the second reading is the older one. */
export const isBackwards = (was: State, is: State): boolean => order.includes(is) && order.indexOf(is) < order.indexOf(was);

const stateOf = (booking: Partial<BookingRecord>): State => {
  if (saysNoStatus(booking)) return 'none';
  return (['pending', 'confirmed', 'cancelled'] as const).find((each) => hasStatus(booking, each)) ?? 'other';
};

/** The parts of a record that are compared. */
export interface Compared {
  state: State;
  /** The value whose change is an event: a booking's start, or a contact's data. Empty if it is not shown. */
  text: string;
  updatedAt: number | undefined;
}

export type ComparedKind = 'booking' | 'contact';

export const compared: { readonly [Kind in ComparedKind]: (record: never) => Compared } = {
  booking: (record: BookingRecord) => ({ state: stateOf(record), text: startOf(record), updatedAt: comparableTime(record.updated_at) }),
  contact: (record: ContactRecord) => ({ state: 'none', text: personOf(record), updatedAt: comparableTime(record.updated_at) }),
};

/** When a record was last updated, or else created. Milliseconds since the epoch. One without a time comes last. */
export function timeOf({ updated_at: updated, created_at: created }: ServiceRecord): number {
  return [updated, created].map((each) => recordedBetween(each)[0]).find(Number.isFinite) ?? Number.MAX_SAFE_INTEGER;
}
