import {
  createBooking,
  cancelBooking,
  createSubscription,
  getBooking,
  getContact,
  getCurrentUser,
  getEventType,
  getManyBookings,
  getManyContacts,
  getManyEventTypes,
  getManySubscriptions,
} from '../../shared/operations/index.ts';
import type { ServiceRecord } from '../../shared/records/fields.ts';
import { NetworkFault, type ApiRequest, type Transport } from '../../shared/client/ports.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import { searchBookings } from '../../shared/operations/booking/search.ts';
import { HABITS, type Forms } from '../../sandbox/variants.ts';
import { adasForm, refusal, serve, heldStep, all, type TestService } from '../support/service.ts';
import { present } from '../../shared/records/outputs.ts';
import { questionsOf } from '../../shared/operations/questions.ts';
import { FORMS, type FormName } from '../../sandbox/service.ts';

/** Every habit of the sandbox that concerns what is sent, shown, listed or answered. */
const habits = Object.entries(HABITS).flatMap(([name, { values }]) =>
  values.slice(1).flatMap((value) => (name === 'trouble' ? [] : [[name, value] as [keyof Forms, string]])),
);

/** Somebody whom every habit changes. */
const somebody = { invitee_name: "Ada  O'Lovelace-Byron 🎉 & Co", invitee_email: 'Ada+Work@Example.com' };

/** What somebody sends so that the habit matters. */
const specialFor = ({ sandbox }: TestService, { email, typeId, unfiltered }: Partial<Forms>): Record<string, unknown> => {
  const types = sandbox.eventTypes();
  return {
    ...(email === 'punycode' && { invitee_email: 'Ada+Work@Bücher.example' }),
    ...(typeId === 'slug' && { event_type_id: types[0]?.slug }),
    // A booking that waits for its host is in no list of confirmed ones.
    ...(unfiltered !== undefined && {
      event_type_id: types.find(({ requires_approval: waits }) => waits)?.id,
      question_responses: { link: 'https://example.com/drafts' },
    }),
  };
};

/** Answers without a record: the booking is looked for, once, so that it can be shown. */
const isTerse = (habit: string) => /^created=(?:200|202|204|\{\}|success|location)$/.test(habit);

it.each(habits)(
  'with the habit %s=%s, a booking is one request, is found again, and is made once, whatever was lost',
  async (name, value) => {
    const habit = `${name}=${value}`;
    const service = await serve({ forms: { [name]: value }, tokenLifetimeSeconds: 86_400 });
    const { sandbox } = service;
    const sent: ApiRequest[] = [];
    /** What is lost next: the request, or its answer. */
    let lost: 'request' | 'answer' | undefined;
    const transport = (inner: Transport) => async (request: ApiRequest) => {
      sent.push(request);
      if (request.method === 'GET') return inner(request);
      const fate = lost;
      lost = undefined;
      const answer = fate === 'request' ? undefined : await inner(request);
      if (fate !== undefined || answer === undefined) throw new NetworkFault('ECONNRESET', true);
      return answer;
    };
    const client = service.clientWith({ transport });
    const special = specialFor(service, { [name]: value });
    // The contact exists under another name, as it does for most people who book.
    const invitee_name = 'Countess of Lovelace';
    sandbox.host.book({ start_time: '2030-03-05T15:00:00Z', invitee_email: somebody.invitee_email, invitee_name });

    let day = 5;
    let before: string[] = [];
    /** Another slot, when what was there is old and listed everywhere. */
    const begin = async () => {
      await sandbox.clock.advance(30 * 60_000);
      sent.length = 0;
      before = sandbox.bookings().map(({ id }) => id);
      day += 1;
    };
    const form = () => ({ event_type_id: sandbox.eventTypes()[0]?.id, start_time: `2030-03-0${day}T15:00:30Z`, ...somebody, ...special });
    const create = (by = client) => createBooking.run(by, parseInput(createBooking, form()), {});
    const requests = (verb: string) => sent.filter(({ method }) => method === verb);
    const made = () => sandbox.bookings().filter(({ id }) => !before.includes(id));

    // Nothing goes wrong.
    await begin();
    const from = sandbox.clock.now();
    const booking = await create();
    expect([requests('POST').length, made().length, sandbox.clock.now() - from]).toEqual([1, 1, 0]);
    expect(requests('GET').length).toBeLessThanOrEqual(isTerse(habit) ? 20 : 0);
    if (booking['id'] !== undefined) expect(booking['id']).toContain(made()[0]?.id);

    // A step finds it, or creates it.
    await begin();
    for (let run = 0; run < 3; run += 1) {
      const { event_type_id, start_time, invitee_email: email } = form();
      if ((await searchBookings(client, { email, event_type_id, start_time })).length === 0) await create();
      // Whatever lists are behind by.
      await sandbox.clock.advance(50_000);
    }
    expect(made()).toHaveLength(1);

    // An answer is lost. The platform holds the step once, and a person replays it later: it is told, or named as possible.
    const { writes } = heldStep();
    const step = () => create(service.clientWith({ transport, writes: writes(), patience: zapierStepPolicy }));
    await begin();
    lost = 'answer';
    const outcome = await step().catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({ kind: 'unknownOutcome' });
      await sandbox.clock.advance(70_000);
      await step().catch((error: unknown) => expect(error).toMatchObject({ kind: 'unknownOutcome' }));
    } else {
      expect(String((outcome as { id?: unknown }).id)).toContain(made()[0]?.id);
    }
    expect([made().length, requests('POST').length]).toEqual([1, 1]);

    // A request is lost: the next try makes it.
    await begin();
    lost = 'request';
    const error = await refusal(step());
    expect([error.kind, made().length]).toEqual(['unknownOutcome', 0]);
    await sandbox.clock.advance((error.retryAfterSeconds ?? 70) * 1000);
    await step();
    expect([made().length, requests('POST').length]).toEqual([1, 2]);
  },
);

