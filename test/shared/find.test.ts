import { findBooking, findContact, getManyBookings, readListPage, runOperation, searchContacts } from '../../shared/operations/index.ts';
import { brand } from '../../shared/brand.ts';
import type { ServiceRecord } from '../../shared/records/fields.ts';
import { allOf } from '../../shared/client/pages.ts';
import { emptyFilter } from '../../shared/operations/refusedForm.ts';
import type { ManyOperation, RunContext } from '../../shared/operations/define.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import { findOrCreateBooking } from '../../shared/operations/booking/findOrCreate.ts';
import { clientOver, refusal, refusalOf, shownLists, type Lists, type ShownLists } from '../support/service.ts';
import { listOf, oneOf } from '../support/wire.ts';

const found = async (operation: ManyOperation<never>, lists: Lists, fields: Record<string, unknown>, limit?: number) => {
  const service = shownLists(lists);
  const records = await allOf(operation.run(service.client, parseInput(operation, fields), limit === undefined ? {} : { limit }));
  return { ids: records.map(({ id }) => id), ...service };
};

describe('Find Booking', () => {
  const at = '2030-02-01T09:00:00Z';
  const ada = { invitee_email: 'Ada@example.com', event_type_id: 'evt_1', start_time: at, status: 'CONFIRMED' };
  const bookings = [
    { id: 'ada', ...ada },
    { id: 'cancelled', ...ada, status: 'CANCELLED' },
    { id: 'later', ...ada, start_time: '2030-02-01T10:00:00Z' },
    { id: 'other type', ...ada, event_type_id: 'evt_2' },
    { id: 'other person', ...ada, invitee_email: 'grace@example.com' },
    { id: 'bare' },
  ];
  const search = (fields: Record<string, unknown>, limit?: number) => found(findBooking as never, { bookings }, fields, limit);

  it.each<[Record<string, unknown>, string[]]>([
    [{ email: 'ADA@example.com' }, ['ada', 'other type', 'later', 'cancelled']],
    [{ event_type_id: 'evt_2' }, ['other type']],
    [{ start_time: '2030-02-01T10:00:00+01:00', event_type_id: 'evt_1' }, ['ada', 'other person', 'cancelled']],
    [{ email: 'ada@example.com', event_type_id: 'evt_1', start_time: at }, ['ada']],
    [{ email: 'ada@example.com', event_type_id: 'evt_1', start_time: at, status: 'CANCELLED' }, ['cancelled']],
    [{ email: 'ada@example.com', start_time: at }, ['ada', 'other type', 'cancelled']],
    [{ email: 'undefined@example.com' }, []],
    [{ start_time: '2031-02-01T09:00:00Z' }, []],
  ])('by %j finds %j', async (fields, ids) => {
    expect((await search(fields)).ids).toEqual(ids);
  });

  it('reads the bookings whose type the list does not show, and says so if nobody can tell', async () => {
    const lists = {
      bookings: [{ id: 'one' }, { id: 'two' }, { id: 'bare' }],
      one: { id: 'one', event_type_id: 'evt_1' },
      bare: { id: 'bare' },
    };
    const notes: string[] = [];
    const by = (type: string) =>
      allOf(findBooking.run(shownLists(lists).client, { event_type_id: type }, { note: (text) => notes.push(text) }));
    expect([await by('evt_1'), notes]).toEqual([[lists.one], []]);
    expect([await by('evt_2'), notes[0]]).toEqual([[], expect.stringContaining('does not show enough of some bookings')]);
  });

  it.each<[string, (service: ShownLists, fields: Record<string, unknown>, note: (text: string) => void) => Promise<ServiceRecord[]>]>([
    ['whole', ({ client }, fields, note) => runOperation(client, getManyBookings, { fields }, { shape: 'presented', note })],
    ['by pages', async ({ client }, fields, note) => (await readListPage(client, getManyBookings, { fields }, { size: 9, note })).records],
  ])('a list by event type, %s, leaves out what does not show its type, says so, and says if there is no such type', async (_, read) => {
    const service = shownLists({ bookings: [{ id: 'one', event_type_id: 'evt_1' }, { id: 'bare' }, { id: 'barer', event_type_id: '' }] });
    service.refused['evt_9'] = 404;
    const notes: string[] = [];
    const by = (event_type_id: string) => read(service, { event_type_id }, (text) => notes.push(text));
    expect((await by('evt_1')).map(({ id }) => id)).toEqual(['one']);
    expect(notes).toEqual([`${brand.name} does not show the event type of some bookings, so these are left out.`]);
    expect((await refusal(by('evt_9'))).message).toBe('The event type "evt_9" was not found.');
  });

  it('by a start reads times without an offset in the zones of the record and the host', async () => {
    const local = (hour: string) => ({ ...ada, id: hour, start_time: `2030-02-01T${hour}:00` });
    const lists = { bookings: ['09', '10', '11'].map(local), me: { id: 'usr_1', timezone: 'Europe/Berlin' } };
    for (const by of [{ email: ada.invitee_email }, { event_type_id: 'evt_1' }, {}])
      expect((await found(findBooking as never, lists, { ...by, start_time: '2030-02-01T10:00:00+01:00' })).ids).toEqual(['10']);
  });

  it.each([findBooking, getManyBookings])('takes a status in any letter case and either spelling: $name', async (operation) => {
    const ask = async (status: string) => (await found(operation as never, { bookings }, { status })).filters[0];
    expect([await ask(' Confirmed '), await ask('Canceled')]).toEqual([{ status: 'CONFIRMED' }, { status: 'CANCELLED' }]);
    await expect(ask('open')).rejects.toThrow('is not one of CONFIRMED, CANCELLED, PENDING');
  });

  it('asks the service for the status and the email, and returns no more than are wanted', async () => {
    const { ids, filters } = await search({ email: 'ada@example.com', status: 'CONFIRMED' }, 2);
    expect(ids).toEqual(['ada', 'other type']);
    expect(filters).toEqual([{ email: 'ada@example.com', status: 'CONFIRMED' }]);
  });
});

