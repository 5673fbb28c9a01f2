import { bookingSituations } from './bookings.ts';
import { expressionSituations } from './expressions.ts';
import { refusalSituations } from './refusals.ts';
import { subscriptionSituations } from './subscriptions.ts';
import { userSituations } from './users.ts';

/** Everything that can interfere with each other, as data. */
export const situations = {
  ...bookingSituations,
  ...subscriptionSituations,
  ...userSituations,
  ...refusalSituations,
  ...expressionSituations,
};

export type SituationName = keyof typeof situations;

export const situationNames = Object.keys(situations) as SituationName[];
