import { DateTime } from 'luxon';
import type { Delivery } from '../../sandbox/service.ts';
import { eventRows } from '../../shared/events.ts';
import { inZone } from '../../shared/time/index.ts';
import type { StartChoices } from './options.ts';
import type { Sides } from './sides.ts';

/** A time in a zone, for people: "Tue 2 Mar 10:00", with the year if it is not the current one. */
function moment(instant: number, zone: string): string {
  const at = DateTime.fromISO(inZone(instant, zone) ?? '', { setZone: true, locale: 'en-GB' });
  return at.toFormat(at.year === new Date().getFullYear() ? 'ccc d LLL HH:mm' : 'ccc d LLL yyyy HH:mm');
}

export const clock = (instant: number, timeZone: string): string => (inZone(instant, timeZone) ?? '').slice(11, 19);

export const labelOf = (event: string): string => eventRows.find(({ name }) => name === event)?.label ?? event;

/**
 * A record's description for people: who, what and when of a booking, name and email of a contact.
 *
 * @param zone the host's, so that a booking has the same time here as on the host's page
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

/** All addresses and logins. The start page says what to try. @param start the address of the start page, which nobody else knows */
export function addresses({ sandbox, n8n }: Sides, start: string, { folder, keepsData }: StartChoices): string {
  const line = (what: string, ...values: string[]): string => `  ${what.padEnd(24)}${values.join('   ')}`;
  return [
    line('Start here', start),
    '',
    line('n8n', n8n.session.origin, n8n.owner.email, n8n.owner.password),
    line('the scheduling service', `${sandbox.origin}/host`),
    line('its API', sandbox.baseUrl),
    line('  client id, secret', sandbox.client.id, sandbox.client.secret),
    line('an agent', 'its settings are on the start page'),
    '',
    keepsData ? `  The data is kept in ${folder}.` : '  The data is deleted at the end.',
  ].join('\n');
}

export function receiverOf({ n8n, zapier: { runtime } }: Sides, { url }: Delivery): string {
  if (url.startsWith(`${runtime.backend.origin}/`)) return 'the Zap';
  return url.startsWith(`${n8n.session.origin}/`) ? 'n8n' : new URL(url).host;
}

/** Whether a platform received this item because of this delivery: the same event of the same record. */
export const isItemOf =
  ({ event, record_id: id }: Delivery) =>
  (item: Readonly<Record<string, unknown>>): boolean =>
    item['event'] === event && item['id'] === id;