describe('contacts', () => {
  const contacts = [
    { id: 'old', email: 'ada@example.com', updated_at: '2030-01-01T00:00:00Z' },
    { id: 'untimed', email: 'ada@example.com' },
    { id: 'new', email: 'ADA@example.com', updated_at: '2030-01-03T00:00:00' },
    // As some services write no time.
    { id: 'created', email: 'ada@example.com', created_at: '2030-01-02T00:00:00Z', updated_at: '' },
    { id: 'other', email: 'xada@example.com', updated_at: '2030-01-04T00:00:00Z' },
    { id: 'none' },
  ];

  it.each<[string, ManyOperation<never>]>([
    ['Find Contact', findContact as never],
    ['Search Contacts', searchContacts as never],
  ])('%s returns exactly those with the email, the most recently changed first', async (_, operation) => {
    const { ids, filters } = await found(operation, { contacts }, { email: 'Ada@Example.com' });
    expect(ids).toEqual(['new', 'created', 'old', 'untimed']);
    expect(filters).toEqual([{ email: 'Ada@Example.com' }, { email: 'ada@example.com' }]);
    expect((await found(operation, { contacts }, { email: 'ada@example.com' }, 1)).ids).toEqual(['new']);
  });
});

it.each<[string, ManyOperation<never>, string, string]>([
  ['Find Booking', findBooking as never, 'booking_id', "The invitee's email finds a booking best."],
  ['Find Contact', findContact as never, 'contact_id', "The contact's email finds it."],
])(
  '%s by id reads that record alone, one that does not exist is not found, and without anything it asks',
  async (_, operation, key, best) => {
    const one = await found(operation, { id_1: { id: 'id_1' } }, { [key]: 'id_1', email: 'nobody@example.com' });
    expect([one.ids, one.asked]).toEqual([['id_1'], ['id_1']]);
    const refused = (status: number) => {
      const service = shownLists();
      service.refused['id_1'] = status;
      return allOf(operation.run(service.client, { [key]: 'id_1' } as never, {}));
    };
    expect(await refused(404)).toStrictEqual([]);
    expect((await refusal(refused(403))).kind).toBe('forbidden');
    expect((await refusal(found(operation, {}, {}))).sentence).toBe(`Enter at least one search field. ${best}`);
  },
);

