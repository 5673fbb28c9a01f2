import { cancelBooking, createBooking, findBooking, getBooking, getManyBookings } from '../../../shared/operations/index.ts';
import { eventRows, listedRows } from '../../../shared/events.ts';
import { SERVICES } from '../../../sandbox/service.ts';
import { until } from '../../support/until.ts';
import { bookingForm, start } from '../fixtures.ts';
import { requirement, type Requirement, type Traits } from '../platform.ts';

const invitee_email = 'elin.brandvold@example.com';
const created = eventRows.find(({ name }) => name === 'BOOKING_CREATED') ?? fail('There is no event BOOKING_CREATED.');
const [, ...names] = SERVICES.service.values;
/** The one that every platform meets. Settling a gap may delete it. */
const everywhere = names.find((name: string) => name === 'calcom2') ?? names[0];

/** A user's typical actions on each existing service that the sandbox imitates: always the same booking, with the same id and start. */
export const services: readonly Requirement[] = names.flatMap((service) => {
  const alone = { forms: { service } };
  const source = 'the API of the service that it names';
  const every: Traits['needs'] = service === everywhere ? [] : ['everyService'];
  return [
    requirement(
      `service:${service}:books,reads,lists,finds-and-cancels-one-booking`,
      { source, needs: every, alone },
      async ({ sandbox, platform, connection }) => {
        const before = new Set(sandbox.bookings().map(({ id }) => id));
        const fields = bookingForm(sandbox, { invitee_email });
        const [made = {}] = await connection.runOperation(createBooking, { fields });
        const kept = () => sandbox.bookings().filter(({ id }) => !before.has(id));
        expect(kept()).toHaveLength(1);
        const { id } = made;
        expect(made).toMatchObject({ id: expect.any(String) as string, start_time: expect.stringContaining('2059-03-05') as string });
        const asked = { booking_id: id };
        const reads = [
          [getBooking, asked],
          [findBooking, { email: invitee_email }],
          [getManyBookings, {}],
        ] as const;
        for (const [operation, fields] of reads.filter(([operation]) => platform.offers(operation))) {
          const records = await connection.runOperation(operation, { fields });
          expect(records).toHaveLength(operation === getManyBookings ? before.size + 1 : 1);
          expect(records.filter((record) => record['id'] === id)).toMatchObject([{ id, start_time: made['start_time'] }]);
        }
        expect(await connection.runOperation(cancelBooking, { fields: asked })).toMatchObject([{ id }]);
        expect(kept().map(({ status }) => status)).toEqual(['CANCELLED']);
      },
    ),
    requirement(
      `service:${service}:a-delivery-is-the-booking-that-is-read`,
      { source, needs: [...every, 'deliveries'], alone },
      async (stage) => {
        const { listening } = await stage.listener(created);
        stage.sandbox.host.book({ start_time: start, invitee_email });
        const item = await until(async () => (await listening.items()).find(({ event }) => event === created.name));
        const [found = {}] = await stage.core.runOperation(findBooking, { fields: { email: invitee_email } });
        expect(item['id']).toBe(found['id']);
      },
    ),
    requirement(
      `service:${service}:a-poll-tells-the-change-once`,
      { source, needs: [...every, 'pollsAtOnce'], alone },
      async ({ sandbox, connection }) => {
        const poll = connection.poller?.(listedRows(eventRows)) ?? fail('It cannot be made to poll.');
        expect(await poll()).toEqual([]);
        sandbox.host.book({ start_time: start, invitee_email });
        expect((await poll()).filter(({ event }) => event === 'BOOKING_CREATED')).toHaveLength(1);
        expect(await poll()).toEqual([]);
      },
    ),
  ];
});
