import type { Client } from '../api/client.ts';
import type { Choice, LookupName } from '../define.ts';
import { bookings } from './bookings.ts';
import { contacts } from './contacts.ts';
import { eventTypes } from './eventTypes.ts';
import { timeZones } from './timeZones.ts';

export interface LookupQuery {
  /** What the person typed to narrow the list. */
  text?: string | undefined;
  /** Where the next page begins, as the last page gave it. */
  cursor?: string | undefined;
}

export interface LookupPage {
  choices: Choice[];
  cursor?: string;
  /** Where the list stops early, the sentence that says so. */
  note?: string;
}

/** A list to choose a value from. */
export interface Lookup {
  page(client: Client, query: LookupQuery): Promise<LookupPage>;
}

export const lookups: Record<LookupName, Lookup> = { bookings, contacts, eventTypes, timeZones };
