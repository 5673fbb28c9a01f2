/** What all operations together can do, for sentences about the whole: so that none of them goes stale when an operation is added. */
import { outputTables, type OutputKind, type RecordTable } from '../records/fields.ts';
import { outputNames } from '../records/resources.ts';
import type { Operation } from './define.ts';

/** What people use the service for, in the order in which it is told; what only serves the connection is left out. */
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
  /** As people read it in a sentence: `busy times`. */
  things: string;
  isRead: boolean;
  creates: readonly Operation[];
  /** Those that change one that exists. */
  changes: readonly Operation[];
}

/** What these operations can do, one entry for each kind of thing that people use the service for. */
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

/** Whether an operation makes a new record each time. One that changes a record has the same result when it is done again. */
export const isCreate = ({ effect, endpoint }: Operation): boolean => effect !== 'read' && !endpoint.includes('/:id');

/** Whether an operation gives a booking that exists another start, whatever it is called. */
export const movesBooking = ({ effect, output, input }: Operation): boolean =>
  effect !== 'read' && output === 'booking' && 'booking_id' in input && 'start_time' in input;

/** Whether an operation shows times that can be booked: like a busy time, such a time has a start and no id. */
export const showsFreeTimes = ({ output }: Operation): boolean => {
  const { fields }: RecordTable = outputTables[output];
  return output !== 'busyTime' && 'start_time' in fields && !('id' in fields);
};

/** Words of a sentence as a list: `create, read and cancel`. */
export const wordList = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
