import { abilitiesOf, movesBooking, type Operation, wordList } from '../../shared/operations/index.ts';
import { sentenceCase } from './names.ts';

const namesOf = (changes: readonly Operation[]): string[] => changes.map(({ action }) => action.toLowerCase());

/** The description in n8n's list of nodes, such as `Create, read and cancel bookings, and read contacts`. */
export function summaryOf(operations: readonly Operation[]): string {
  const things = new Map<string, string[]>();
  for (const { things: name, isRead, creates, changes } of abilitiesOf(operations)) {
    const verbs = wordList([...namesOf(creates), ...(isRead ? ['read'] : []), ...namesOf(changes)]);
    things.set(verbs, [...(things.get(verbs) ?? []), name]);
  }
  return sentenceCase([...things].map(([verbs, names]) => `${verbs} ${wordList(names)}`).join(', and '));
}

/** What can be done with bookings, in the verbs that a person would use: `create, find, list or cancel`. */
export function wishesFor(operations: readonly Operation[]): string {
  const { creates = [], changes = [] } = abilitiesOf(operations).find(({ kind }) => kind === 'booking') ?? {};
  const detour = operations.some(movesBooking) ? [] : ['reschedule (cancel, then create)'];
  return wordList([...namesOf(creates), 'find', 'list', ...detour, ...namesOf(changes)], 'or');
}
