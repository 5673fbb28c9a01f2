import { events } from '../../shared/events.ts';
import type { Delivery } from '../../sandbox/service.ts';

/** The maximum width of a line of the output. */
export const columns = 100;

/** A time in a zone, as people say it: "Tue 2 Mar 10:00", with the year if it is not this one. */
export function moment(instant: number, timeZone: string): string {
  const format = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  const parts = new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  const year = part('year') === String(new Date().getFullYear()) ? '' : ` ${part('year')}`;
  return `${part('weekday')} ${part('day')} ${part('month')}${year} ${part('hour')}:${part('minute')}`;
}

/** The time of day in a zone, to the second. */
export const clock = (instant: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(instant);

export const labelOf = (event: string): string => Object.entries(events).find(([name]) => name === event)?.[1].label ?? event;

/**
 * What a record is about, as people say it: who, what and when of a booking, name and email of a contact.
 *
 * @param zone the host's, so that a booking has one time here and on the host's page
 */
export function about(record: Readonly<Record<string, unknown>>, zone: string): string {
  const said = (key: string): string[] => (typeof record[key] === 'string' && record[key] !== '' ? [record[key]] : []);
  const { start_time: start } = record;
  if (typeof start !== 'string') return [...said('name'), ...said('email')].join(', ');
  return [...said('invitee_name'), ...said('event_type_name'), `${moment(Date.parse(start), zone)} ${zone}`].join(', ');
}

/** The record of a delivery: the one object in its body. */
export function recordIn({ body }: Pick<Delivery, 'body'>): Record<string, unknown> {
  const parsed = JSON.parse(body) as Record<string, unknown>;
  const [record] = Object.values(parsed).filter((value) => typeof value === 'object' && value !== null);
  return (record ?? parsed) as Record<string, unknown>;
}

/** Text of at most this length; a mark shows that something was cut. */
export const clipped = (text: string, longest: number): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);

/**
 * The result of a try to deliver, in one line: who got what, or why not.
 *
 * @param receiver who answers at the delivery's address
 * @param zone the host's
 */
export function told(delivery: Delivery, receiver: string, zone: string): string {
  const { event, attempts, status, next_attempt_at: next } = delivery;
  const what = `${labelOf(event)}: ${about(recordIn(delivery), zone)}`;
  if (status === 'delivered') return `${receiver} got ${what}`;
  const reason = attempts.at(-1)?.error ?? 'no reason given';
  return `${receiver} did not accept it (${reason}; ${next === null ? 'given up' : 'sent again'}) ${what}`;
}
