import { record, typeNamed, type Stage } from './stage.ts';

let day = 100;

/** A free start, in the wall-clock form that people type. */
export const freeStart = (): string => `${new Date(Date.now() + (day += 1) * 24 * 60 * 60_000).toISOString().slice(0, 10)}T09:00:00`;

/** A filled-in form that books an intro call. */
export const introCall = (stage: Stage, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  event_type_id: typeNamed(stage, 'Intro Call'),
  start_time: freeStart(),
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  ...more,
});

export const book = async (stage: Stage, raw: Record<string, unknown>) => record(await stage.zapier.step('creates.create_booking', raw));
