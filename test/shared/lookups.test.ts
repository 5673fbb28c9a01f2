import { lookups } from '../../shared/operations/lookups/index.ts';
import { isZone } from '../../shared/time/time.ts';
import { serve, testStart, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await serve();
});
afterEach(() => service.sandbox.stop());

it('lists event types with their length, and says which are switched off', async () => {
  const { choices } = await lookups.eventTypes.page(service.client, {});
  expect(choices.map(({ value }) => value).sort()).toEqual(
    service.sandbox
      .eventTypes()
      .map(({ id }) => id)
      .sort(),
  );
  expect(choices.map(({ label }) => label)).toContain('Intro Call (30 min)');
  const off = service.sandbox.eventTypes().filter(({ active }) => !active);
  expect(off.length).toBeGreaterThan(0);
  expect(choices.filter(({ label }) => label.endsWith(', inactive')).map(({ value }) => value)).toEqual(off.map(({ id }) => id));
});

it("lists event types in the order of the host's own page, with those that cannot be booked last", async () => {
  const { choices } = await lookups.eventTypes.page(service.client, {});
  const onThePage = service.sandbox.eventTypes().sort((a, b) => a.created_at.localeCompare(b.created_at));
  expect(choices.map(({ value }) => value)).toEqual(
    [...onThePage.filter(({ active }) => active), ...onThePage.filter(({ active }) => !active)].map(({ id }) => id),
  );
});

it('keeps any other order of event types, because it is the service’s own', async () => {
  const data = ['2029-02-01', '2029-03-01', '2029-01-01'].map((day, index) => ({ id: `evt_${index}`, created_at: `${day}T00:00:00Z` }));
  service.sandbox.faults.add({
    route: 'GET /v1/event-types',
    kind: 'status',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { data, next_cursor: null },
  });
  expect((await lookups.eventTypes.page(service.client, {})).choices.map(({ value }) => value)).toEqual(data.map(({ id }) => id));
});

it("shows every booking on the host's clock, whatever the invitee's is", async () => {
  for (const zone of ['Asia/Tokyo', 'America/New_York']) service.sandbox.host.book({ invitee_timezone: zone, invitee_name: `In ${zone}` });
  const { choices } = await lookups.bookings.page(service.client, {});
  expect(choices.map(({ label }) => /UTC\S+(?=,)/.exec(label)?.[0]).filter((zone) => !/^UTC\+0[12]:00$/.test(zone ?? ''))).toEqual([]);
});

it("uses each invitee's clock if the service does not show the host's", async () => {
  const { id } = service.sandbox.host.book({ invitee_timezone: 'Asia/Tokyo' });
  service.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 403 });
  const { choices } = await lookups.bookings.page(service.client, {});
  expect(choices.find(({ value }) => value === id)?.label).toContain('UTC+09:00');
});

it("passes on the platform's own signal, also if it only comes while the time zone is read", async () => {
  const signal = new Error('refresh the token');
  const client = service.clientWith({
    transport: (inner) => (request) => (request.url.endsWith('/me') ? Promise.reject(signal) : inner(request)),
  });
  await expect(lookups.bookings.page(client, {})).rejects.toBe(signal);
});

