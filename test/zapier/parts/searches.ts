import assert from 'node:assert/strict';
import { book, freeStart, introCall } from './booking.ts';
import { assertTypes, type OutputShape } from './outputs.ts';
import { calls, found, onSandbox, record, refused, same, typeNamed, type Part, type Stage } from './stage.ts';

type Search = 'searches.find_booking' | 'searches.find_contact';

const search = async ({ zapier }: Stage, action: Search, raw: Record<string, unknown>, token?: string) =>
  found(await zapier.step(action, raw, token === undefined ? {} : { token }));
const findBooking = (stage: Stage, raw: Record<string, unknown>, token?: string) => search(stage, 'searches.find_booking', raw, token);
const findContact = (stage: Stage, raw: Record<string, unknown>, token?: string) => search(stage, 'searches.find_contact', raw, token);
const ids = (results: Record<string, unknown>[]) => results.map(({ id }) => id);

/** "Find or create", as Zapier runs it: the search with all fields of the step, and the create if it finds nothing. */
async function findOrCreate(stage: Stage, raw: Record<string, unknown>): Promise<{ wasFound: boolean; booking: Record<string, unknown> }> {
  const { searchOrCreates } = (await stage.zapier.definition()) as unknown as {
    searchOrCreates: Record<string, { search: string; create: string }>;
  };
  const [pair] = Object.values(searchOrCreates);
  assert.ok(pair);
  const [first] = (await findBooking(stage, raw)).results;
  if (first !== undefined) return { wasFound: true, booking: first };
  return {
    wasFound: false,
    booking: record(await stage.zapier.step(`creates.${pair.create}`, raw, { meta: { withSearch: pair.search } })),
  };
}

