import assert from 'node:assert/strict';
import type { ActionPath } from '../../../tools/rigs/zapier/runtime.ts';
import { calls, refused, same, type Part, type Stage } from './stage.ts';

/** Every page of a dropdown, as a person sees it who scrolls to the end. */
async function allPages({ zapier }: Stage, action: ActionPath, key: string): Promise<{ id: string; label: string }[][]> {
  const pages = [];
  for (let token: string | undefined; ; ) {
    const { choices, next } = await zapier.dropdown(action, key, token === undefined ? {} : { token });
    pages.push(choices);
    if (next === undefined) return pages;
    token = next;
  }
}

export const dropdowns: Part = {
  name: 'Dropdowns',
  checks: [
    {
      title: 'lists every event type with its length, and says which are switched off',
      run: async (stage) => {
        const [page = []] = await allPages(stage, 'creates.create_booking', 'event_type_id');
        same(
          page.map(({ id }) => id).sort(),
          stage.sandbox
            .eventTypes()
            .map(({ id }) => id)
            .sort(),
        );
        assert.ok(page.some(({ label }) => label === 'Intro Call (30 min)'));
        assert.ok(page.some(({ label }) => label.startsWith('Podcast Recording') && label.endsWith('inactive')));
      },
    },
    {
      title: "reads all event types with the service's cursor, and shows them at once",
      run: async (stage) => {
        const page = (number: number, cursor: string | null) => ({
          data: Array.from({ length: 100 }, (_, index) => ({ id: `evt_${number}_${index}`, name: `Type ${number}.${index}` })),
          next_cursor: cursor,
        });
        stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 200, body: page(1, 'page-2') });
        stage.sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 200, body: page(2, null) });
        stage.sandbox.forgetRequests();
        const pages = await allPages(stage, 'triggers.booking_created', 'event_type_ids');
        same(
          pages.map((each) => each.length),
          [200],
        );
        same(
          calls(stage, 'GET', '/v1/event-types').map(({ query }) => query),
          [{ limit: '100' }, { limit: '100', cursor: 'page-2' }],
        );
      },
    },
    {
      title: 'lists upcoming bookings that are not cancelled, soonest first, in pages',
      run: async (stage) => {
        for (let count = 0; count < 110; count += 1) stage.sandbox.host.book({ invitee_email: `guest${count}@example.com` });
        const pages = await allPages(stage, 'creates.cancel_booking', 'booking_id');
        assert.equal(pages.length, 2);
        const shown = pages.flat().map(({ id }) => stage.sandbox.bookings().find((booking) => booking.id === id));
        assert.ok(
          shown.every((booking) => booking !== undefined && booking.status !== 'CANCELLED' && Date.parse(booking.start_time) > Date.now()),
        );
        const starts = shown.map((booking) => booking?.start_time ?? '');
        same(starts, starts.toSorted());
        const upcoming = stage.sandbox
          .bookings()
          .filter(({ status, start_time: start }) => status !== 'CANCELLED' && Date.parse(start) > Date.now());
        assert.equal(shown.length, upcoming.length);
      },
    },
    {
      title: 'says where it stopped looking for upcoming bookings, in an entry that selects nothing',
      run: async (stage) => {
        const day = 24 * 60 * 60_000;
        const page = (number: number) => ({
          data: Array.from({ length: 100 }, (_, index) => ({
            id: `bkg_${number}_${index}`,
            status: 'CONFIRMED',
            start_time: new Date(Date.now() + (index < 5 ? day : -day)).toISOString(),
          })),
          next_cursor: `page-${number + 1}`,
        });
        for (let number = 1; number <= 10; number += 1)
          stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body: page(number) });
        const { choices } = await stage.zapier.dropdown('creates.cancel_booking', 'booking_id');
        stage.sandbox.faults.clear();
        const last = choices.at(-1);
        assert.match(last?.label ?? '', /1000 bookings/);
        assert.equal(last?.id, '');
        assert.equal(choices.length, 51);
      },
    },
    {
      title: 'lists contacts by name and email in pages',
      run: async (stage) => {
        const pages = await allPages(stage, 'searches.find_contact', 'contact_id');
        assert.ok(pages.length > 1);
        const ids = pages.flat().map(({ id }) => id);
        same(
          ids.toSorted(),
          stage.sandbox
            .contacts()
            .map(({ id }) => id)
            .sort(),
        );
        assert.ok(pages.flat().some(({ label }) => label === 'Ana Ruiz, ana.ruiz@example.com'));
      },
    },
    {
      title: 'lists time zones without asking the service',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        const zones = (await allPages(stage, 'creates.create_booking', 'invitee_timezone')).flat();
        assert.ok(zones.length > 400);
        assert.ok(['UTC', 'Asia/Kolkata', 'Europe/Berlin'].every((zone) => zones.some(({ id }) => id === zone)));
        assert.equal(stage.sandbox.requests().length, 0);
      },
    },
    {
      title: 'offers the same bookings in the search by id',
      run: async (stage) => {
        const [offered] = await allPages(stage, 'searches.find_booking', 'booking_id');
        const [cancellable] = await allPages(stage, 'creates.cancel_booking', 'booking_id');
        same(offered, cancellable);
      },
    },
    {
      title: 'names the missing permission when a list may not be read',
      run: async (stage) => {
        stage.sandbox.faults.add({
          route: 'GET /v1/event-types',
          kind: 'status',
          status: 403,
          body: { error: 'Insufficient scope', code: 'INSUFFICIENT_SCOPE' },
        });
        await refused(stage.zapier.dropdown('creates.create_booking', 'event_type_id'), 'AppError', 'event_types:read', 'Reconnect');
      },
    },
  ],
};
