import { statusTransitions } from '../assumptions.ts';
import type { BookingRecord, ContactRecord, RecordKind } from '../api/records.ts';
import { asText } from '../values.ts';

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

/** Whether a difference shows an event. */
export type Shown = (difference: Omit<Difference, 'isUnsaid'>) => boolean;

const isConfirmedNow: Shown = ({ isNew, was, is }) =>
  isNew ? is === 'confirmed' || is === 'none' : is === 'confirmed' && was !== 'confirmed' && was !== 'none';

/** A booking that was denied was never confirmed. A new, cancelled booking was confirmed before, unless its event type needs approval. */
const neverConfirmed: Shown = ({ isNew, was, needsApproval }) => (isNew ? needsApproval : was === 'pending');

const isCancelledNow: Shown = ({ isNew, was, is }) => is === 'cancelled' && (isNew || (was !== 'cancelled' && was !== 'none'));

/** How a difference shows each event (G21, G22). Two changes between two readings count as one: the later one. */
export const shown = {
  created: isConfirmedNow,
  approved: (difference) => difference.is === 'confirmed' && (difference.isNew ? difference.needsApproval : difference.was === 'pending'),
  cancelled: (difference) => isCancelledNow(difference) && !neverConfirmed(difference),
  denied: (difference) => isCancelledNow(difference) && neverConfirmed(difference),
  rescheduled: (difference) => difference.isMoved && difference.is !== 'cancelled' && !isConfirmedNow(difference),
  appeared: ({ isNew }) => isNew,
  edited: ({ isEdited }) => isEdited,
} satisfies Record<string, Shown>;

/**
 * Whether an event may follow that can only be recognised with this difference. For example, a new booking that moves later would otherwise
 * look like another new one.
 */
export const isToRemember = (shows: Shown, now: Omit<Difference, 'needsApproval'>): boolean =>
  states.some(
    (is) =>
      shows({ is, was: now.is, isNew: false, isMoved: true, isEdited: true, needsApproval: false }) &&
      // If it is not remembered, it can only be seen to differ if it was known before. A new pending booking waits for approval.
      !shows({ ...now, is, isMoved: !now.isNew, isEdited: !now.isNew, needsApproval: now.is === 'pending' }),
  );

const stateOf = ({ status }: Partial<BookingRecord>): State => {
  const text = asText(status).toUpperCase();
  if (text === '') return 'none';
  const { pending, confirmed, cancelled } = statusTransitions;
  return text === pending ? 'pending' : text === confirmed ? 'confirmed' : text === cancelled ? 'cancelled' : 'other';
};

/** The start as an instant, so that another way to write it does not count as another start; the text itself if it is not a time. */
export function startOf({ start_time: start }: Partial<BookingRecord>): string {
  const text = asText(start);
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}

/** A contact's data about the person as one text. Empty fields are left out. */
export function saidOf({ name, email, phone, timezone, locale, notes }: Partial<ContactRecord>): string {
  return JSON.stringify([name, email, phone, timezone, locale, notes].map(asText));
}

/** What is compared of a record: its state, and texts that are kept as hashes. An empty text counts as absent. */
export interface Compared {
  state: State;
  texts: readonly string[];
}

/** How the records of each list are compared. */
export interface Comparison<Kind extends RecordKind = RecordKind> {
  /** The number of texts. */
  texts: number;
  of(record: never): Compared;
  /** What the changed hashes mean. Empty ones are absent. */
  tell(before: readonly string[], now: readonly string[]): Pick<Difference, 'isMoved' | 'isEdited' | 'isUnsaid'>;
  kind: Kind;
}

const differ = (before: string | undefined, now: string | undefined): boolean => before !== '' && now !== '' && before !== now;

export const comparisons = {
  booking: {
    kind: 'booking',
    texts: 1,
    of: (record: BookingRecord): Compared => ({ state: stateOf(record), texts: [startOf(record)] }),
    tell: ([before], [now]) => ({ isMoved: differ(before, now), isEdited: false, isUnsaid: false }),
  },
  contact: {
    kind: 'contact',
    texts: 2,
    of: (record: ContactRecord): Compared => ({ state: 'none', texts: [saidOf(record), asText(record.updated_at)] }),
    tell: ([before, updatedBefore], [now, updatedNow]) => ({
      isMoved: false,
      isEdited: differ(before, now),
      isUnsaid: differ(before, now) && updatedNow !== '' && updatedBefore === updatedNow,
    }),
  },
} as const satisfies { [Kind in 'booking' | 'contact']: Comparison<Kind> };

export type ComparedKind = keyof typeof comparisons;
