import { eventRows, listedRows } from '../../../shared/events.ts';
import { email, start } from '../fixtures.ts';
import { requirement, type Requirement } from '../platform.ts';

/** More than the ten pages up to which each poll reads a list completely. */
const many = 1_250;

const rows = listedRows(eventRows);

export const changes: readonly Requirement[] = [
  requirement(
    'poll:thirteen-pages:each-change-once,on-the-last-page-too',
    { source: 'G31', needs: ['pollsAtOnce'], alone: { forms: { slots: 'shared' } } },
    async ({ sandbox: { host }, connection }) => {
      const book = (): string => host.book({ start_time: start, invitee_email: email }).id;
      const oldest = book();
      for (let count = 1; count < many; count += 1) book();
      const poll = connection.poller?.(rows) ?? fail('It cannot be made to poll.');
      expect(await poll()).toEqual([]);
      const newest = book();
      host.reschedule(oldest, { start_time: start.replace('15:', '16:') });
      expect((await poll()).map(({ event, id }) => `${String(event)} ${String(id)}`).sort()).toEqual([
        `BOOKING_CREATED ${newest}`,
        `BOOKING_RESCHEDULED ${oldest}`,
      ]);
      expect(await poll()).toEqual([]);
    },
  ),
];
