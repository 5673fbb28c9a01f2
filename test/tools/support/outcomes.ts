import type { Outcome } from '../../../tools/rigs/zapier/zap.ts';

/** What a Zap made of a delivery: its items, or nothing if it was dropped. */
export const outcome = (items: Record<string, unknown>[]): Outcome => ({
  request: {} as Outcome['request'],
  items,
  error: undefined,
  arrivedAt: Date.now(),
  doneAt: 0,
});
export const booking = {
  event: 'BOOKING_CREATED',
  invitee_name: '<b>Ada</b> & "Co"',
  event_type_name: 'Intro Call',
  start_time: '2030-03-05T09:00:00Z',
};