export const searches: Part = {
  name: 'Searches',
  checks: [
    {
      title:
        "finds an invitee's bookings by e-mail, whatever its letter case: upcoming ones first and soonest first, then past ones, cancelled ones last",
      run: async (stage) => {
        const { host } = stage.sandbox;
        const at = (days: number) => new Date(Date.now() + days * 86_400_000 + Math.floor(Math.random() * 4e7)).toISOString();
        const booked = [{ days: 700 }, { days: 650 }, { days: 640, cancelled: true }].map(({ days, cancelled }) => {
          const { id } = host.book({ invitee_email: 'order@example.com', start_time: at(days) });
          if (cancelled === true) host.cancel(id);
          return id;
        });
        const { results } = await findBooking(stage, { email: 'ORDER@example.com' });
        same(ids(results), [booked[1], booked[0], booked[2]]);
        const outputs = (await stage.zapier.invoke('searches.find_booking.operation.outputFields')) as OutputShape[];
        for (const result of results) assertTypes(result, outputs);
      },
    },
    {
      title: 'keeps only exact matches if the service matches parts of email addresses',
      run: (stage) =>
        onSandbox(stage, { forms: { emailMatch: 'partial' } }, async (own) => {
          own.sandbox.host.book({ invitee_email: 'ann@example.com' });
          own.sandbox.host.book({ invitee_email: 'joann@example.com' });
          same(
            (await findBooking(own, { email: 'ann@example.com' })).results.map((each) => each['invitee_email']),
            ['ann@example.com'],
          );
          same(
            (await findContact(own, { email: 'ann@example.com' })).results.map((each) => each['email']),
            ['ann@example.com'],
          );
        }),
    },
    {
      title: 'finds bookings by status, by event type and by start',
      run: async (stage) => {
        const byStatus = await findBooking(stage, { status: 'PENDING' });
        assert.ok(byStatus.results.length > 0 && byStatus.results.every(({ status }) => status === 'PENDING'));
        const type = typeNamed(stage, 'Coffee Chat');
        const byType = await findBooking(stage, { event_type_id: type });
        assert.ok(byType.results.length > 0 && byType.results.every((each) => each['event_type_id'] === type));
        const start = freeStart();
        const made = await book(stage, introCall(stage, { start_time: start }));
        same(ids((await findBooking(stage, { start_time: start })).results), [made['id']]);
        // Zapier reads a start in the Zap's zone before the app sees it. What comes without an offset is read there all the same.
        const unread = await stage.zapier.invoke('searches.find_booking.operation.perform', { inputData: { start_time: start } });
        same(ids(found(unread).results), [made['id']]);
      },
    },
    {
      title: 'finds a booking by its id alone',
      run: async (stage) => {
        const { id } = stage.sandbox.host.book();
        same(ids((await findBooking(stage, { booking_id: id, status: 'CANCELLED' })).results), [id]);
      },
    },
    {
      title: 'gives every match once, page by page',
      run: async (stage) => {
        for (let count = 0; count < 60; count += 1) stage.sandbox.host.book({ invitee_email: 'often@example.com' });
        const seen: unknown[] = [];
        const sizes: number[] = [];
        for (let token: string | undefined; ; ) {
          const { results, next } = await findBooking(stage, { email: 'often@example.com' }, token);
          seen.push(...ids(results));
          sizes.push(results.length);
          if (next === undefined) break;
          token = next;
        }
        same(sizes, [25, 25, 10]);
        assert.equal(new Set(seen).size, 60);
      },
    },
    {
      title: 'no match is an empty list, both by email and by id',
      run: async (stage) => {
        same((await findBooking(stage, { email: 'nobody@example.com' })).results, []);
        same((await findBooking(stage, { booking_id: 'bkg_nowhere' })).results, []);
        same((await findContact(stage, { email: 'nobody@example.com' })).results, []);
        same((await findContact(stage, { contact_id: 'con_nowhere' })).results, []);
      },
    },
    {
      title: 'finds a contact by email in any letter case, and by id',
      run: async (stage) => {
        const [contact] = stage.sandbox.contacts();
        assert.ok(contact);
        const byEmail = await findContact(stage, { email: contact.email.toUpperCase() });
        same(ids(byEmail.results), [contact.id]);
        same([byEmail.results[0]?.['first_name'], byEmail.results[0]?.['last_name']], contact.name.split(' '));
        same(ids((await findContact(stage, { contact_id: contact.id })).results), [contact.id]);
        assertTypes(
          record(byEmail.results[0]),
          (await stage.zapier.invoke('searches.find_contact.operation.outputFields')) as OutputShape[],
        );
      },
    },
    {
      title: 'asks for something to look for when every field is empty',
      run: async (stage) => {
        await refused(findBooking(stage, {}), 'AppError', 'at least one search field');
        await refused(findContact(stage, { email: '' }), 'AppError', 'at least one search field');
      },
    },
    {
      title: 'find or create: an old booking of the same invitee does not stop a new one',
      run: async (stage) => {
        stage.sandbox.host.book({ invitee_email: 'regular@example.com', event_type_id: typeNamed(stage, 'Intro Call') });
        const raw = introCall(stage, { email: 'regular@example.com', invitee_email: 'regular@example.com' });
        const { wasFound, booking } = await findOrCreate(stage, raw);
        assert.equal(wasFound, false);
        assert.equal(booking['invitee_email'], 'regular@example.com');
      },
    },
    {
      title:
        'find or create: the same e-mail, type and start is found, not booked twice, also when only the form of the creation names the e-mail',
      run: async (stage) => {
        const raw = introCall(stage, { invitee_email: 'twice@example.com' });
        const first = await findOrCreate(stage, raw);
        const second = await findOrCreate(stage, raw);
        same([first.wasFound, second.wasFound, second.booking['id']], [false, true, first.booking['id']]);
        assert.equal(stage.sandbox.bookings().filter((each) => each.invitee_email === 'twice@example.com').length, 1);
      },
    },
    {
      title: 'find or create: a cancelled booking does not count, nor does a status or another booking that the search names',
      run: async (stage) => {
        const raw = introCall(stage, { invitee_email: 'again@example.com' });
        const { booking } = await findOrCreate(stage, raw);
        stage.sandbox.host.cancel(String(booking['id']));
        const other = stage.sandbox.host.book();
        const { wasFound } = await findOrCreate(stage, { ...raw, status: 'CANCELLED', booking_id: other.id });
        assert.equal(wasFound, false);
      },
    },
    {
      title: "find or create: another invitee's booking at the same start does not count",
      run: async (stage) => {
        const raw = introCall(stage, { invitee_email: 'one@example.com' });
        await findOrCreate(stage, raw);
        stage.sandbox.forgetRequests();
        await refused(findOrCreate(stage, { ...raw, invitee_email: 'two@example.com' }), 'AppError', 'That time is not free');
        assert.equal(calls(stage, 'POST', '/v1/bookings').length, 1);
      },
    },
  ],
};
