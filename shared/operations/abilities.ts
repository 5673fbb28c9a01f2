/**
 * The abilities of all operations together, for sentences that describe the whole, so that no sentence becomes outdated when an operation
 * is added.
 */
import { outputTables, type OutputKind, type RecordTable } from '../records/fields.ts';
import { outputNames } from '../records/resources.ts';
import type { Operation } from './define.ts';

/** What people use the service for, in the order in which it is described. False for what only serves the connection. */
const isTold: Readonly<Record<OutputKind, boolean>> = {
  booking: true,
  busyTime: true,
  eventType: true,
  contact: true,
  user: false,
  subscription: false,
};

/** What can be done with one kind of thing. */
export interface Ability {
  kind: OutputKind;
  /** The plural in a sentence: `busy times`. */
  things: string;
  isRead: boolean;
  creates: readonly Operation[];
  /** The operations that change an existing one. */
  changes: readonly Operation[];
}

/** The abilities of these operations, one entry for each kind of thing that people use the service for. */
export const abilitiesOf = (operations: readonly Operation[]): Ability[] =>
  (Object.keys(isTold) as OutputKind[]).flatMap((kind) => {
    const own = operations.filter(({ output }) => output === kind);
    if (!isTold[kind] || own.length === 0) return [];
    return {
      kind,
      things: outputNames[kind].plural.toLowerCase(),
      isRead: own.some(({ effect }) => effect === 'read'),
      creates: own.filter(isCreate),
      changes: own.filter((operation) => operation.effect !== 'read' && !isCreate(operation)),
    };
  });

/** Whether an operation creates a new record each time. One that changes a record has the same result if repeated. */
export const isCreate = ({ effect, endpoint }: Operation): boolean => effect !== 'read' && !endpoint.includes('/:id');

/** Whether an operation moves an existing booking to another start, whatever its name. */
export const movesBooking = ({ effect, output, input }: Operation): boolean =>
  effect !== 'read' && output === 'booking' && 'booking_id' in input && 'start_time' in input;

/** Whether an operation shows times that can be booked: like a busy time, such a time has a start but no id. */
export const showsFreeTimes = ({ output }: Operation): boolean => {
  const { fields }: RecordTable = outputTables[output];
  return output !== 'busyTime' && 'start_time' in fields && !('id' in fields);
};

/** Words as a list in a sentence: `create, read and cancel`. */
export const wordList = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