describe('the forms of answers', () => {
  let service: TestService;

  /** One value of each form that affects an answer to a read, a create or a cancel. */
  const shaping: FormName[] = [
    ...([
      'list',
      'single',
      'hookName',
      'bookingEventType',
      'bookingInvitee',
      'bookingLinks',
      'questions',
      'questionKey',
      'questionType',
    ] as const),
    ...(['options', 'subscriptionUrl', 'subscriptionEvents', 'deleted', 'cancelled'] as const),
  ];
  const cases = shaping.flatMap((name) => FORMS[name].values.map((value) => ({ name, value, forms: { [name]: value } })));

  it.each(cases)('every record reads the same as in the canonical form: $name = $value', async ({ forms }) => {
    service = await serve({ forms });
    const { client, sandbox } = service;
    const context = {};
    const [someType] = sandbox.eventTypes();
    const [someContact] = sandbox.contacts();
    if (someType === undefined || someContact === undefined) throw new Error('The seed has no event type or no contact.');

    const form = adasForm(service, { invitee_timezone: 'Europe/London' });
    const bare = await createBooking.run(client, form, context);
    const made = present('booking', bare);
    const canonical = present('booking', { ...sandbox.bookings().find(({ id }) => id === made['id']) });
    const fields = 'event_type_id event_type_name invitee_name invitee_email invitee_timezone start_time status invitee_start_time';
    const shown = (record: ServiceRecord) => fields.split(' ').map((field) => record[field]);
    expect(shown(made)).toEqual(shown(canonical));
    expect(shown(made)).not.toContain(undefined);
    expect(await getBooking.run(client, { booking_id: String(made['id']) }, context)).toEqual(bare);
    expect((await all(getManyBookings.run(client, { email: form.invitee_email }, context)))[0]).toEqual(bare);

    const cancelled = await cancelBooking.run(client, { booking_id: String(made['id']), reason: 'a test' }, context);
    expect(cancelled).toMatchObject({ id: made['id'], status: 'CANCELLED', cancellation_reason: 'a test', already_cancelled: false });

    const types = await all(getManyEventTypes.run(client, {}, context));
    expect(new Set(types.map(({ id }) => id))).toEqual(new Set(sandbox.eventTypes().map(({ id }) => id)));
    const { id, email } = someContact;
    expect(await getEventType.run(client, { event_type_id: someType.id }, context)).toMatchObject({ id: someType.id, name: someType.name });
    expect(await all(getManyContacts.run(client, {}, context))).toHaveLength(sandbox.contacts().length);
    expect(await getContact.run(client, { contact_id: id }, context)).toMatchObject({ id, email });
    expect(await getCurrentUser.run(client, {}, context)).toMatchObject({ email: sandbox.account.email });

    const url = 'http://127.0.0.1:9/hooks';
    const subscription = await createSubscription.run(client, { url, events: ['BOOKING_CREATED'] }, context);
    expect(subscription['signing_secret']).toEqual(expect.any(String));
    const [listed] = await all(getManySubscriptions.run(client, {}, context));
    expect(listed).toMatchObject({ id: subscription['id'], url });
    expect([listed?.['events']].flat()).toEqual(['BOOKING_CREATED']);
    expect(listed).not.toHaveProperty('signing_secret');
  });

  it('reads records that have an id and nothing else (G5 to G7)', async () => {
    service = await serve({ forms: { records: 'sparse' } });
    const { client, sandbox } = service;
    const bookings = await all(getManyBookings.run(client, {}, {}));
    expect(bookings).toHaveLength(sandbox.bookings().length);
    expect(Object.keys(bookings[0] ?? {})).toEqual(['id']);
    expect(await questionsOf(client, sandbox.eventTypes()[0]?.id ?? '')).toBeUndefined();
  });
});