it('a list that fails says why, even if another request beside it fails later for a reason of its own', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    let fail: (reason: Error) => void = () => undefined;
    const client = {
      ...service.client,
      read: (call: { path: readonly string[] }) =>
        call.path.includes('me') ? new Promise((_, reject) => (fail = reject)) : Promise.reject(new Error('The list fails.')),
    } as unknown as typeof service.client;
    await expect(lookups.bookings.page(client, {})).rejects.toThrow('The list fails.');
    fail(new Error('Given up.'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

it('filters a list by what was typed, ignoring case, or by a whole id', async () => {
  const {
    choices: [intro],
  } = await lookups.eventTypes.page(service.client, { text: 'INTRO c' });
  expect(intro?.label).toBe('Intro Call (30 min)');
  expect((await lookups.eventTypes.page(service.client, { text: intro?.value })).choices).toEqual([intro]);
});

it('reads on while nothing on a page fits, so that nobody sees an empty list', async () => {
  for (let page = 1; page <= 3; page += 1) {
    const data = Array.from({ length: 2 }, (_, index) => ({ id: `evt_${page}${index}`, name: page === 3 ? 'The one' : 'Another' }));
    service.sandbox.faults.add({
      route: 'GET /v1/event-types',
      kind: 'status',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { data, next_cursor: page === 3 ? null : `page-${page}` },
    });
  }
  expect((await lookups.eventTypes.page(service.client, { text: 'the one' })).choices).toHaveLength(2);
});

it('lists upcoming bookings that are not cancelled, soonest first', async () => {
  const { choices, note } = await lookups.bookings.page(service.client, {});
  const upcoming = service.sandbox
    .bookings()
    .filter(({ status, start_time: start }) => status !== 'CANCELLED' && Date.parse(start) >= testStart);
  expect(choices.map(({ value }) => value)).toEqual(
    upcoming.sort((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time)).map(({ id }) => id),
  );
  expect(choices[0]?.label).toMatch(/^2030-01-\d\d \d\d:\d\d UTC[+-]\d\d:\d\d, .+, .+$/);
  expect(note).toBeUndefined();
});

it("finds a booking by the invitee's name, by their email (which is not shown), by its time and by its whole id", async () => {
  const { id, start_time: start } = service.sandbox.host.book({ invitee_name: 'Ada Lovelace', invitee_email: 'countess@example.com' });
  for (const text of ['ada love', 'Countess@Example', start.slice(0, 10), id]) {
    expect((await lookups.bookings.page(service.client, { text })).choices.map(({ value }) => value)).toContain(id);
  }
  expect((await lookups.bookings.page(service.client, { text: 'countess@example.com' })).choices).toHaveLength(1);
  expect((await lookups.bookings.page(service.client, { text: 'grace@example.com' })).choices).toEqual([]);
});

it('says when it stopped looking', async () => {
  const pageOf = (from: number) =>
    Array.from({ length: 100 }, (_, index) => ({ id: `bkg_${from + index}`, start_time: '2030-02-01T09:00:00Z' }));
  for (let page = 0; page < 10; page += 1) {
    service.sandbox.faults.add({
      route: 'GET /v1/bookings',
      kind: 'status',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { data: pageOf(page * 100), next_cursor: `page-${page}` },
    });
  }
  const first = await lookups.bookings.page(service.client, {});
  expect(first.note).toBe('Only the first 1000 bookings were searched. If yours is not listed, enter its id.');
  expect(first.choices).toHaveLength(100);
  expect(first.cursor).toBe('100');
});

it('lists contacts page by page, and asks the service for a whole email address', async () => {
  const { choices } = await lookups.contacts.page(service.client, {});
  expect(choices.length).toBe(service.sandbox.contacts().length);
  const email = service.sandbox.contacts()[0]?.email ?? '';
  service.sandbox.forgetRequests();
  expect((await lookups.contacts.page(service.client, { text: email })).choices[0]?.label).toContain(email);
  expect(service.sandbox.requests()[0]?.query).toMatchObject({ email });
});

it('lists every time zone that the engine accepts, with its current offset, without a request', async () => {
  const { choices } = await lookups.timeZones.page(service.client, {});
  expect(choices.every(({ value }) => isZone(value))).toBe(true);
  expect(choices.map(({ value }) => value)).toEqual(expect.arrayContaining(['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'America/New_York']));
  expect((await lookups.timeZones.page(service.client, { text: 'new york' })).choices).toEqual([
    { value: 'America/New_York', label: 'America/New York (UTC-05:00)' },
  ]);
  expect(service.sandbox.requests()).toEqual([]);
});
