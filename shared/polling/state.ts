import { isObject } from '../values.ts';
import type { ComparedKind } from './difference.ts';

/** The version of the saved form. A release that changes it must still read the former ones, or starts over. */
export const version = 2;

/** What is saved between two polls. */
export interface PollState {
  version: number;
  /** Identifies the service, exactly as given. */
  place: string;
  /** A hash of what identifies the account there. Absent if the service does not say. */
  account?: string;
  /** The wanted events and event types. One that is added later counts from then on. */
  events: string[];
  eventTypes: string[];
  /** What is known about the records of each list. */
  lists: { [Kind in ComparedKind]?: string };
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');

export const isPollState = (value: unknown): value is PollState =>
  isObject(value) &&
  (value['version'] === 1 || value['version'] === version) &&
  typeof value['place'] === 'string' &&
  (value['account'] === undefined || typeof value['account'] === 'string') &&
  isTexts(value['events']) &&
  isTexts(value['eventTypes']) &&
  isObject(value['lists']);

/** The known state, if it is not that of another account. A state of the first version does not say whose it is, and is taken over. */
export const readPollState = (
  value: unknown,
  { place, account }: { place: string; account?: string | undefined },
): PollState | undefined =>
  isPollState(value) && value.place === place && (account === undefined || value.account === undefined || value.account === account)
    ? value
    : undefined;
