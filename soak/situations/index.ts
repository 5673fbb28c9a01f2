import { bookingSituations } from './bookings.ts';

/** Everything that can get into each other's way, as data. */
export const situations = { ...bookingSituations };

export type SituationName = keyof typeof situations;

export const situationNames = Object.keys(situations) as SituationName[];
