import type { ChangeKind, ListedRow } from '../events.ts';
import { personOf, startOf } from '../webhooks/key.ts';
import type { BookingRecord, ContactRecord, ServiceRecord } from '../records/fields.ts';
import { hasStatus, saysNoStatus, isLinked } from '../reading/index.ts';
import { comparableTime, recordedBetween } from '../time/time.ts';

/** What a booking's status says, as far as events depend on it (G21). A service may leave it out or have other statuses. */
export const states = ['none', 'pending', 'confirmed', 'cancelled', 'other'] as const;
export type State = (typeof states)[number];

/** How a record differs between two readings of a list. */
export interface Difference {
  /** It was not known before. */
  isNew: boolean;
  /** `none` if it is new. */
  was: State;
  is: State;
  /** Its start changed. */
  isMoved: boolean;
  /** Its data about a person changed ... */
  isEdited: boolean;
  /** ... but its update time did not. */
  isUnsaid: boolean;
  /** Its event type needs the host's approval now. Only looked up for new records. */
  needsApproval: boolean;
}

/** Whether a difference is a change of one kind. */
type IsChange = (difference: Omit<Difference, 'isUnsaid'>) => boolean;

const isConfirmedNow: IsChange = ({ isNew, was, is }) =>
  isNew ? is === 'confirmed' || is === 'none' : is === 'confirmed' && was !== 'confirmed' && was !== 'none';

/** A booking that was denied was never confirmed. A new, cancelled booking was confirmed before, unless its event type needs approval. */
const neverConfirmed: IsChange = ({ isNew, was, needsApproval }) => (isNew ? needsApproval : was === 'pending');

const isCancelledNow: IsChange = ({ isNew, was, is }) => is === 'cancelled' && (isNew || (was !== 'cancelled' && was !== 'none'));

/** How a difference shows each event (G21, G22). Two changes between two readings count as one: the later one. */
const judges = {
  created: isConfirmedNow,
  approved: (difference) => difference.is === 'confirmed' && (difference.isNew ? difference.needsApproval : difference.was === 'pending'),
  cancelled: (difference) => isCancelledNow(difference) && !neverConfirmed(difference),
  denied: (difference) => isCancelledNow(difference) && neverConfirmed(difference),
  rescheduled: (difference) => difference.isMoved && difference.is !== 'cancelled' && !isConfirmedNow(difference),
  appeared: ({ isNew }) => isNew,
  edited: ({ isEdited }) => isEdited,
} satisfies Record<ChangeKind, IsChange>;

/** Whether a difference shows this event. */
export const shows = ({ shown }: Pick<ListedRow, 'shown'>, difference: Omit<Difference, 'isUnsaid'>): boolean => judges[shown](difference);

/**
 * Whether an event may follow that can only be recognised with this difference. For example, a new booking that moves later would otherwise
 * look like another new one.
 */
export const isToRemember = (row: ListedRow, now: Omit<Difference, 'needsApproval'>): boolean =>
  states.some(
    (is) =>
      shows(row, { is, was: now.is, isNew: false, isMoved: true, isEdited: true, needsApproval: false }) &&
      // If it is not remembered, it can only be seen to differ if it was known before. A new pending booking waits for approval.
      !shows(row, { ...now, is, isMoved: !now.isNew, isEdited: !now.isNew, needsApproval: now.is === 'pending' }),
  );

/** A booking that was last updated so long before the first reading was only hidden from it. Long, because services write times their own way (G43). */
const hiddenMs = 24 * 60 * 60_000;

/**
 * What a booking's difference tells; `undefined` if it is no event. Services may reschedule by making a new booking, which names the old one
 * (G21). An old booking may appear late: the list shifted during the first reading, or the account now sees a team's bookings (G44).
 *
 * @param since when the first reading was. Milliseconds
 */
export function asEvent(
  record: Partial<BookingRecord>,
  difference: Omit<Difference, 'needsApproval'>,
  since = -Infinity,
): Omit<Difference, 'needsApproval'> | undefined {
  const { isNew, is } = difference;
  if (is === 'cancelled' && isLinked(record, 'toNew')) return undefined;
  // Without a time of the update, it may have had a status until now that lists do not show, such as one of a payment.
  const latest = (time: unknown): number => recordedBetween(time)[1];
  const made = latest(record.created_at);
  const isMadeSince = made < Infinity && made >= since - hiddenMs;
  if (isNew && !isMadeSince && latest(record.updated_at) < since - hiddenMs) return undefined;
  return isNew && is === 'confirmed' && isLinked(record, 'toOld') ? { ...difference, isNew: false, was: is, isMoved: true } : difference;
}

/** A booking never goes back from a later one of these (G21). */
const order: readonly State[] = ['pending', 'confirmed', 'cancelled'];

/** Whether a booking cannot get from one state to the other: then the other reading is the older one. */
export const isBackwards = (was: State, is: State): boolean => order.includes(is) && order.indexOf(is) < order.indexOf(was);

const stateOf = (booking: Partial<BookingRecord>): State => {
  if (saysNoStatus(booking)) return 'none';
  return (['pending', 'confirmed', 'cancelled'] as const).find((each) => hasStatus(booking, each)) ?? 'other';
};

/** What is compared of a record. */
export interface Compared {
  state: State;
  /** What makes an event when it changes: a booking's start, a contact's data. Empty if it is not shown. */
  text: string;
  updatedAt: number | undefined;
}

export type ComparedKind = 'booking' | 'contact';

export const compared: { readonly [Kind in ComparedKind]: (record: never) => Compared } = {
  booking: (record: BookingRecord) => ({ state: stateOf(record), text: startOf(record), updatedAt: comparableTime(record.updated_at) }),
  contact: (record: ContactRecord) => ({ state: 'none', text: personOf(record), updatedAt: comparableTime(record.updated_at) }),
};

/** When a record was last updated, or else made. Milliseconds. One without a time comes last. */
export function timeOf({ updated_at: updated, created_at: created }: ServiceRecord): number {
  return [updated, created].map((each) => recordedBetween(each)[0]).find(Number.isFinite) ?? Number.MAX_SAFE_INTEGER;
}
