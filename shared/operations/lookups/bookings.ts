import { DateTime } from 'luxon';
import { limits } from '../../limits.ts';
import type { Client } from '../../client/client.ts';
import { bookingLists } from '../../client/bookingLists.ts';
import { ServiceError } from '../../client/errors.ts';
import { paginate } from '../../client/pages.ts';
import type { BookingRecord } from '../../records/records.ts';
import { zoneOf } from '../../time/localTimes.ts';
import { getCurrentUser } from '../user/getCurrent.ts';
import { asText } from '../../values.ts';
import { statusTransitions, listScan } from '../../assumptions.ts';
import type { Choice } from '../define.ts';
import { sortByRelevance } from '../../records/sortByRelevance.ts';
import { hasStatus } from '../../records/status.ts';
import { instantOf, isZone, readTime } from '../../time/time.ts';
import { hasId, notes } from './choosable.ts';
import type { Lookup } from './index.ts';

/** The maximum number of bookings in a list. */
const shown = 100;

/**
 * Upcoming bookings that are not cancelled, soonest first, on the host's clock. People find them by the text that is shown and by the
 * invitee's email. The API has no order and no date filter (G31), so they come from at most ten pages, and the note says so if there are
 * more.
 */
export const bookings: Lookup = {
  async page(client, { text, cursor }) {
    const now = client.clock.now();
    const wanted = (text ?? '').trim().toLowerCase();
    const max = listScan.pages * limits.pageSize;
    const zone = hostZone(client);
    // If the list fails first, nobody waits for the time zone any more.
    zone.catch(() => undefined);
    // The list without a status may lack pending ones (G42). There are few of them, so they come before the limit.
    const list = paginate(client, bookingLists({ statuses: [statusTransitions.pending, statusTransitions.confirmed] }), max);
    const records = (await list.all()).filter((record) => !hasStatus(record, 'cancelled') && !(instantOf(record.start_time) < now));
    const shownIn = await zone;
    const fits = ({ label, value }: Choice, email: unknown) =>
      `${label}\n${asText(email)}`.toLowerCase().includes(wanted) || value.toLowerCase() === wanted;
    const choices = sortByRelevance(records.filter(hasId), now).flatMap((record) => {
      const choice = toChoice(record, shownIn);
      return fits(choice, record.invitee_email) ? [choice] : [];
    });
    const from = Number(cursor ?? 0);
    const note = notes(
      list.isTruncated && `Only the first ${max.toLocaleString('en')} bookings were searched. If yours is not listed, enter its id.`,
      records,
    );
    return {
      choices: choices.slice(from, from + shown),
      ...(choices.length > from + shown && { cursor: String(from + shown) }),
      ...(note !== undefined && { note }),
    };
  },
};

/** The host's time zone, if the service shows it. The list is also useful without it. If something is wrong, the list itself reports it. */
async function hostZone(client: Client): Promise<string | undefined> {
  try {
    const zone = zoneOf(await getCurrentUser.run(client, {}, {}));
    return zone !== undefined && isZone(zone) ? zone : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** @param host the time zone in which the start is shown; without one it is the invitee's, with the offset */
function toChoice(record: BookingRecord, host: string | undefined): Choice {
  const { id, invitee_name: name, invitee_email: email, event_type_name: type, start_time: start, invitee_timezone: invitee } = record;
  const zone = host ?? (typeof invitee === 'string' && isZone(invitee) ? invitee : 'utc');
  const time = DateTime.fromMillis(instantOf(start), { zone });
  // A time without an offset is shown as it is, because nobody knows its zone.
  const when = time.isValid ? time.toFormat("yyyy-MM-dd HH:mm 'UTC'ZZ") : readTime(asText(start)) && start;
  const parts = [when, name ?? email, type].filter((part) => typeof part === 'string' && part !== '');
  return { value: id, label: parts.length > 0 ? parts.join(', ') : id };
}
