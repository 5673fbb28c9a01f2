import { DateTime } from 'luxon';
import { httpDate, type Clock } from './clock.ts';
import type { Request } from './context.ts';
import type { Forms } from './forms.ts';
import { inAscii, timeOf, type BookingInput } from './schemas.ts';

/** What each habit does (see HABITS in forms.ts): one function for one habit. */

/** What stands before an event type's id in bookings, if it does. */
export const PREFIX = 'type:';

const MINUTE_MS = 60_000;
const AHEAD = { same: 0, behind: -1, ahead: 1 } as const;

const EMAILS: Record<Forms['email'], (address: string) => string> = {
  sent: (address) => address,
  lower: (address) => address.toLowerCase(),
  untagged: (address) => address.replace(/^([^+@]*)\+[^@]*/, '$1'),
  punycode: inAscii,
};

const ESCAPES: Record<string, string> = { '&': '&amp;', "'": '&#39;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

const NAMES: Record<Forms['name'], (name: string) => string> = {
  sent: (name) => name,
  collapsed: (name) => name.replaceAll(/\s+/g, ' '),
  escaped: (name) => name.replaceAll(/[&'"<>]/g, (each) => ESCAPES[each] ?? each),
  curled: (name) => name.replaceAll("'", '’'),
  plain: (name) => name.replaceAll(/\p{Extended_Pictographic}|[\u{fe0f}\u{200d}]/gu, '').trim(),
  cut: (name) => [...name].slice(0, 20).join('').trim(),
  turned: (name) => name.replace(/^(.+) (\S+)$/, '$2, $1'),
  contact: (name) => name,
};

/** What is stored of an invitee's address; for the filter `made`, also what is searched for. */
export const storedEmail = (address: string, { email }: Pick<Forms, 'email'>): string => EMAILS[email](address);

/** What the service makes of a booking that it is sent. */
export function storedInput(input: BookingInput, forms: Forms): BookingInput {
  return {
    ...input,
    invitee_email: storedEmail(input.invitee_email, forms),
    invitee_name: NAMES[forms.name](input.invitee_name),
    start_time: forms.start === 'rounded' ? toTheMinute(input.start_time) : input.start_time,
  };
}

function toTheMinute(at: string): string {
  return new Date(Math.floor(timeOf(at) / MINUTE_MS) * MINUTE_MS).toISOString();
}

/**
 * A start or end as bookings show it.
 *
 * @param zone the host's
 */
export function shownTime(at: string, { start }: Forms, zone: string): string {
  const time = DateTime.fromISO(at, { zone });
  switch (start) {
    case 'offset':
      return time.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
    case 'local':
      return time.toFormat("yyyy-MM-dd'T'HH:mm:ss");
    case 'minutes':
      return time.toUTC().toFormat("yyyy-MM-dd'T'HH:mm'Z'");
    default:
      return at;
  }
}

/**
 * The times at which a record was made and changed, as it shows them.
 *
 * @param zone the host's
 */
export function shownStamps<T extends { created_at: string; updated_at?: string }>(
  { created_at, updated_at, ...rest }: T,
  { createdAt }: Forms,
  zone: string,
): Record<string, unknown> {
  if (createdAt === 'absent') return rest;
  const shown = (at: string): string | number => {
    const ms = Date.parse(at);
    switch (createdAt) {
      case 'seconds':
        return Math.floor(ms / 1000);
      case 'milliseconds':
        return ms;
      case 'local':
        return DateTime.fromMillis(ms, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
      case 'behind':
      case 'ahead':
        return new Date(ms + AHEAD[createdAt] * 3 * MINUTE_MS).toISOString();
      default:
        return at;
    }
  };
  return { ...rest, created_at: shown(created_at), ...(updated_at === undefined ? {} : { updated_at: shown(updated_at) }) };
}

/** A booking with its fields in other places. */
export function shaped(booking: Record<string, unknown>, { bookingShape }: Forms): Record<string, unknown> {
  const { id, ...fields } = booking;
  if (bookingShape === 'attributes') return { id, attributes: fields };
  if (bookingShape === 'flat') return booking;
  const { start_time: start, end_time: end, ...rest } = booking;
  return { ...rest, times: { start, end } };
}

/** A record that nobody can use. */
export const withOddId = (record: Record<string, unknown>, { oddRecord }: Forms): Record<string, unknown> =>
  oddRecord === 'none' ? record : { ...record, id: oddRecord === 'null' ? null : 2 ** 53 + 2 };

/** A subscription's address as it is stored. */
export const storedAddress = (url: string, { hookAddress }: Forms): string => (hookAddress === 'normal' ? new URL(url).href : url);

/** An answer that says of a write only that it was carried out. */
export function terse(c: Request, form: 'empty' | '204' | '202' | '{}' | 'success'): Response {
  switch (form) {
    case '{}':
      return c.json({});
    case 'success':
      return c.json({ success: true });
    case 'empty':
      return c.body(null, 200);
    case '202':
      return c.body(null, 202);
    case '204':
      return c.body(null, 204);
  }
}

/** The answer to a POST that always fails; nothing was done. */
export function trouble(c: Request, form: Exclude<Forms['trouble'], 'none'>): Response | Promise<Response> {
  switch (form) {
    case '500':
      return c.json(
        {
          error: 'Internal server error',
          code: 'CALENDAR_DISCONNECTED',
          message: "The host's calendar is disconnected. The host must connect it again.",
        },
        500,
      );
    case '503':
      return c.json({ error: 'Service unavailable', code: 'MAINTENANCE', message: 'Maintenance until 14:00 UTC.' }, 503, {
        'retry-after': '120',
      });
    case 'page':
      return c.html('<html><body><h1>500</h1>Something went wrong.</body></html>', 500);
    case 'page-200':
      return c.html('<html><body><h1>Welcome</h1>Book with us.</body></html>');
  }
}

/** The header Date of every answer. */
export const dateHeader = (now: number, { dateHeader: runs }: Pick<Forms, 'dateHeader'>): string =>
  httpDate(now + AHEAD[runs] * 2 * MINUTE_MS);

/** The service's clock, if it differs from ours. */
export function serviceClock(clock: Clock, { serviceClock: runs }: Forms): Clock {
  if (runs === 'same') return clock;
  return {
    now: () => clock.now() + AHEAD[runs] * 3 * MINUTE_MS,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    advance: (ms) => clock.advance(ms),
  };
}
