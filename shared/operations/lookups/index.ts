import type { Client } from '../../client/client.ts';
import type { Choice, LookupName } from '../define.ts';
import { bookings } from './bookings.ts';
import { contacts } from './contacts.ts';
import { eventTypes } from './eventTypes.ts';
import { timeZones } from './timeZones.ts';

export interface LookupQuery {
  /** What the person typed to filter the list. */
  text?: string | undefined;
  /** Where the next page begins, from the last page. */
  cursor?: string | undefined;
}

export interface LookupPage {
  choices: Choice[];
  cursor?: string;
  /** A sentence for a list that is not complete. */
  note?: string;
}

/** A list to choose a value from. */
export interface Lookup {
  page(client: Client, query: LookupQuery): Promise<LookupPage>;
}

export const lookups: Record<LookupName, Lookup> = { bookings, contacts, eventTypes, timeZones };
