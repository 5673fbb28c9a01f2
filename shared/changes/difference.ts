import { statusTransitions } from '../assumptions.ts';
import type { BookingRecord, ContactRecord, RecordKind } from '../api/records.ts';
import { asText } from '../values.ts';

/** What a booking's status says, as far as it tells events apart (G21). A service may leave it out, or have others. */
export const states = ['none', 'pending', 'confirmed', 'cancelled', 'other'] as const;
export type State = (typeof states)[number];

/** What two readings of a list show of one record. */
export interface Difference {
  /** It was not there before, as far as is known. */
  isNew: boolean;
  /** `none` where it is new. */
  was: State;
  is: State;
  /** It starts at another time than before. */
  isMoved: boolean;
  /** It says something else of a person than before … */
  isEdited: boolean;
  /** … and not that it was updated since. */
  isUnsaid: boolean;
  /** Its event type needs the host's approval, as the event types say now. Only looked up for what is new. */
  needsApproval: boolean;
}

/** Whether an event is what a difference shows. */
export type Shown = (difference: Difference) => boolean;

const isConfirmedNow: Shown = ({ isNew, was, is }) =>
  isNew ? is === 'confirmed' || is === 'none' : is === 'confirmed' && was !== 'confirmed' && was !== 'none';

/** A booking that was denied was never confirmed. One that is new and cancelled was, unless its event type needs approval. */
const neverConfirmed: Shown = ({ isNew, was, needsApproval }) => (isNew ? needsApproval : was === 'pending');

const isCancelledNow: Shown = ({ isNew, was, is }) => is === 'cancelled' && (isNew || (was !== 'cancelled' && was !== 'none'));

/** How a difference shows each event (G21, G22). Two changes between two readings are one: the later one. */
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
 * Whether something may happen next that only those can tell who remember this difference: another move of a booking that is new, say,
 * which looks like a new one to everybody else.
 */
export const isToRemember = (shows: Shown, now: Omit<Difference, 'needsApproval'>): boolean =>
  states.some((is) =>
    [true, false].some((differs) => {
      const next = { is, isMoved: differs, isEdited: differs, isUnsaid: false };
      const unremembered = { ...now, ...next, isMoved: differs && !now.isNew, isEdited: differs && !now.isNew };
      return (
        shows({ ...next, isNew: false, was: now.is, needsApproval: false }) &&
        // What is new and pending waits for an approval.
        !shows({ ...unremembered, needsApproval: now.is === 'pending' })
      );
    }),
  );

const stateOf = ({ status }: Partial<BookingRecord>): State => {
  const text = asText(status).toUpperCase();
  if (text === '') return 'none';
  const { pending, confirmed, cancelled } = statusTransitions;
  return text === pending ? 'pending' : text === confirmed ? 'confirmed' : text === cancelled ? 'cancelled' : 'other';
};

/** The start as an instant, however it is spelled, so that another spelling is no other start; the text where it is none. */
export function startOf({ start_time: start }: Partial<BookingRecord>): string {
  const text = asText(start);
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}

/** Everything that a contact says of a person, in one text. What says nothing is left out. */
export function saidOf({ name, email, phone, timezone, locale, notes }: Partial<ContactRecord>): string {
  return JSON.stringify([name, email, phone, timezone, locale, notes].map(asText));
}

/** What is compared of a record: its state, and texts of which each is kept as a mark; an empty one is not there. */
export interface Compared {
  state: State;
  texts: readonly string[];
}

/** How the records of each list are compared. */
export interface Comparison<Kind extends RecordKind = RecordKind> {
  /** How many texts there are. */
  texts: number;
  of(record: never): Compared;
  /** What marks tell that differ; empty ones are not there. */
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