describe('Find or Create Booking', () => {
  const whole = { invitee_email: 'ada@example.com', event_type_id: 'evt_1', start_time: '2030-02-01T09:00:00Z' };
  const wanted = { email: 'ada@example.com', event_type_id: 'evt_1', start_time: whole.start_time };

  it('looks for the email, the type and the start together, if anything says that a booking should be made', () => {
    expect(findOrCreateBooking.searchInput({ ...whole, notes: 'Hello', status: 'PENDING' })).toEqual(wanted);
    expect(findOrCreateBooking.searchInput({ ...whole, email: 'grace@example.com' })).toEqual({ ...wanted, email: 'grace@example.com' });
    expect(findOrCreateBooking.searchInput({ ...whole, email: '' })).toEqual(wanted);
  });

  const labels = { email: '"Invitee Email"', event_type_id: '"Event Type"', start_time: '"Start"' };

  it.each<[Record<string, unknown>, string, (keyof typeof labels)[]]>([
    [{ notes: 'Hello' }, 'is required', ['email', 'event_type_id', 'start_time']],
    [{ ...whole, start_time: '' }, emptyFilter, ['start_time']],
    [{ ...whole, event_type_id: null }, emptyFilter, ['event_type_id']],
    // Everything that comes from a form came out empty: without the email, it would find a stranger's booking.
    [{ ...whole, invitee_email: undefined, invitee_name: ' ' }, emptyFilter, ['email']],
  ])('refuses %j and names what is missing', async (raw, message, missing) => {
    const named = `${missing.map((field) => labels[field]).join(' and ')} ${missing.length > 1 ? 'are' : 'is'} empty.`;
    expect(await refusalOf(() => findOrCreateBooking.searchInput(raw))).toMatchObject({
      kind: 'invalid',
      message: `To find or create a booking, the invitee's email, the event type and the start are all needed: ${named}`,
      fields: missing.map((field) => ({ field, message })),
    });
  });
});

describe('on an ordinary service', () => {
  type Row = Record<string, unknown>;

  /** What an ordinary service does to what it is sent. */
  interface Habits {
    /** What it stores of a booking. */
    stored?: (sent: Row) => Row;
    /** What its lists show of a booking. */
    listed?: (booking: Row) => Row;
    /** Which bookings a list without a status holds. */
    unfiltered?: (booking: Row) => boolean;
    /** Whether its filter by email leaves the one by status aside. */
    isStatusAside?: boolean;
    /** How its filter by email compares. By default letter by letter. */
    filter?: (stored: string, asked: string) => boolean;
    eventTypes?: readonly Row[];
    /** The host, as `GET /me` shows it. */
    me?: Row;
    contacts?: readonly Row[];
  }

  /** A healthy service that stores and shows bookings in its own way, and loses nothing. */
  function ordinaryService(habits: Habits = {}) {
    const { stored = (sent) => sent, listed = (row) => row, unfiltered = () => true, filter = (a, b) => a === b } = habits;
    const bookings: Row[] = [];
    const lists: Record<string, readonly Row[]> = { bookings, 'event-types': habits.eventTypes ?? [], contacts: habits.contacts ?? [] };
    const requests: Record<string, string>[] = [];
    const readById: string[] = [];
    const client = clientOver(async ({ url, query: { limit: _, ...query } = {} }) => {
      const [, , , name = '', id] = new URL(url).pathname.split('/');
      if (id !== undefined) readById.push(`${name}/${id}`);
      else if (name === 'bookings') requests.push(query);
      const rows = lists[name] ?? [];
      const record = name === 'me' ? habits.me : rows.find((each) => each['id'] === id || each['slug'] === id);
      if (name === 'me' || id !== undefined) return { status: record === undefined ? 404 : 200, headers: {}, body: oneOf(record) };
      const { email, status } = query;
      const found = rows
        .filter((row) => habits.isStatusAside === true || (status === undefined ? unfiltered(row) : row['status'] === status))
        .filter((row) => email === undefined || filter(String(row['invitee_email'] ?? row['email']), email));
      return { status: 200, headers: {}, body: listOf(name === 'bookings' ? found.map(listed) : found) };
    });
    const book = (sent: Row) => void bookings.push(stored({ id: `bkg_${bookings.length}`, status: 'CONFIRMED', ...sent }));
    return { client, bookings, book, requests, readById };
  }

  const withEmail = (change: (email: string) => string) => (row: Row) => ({ ...row, invitee_email: change(String(row['invitee_email'])) });

  const start = '2030-02-01T09:00:00Z';
  const form = { event_type_id: 'evt_1', start_time: start, invitee_name: 'Ada', invitee_email: 'Ada+Work@Bücher.example' };
  const eventTypes = [
    { id: 'evt_1', slug: 'intro' },
    { id: 'evt_2', slug: 'other' },
  ];

  const find = async (service: ReturnType<typeof ordinaryService>, fields: Record<string, unknown>, context: RunContext = {}) =>
    (await allOf(findBooking.run(service.client, parseInput(findBooking, fields), context))).map(({ id }) => id);

  /** One run of a step that finds or creates. */
  async function findOrCreate(service: ReturnType<typeof ordinaryService>, fields: Record<string, unknown>): Promise<void> {
    const found = await find(service, findOrCreateBooking.searchInput(fields) ?? fields, { createsOtherwise: true });
    if (found.length === 0) service.book(fields);
  }

  const atTen = (row: Row): Row => ({ ...row, start_time: '2030-02-01T10:00:00' });

  describe('Find or Create Booking makes one booking in three runs, on a service that', () => {
    const byContact = (stored: string, asked: string) => stored.startsWith('countess') && asked === form.invitee_email;

    it.each<[string, Habits]>([
      ['shows no email', { listed: ({ invitee_email: _, ...row }) => row }],
      ['shows no start', { listed: ({ start_time: _, ...row }) => row }],
      ['shows starts with their zone', { stored: (row) => ({ ...row, start_time: '2030-02-01T10:00:00+01:00[Europe/Berlin]' }) }],
      ['shows the main address of the contact', { stored: withEmail(() => 'countess@example.org'), filter: byContact }],
      ['writes addresses as links', { stored: withEmail((email) => `mailto:${email}`), filter: () => true }],
      ['shows only ids in its lists', { listed: ({ id }) => ({ id }) }],
      ['writes "" for the event type', { stored: (row) => ({ ...row, event_type_id: '' }) }],
      ["shows starts in the invitee's time, and no host", { stored: (row) => ({ ...atTen(row), invitee_timezone: 'Europe/Berlin' }) }],
    ])('%s', async (_, habits) => {
      const service = ordinaryService({ ...habits, eventTypes });
      const other = { id: 'bkg_0', status: 'CONFIRMED', event_type_id: 'evt_2', invitee_email: 'grace@example.com', start_time: start };
      service.bookings.push(other);
      for (let run = 0; run < 3; run += 1) await findOrCreate(service, form);
      expect(service.bookings.filter((booking) => booking !== other)).toHaveLength(1);
    });
  });

  describe('Find or Create Booking creates', () => {
    const forGrace = { invitee_email: 'grace@example.com' };
    const amongAttendees = ({ invitee_email: email, ...row }: Row) => ({ ...row, attendees: [{ email }] });
    const masked = withEmail((email) => email.replace(/^(.).*@/, '$1***@'));
    it.each<[string, Record<string, unknown>, Habits]>([
      ['another day, where lists show only ids', { start_time: '2030-02-02T09:00:00Z' }, { listed: ({ id }) => ({ id }) }],
      ['another event type', { event_type_id: 'evt_2' }, {}],
      ['a minute before', { start_time: '2030-02-01T08:59:00Z' }, {}],
      ['a minute later', { start_time: '2030-02-01T09:01:00Z' }, {}],
      ['seven minutes later, where starts have no offset', { start_time: '2030-02-01T09:07:00Z' }, { stored: atTen }],
      ['another person, where the invitee is among the attendees', forGrace, { filter: () => true, stored: amongAttendees }],
      ['another person, where addresses are masked and not filtered by', forGrace, { filter: () => true, stored: masked }],
      ['the same again after it was declined', {}, { stored: (row) => ({ ...row, status: 'DECLINED' }) }],
      ['the same again after the host cancelled it', {}, { stored: (row) => ({ ...row, status: 'cancelled-by-host' }) }],
    ])('%s', async (_, change, habits) => {
      const service = ordinaryService({ ...habits, eventTypes });
      await findOrCreate(service, form);
      await findOrCreate(service, { ...form, ...change });
      expect(service.bookings).toHaveLength(2);
    });
  });

  it.each([
    ['intro', 'evt_1'],
    ['evt_1', 'intro'],
  ])('Find Booking by the event type %s finds a booking that shows it as %s, and no other', async (asked, shown) => {
    const service = ordinaryService({ eventTypes });
    for (const event_type_id of [shown, 'evt_2', shown, 'other']) service.book({ event_type_id, invitee_email: 'ada@example.com' });
    expect(await find(service, { email: 'ada@example.com', event_type_id: asked })).toEqual(['bkg_0', 'bkg_2']);
    expect(service.readById).toEqual([`event-types/${asked}`]);
    // However many of other types are listed before it.
    for (let index = 0; index < 20; index += 1) service.bookings.unshift({ id: `${index}`, event_type_id: 'evt_2', status: 'CONFIRMED' });
    expect(await find(service, { event_type_id: asked })).toEqual(['bkg_0', 'bkg_2']);
  });

  it('Find Booking that finds nothing says so of the event type if there is none, in one more request; a step that creates does not ask', async () => {
    const service = ordinaryService({ eventTypes });
    service.book(form);
    for (const others of [{}, { email: 'ada@example.com' }, { start_time: start }, { status: 'PENDING' }]) {
      const { sentence, kind } = await refusal(find(service, { ...others, event_type_id: 'Intro Call' }));
      expect(kind).toBe('notFound');
      expect(sentence).toMatch(
        /^The event type "Intro Call" was not found \(status 404, without a reason\)\..*Check its ID, or choose it again\./,
      );
    }
    expect(await find(service, { event_type_id: 'evt_2', email: 'nobody@example.com' })).toEqual([]);
    service.readById.length = 0;
    const nobodys = { email: 'nobody@example.com', event_type_id: 'evt_2', start_time: start };
    expect(await find(service, nobodys, { createsOtherwise: true })).toEqual([]);
    expect(service.readById).toEqual([]);
  });

  it('Find or Create Booking reads no more than ten bookings and ten event types by their ids', async () => {
    const service = ordinaryService({ listed: ({ id }) => ({ id }) });
    for (let index = 0; index < 12; index += 1) service.book({ ...form, event_type_id: `type-${index % 11}` });
    expect((await refusal(findOrCreate(service, form))).sentence).toContain('cannot be compared');
    expect(service.readById.filter((each) => each.startsWith('bookings'))).toHaveLength(10);
    const shown = ordinaryService({ eventTypes });
    for (let index = 0; index < 12; index += 1) shown.book({ ...form, event_type_id: `type-${index % 11}` });
    await findOrCreate(shown, form);
    expect(shown.readById.slice(1)).toEqual(Array.from({ length: 10 }, (_, index) => `event-types/type-${index}`));
  });

  describe('Find Booking by email', () => {
    it('asks once for an ordinary address that is found, and in each status for one that is not', async () => {
      const service = ordinaryService();
      service.bookings.push({ id: 'bkg_1', status: 'PENDING', invitee_email: 'ada@example.com' });
      expect(await find(service, { email: 'ada@example.com' })).toEqual(['bkg_1']);
      expect(service.requests.splice(0)).toEqual([{ email: 'ada@example.com' }]);
      expect(await find(service, { email: 'grace@example.com' })).toEqual([]);
      expect(service.requests).toEqual(
        [undefined, 'PENDING', 'CONFIRMED', 'CANCELLED'].map((status) => ({ ...(status && { status }), email: 'grace@example.com' })),
      );
    });

    it('finds an address in lower case, and one that the service itself returned for it in another form', async () => {
      const service = ordinaryService({ filter: (stored, asked) => stored === asked.replace('+x', '') });
      service.bookings.push({ id: 'bkg_1', status: 'CONFIRMED', invitee_email: 'ada@example.com' });
      expect(await find(service, { email: 'ADA@Example.com' })).toEqual(['bkg_1']);
      expect(await allOf(getManyBookings.run(service.client, { email: 'ADA@Example.com' }, {}))).toMatchObject([{ id: 'bkg_1' }]);
      expect(await find(service, { email: 'ada+x@example.com' })).toEqual(['bkg_1']);
      expect(await find(service, { email: 'ada+x@example.com', event_type_id: 'evt_1' })).toEqual(['bkg_1']);
    });

    it('finds what a masked address fits, and nothing that it does not fit', async () => {
      const service = ordinaryService({ filter: () => true });
      service.bookings.push({ id: 'bkg_1', invitee_email: 'a***@example.com' }, { id: 'bkg_2', invitee_email: 'g***@example.com' });
      expect(await find(service, { email: 'ada@example.com' })).toEqual(['bkg_1']);
      expect(await find(service, { email: 'bob@example.com' })).toEqual([]);
      const { client } = service;
      expect(await allOf(getManyBookings.run(client, { email: 'grace@example.com' }, {}))).toMatchObject([{ id: 'bkg_2' }]);
    });

    it.each<[string, Habits]>([
      ['filters exactly', {}],
      ['filters by parts', { filter: (stored, asked) => stored.includes(asked) }],
    ])("never finds someone else's on a service that %s", async (_, habits) => {
      const service = ordinaryService(habits);
      for (const email of ['ada@example.com', 'ada+y@example.com', 'xada+x@example.com', undefined])
        service.bookings.push({ id: `bkg_${email}`, invitee_email: email });
      expect(await find(service, { email: 'ada+x@example.com' })).toEqual([]);
    });
  });

  it.each<[string, string[], Row[], string[]]>([
    ['beside its main one', [], [{ emails: ['ada@new.example', 'ada@example.com'] }, { assistant: 'grace@example.com' }], ['con_0']],
    ['in a list of its own', [], [{ email: [{ value: 'ada@example.com' }] }, { email: [{ value: 'xada@example.com' }] }], ['con_0']],
    ['no longer, because it was merged', [], [{}], ['con_0']],
    ['no longer, of a service that does not filter', ['nobody@host.invalid'], [{}], []],
  ])('Find Contact finds a contact that shows the email %s', async (_, also, rows, ids) => {
    const contacts = rows.map((row, index) => ({ id: `con_${index}`, email: 'ada@new.example', ...row }));
    const filter = (__: string, asked: string) => ['ada@example.com', ...also].includes(asked);
    const service = ordinaryService({ contacts, filter });
    expect((await allOf(findContact.run(service.client, { email: 'ada@example.com' }, {}))).map(({ id }) => id)).toEqual(ids);
  });

  it('with an email, a search and a list return no booking of another status, whatever the service does with both filters (G42)', async () => {
    const statuses = ['CONFIRMED', 'cancelled', 'Canceled_by_host', 'NO_SHOW', undefined];
    const service = ordinaryService({ isStatusAside: true });
    service.bookings.push(...statuses.map((status, index) => ({ id: `${index}`, status, invitee_email: 'ada@example.com' })));
    const wanted = { email: 'ada@example.com', status: 'CANCELLED' } as const;
    expect((await find(service, wanted)).sort()).toEqual(['1', '2', '3', '4']);
    expect((await allOf(getManyBookings.run(service.client, wanted, {}))).map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  });

  it('Find Contact and Get Many believe the filter of a service that shows no email', async () => {
    const service = ordinaryService({ contacts: [{ id: 'con_1' }], filter: () => true });
    service.bookings.push({ id: 'bkg_1' });
    expect(await allOf(getManyBookings.run(service.client, { email: 'ada@example.com' }, {}))).toMatchObject([{ id: 'bkg_1' }]);
    expect((await allOf(findContact.run(service.client, { email: 'ada@example.com' }, {}))).map(({ id }) => id)).toEqual(['con_1']);
  });
});
