import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { parseInput } from '../../shared/operations/define.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { searchBookings } from '../../shared/operations/booking/search.ts';
import { HABITS, type Forms } from '../../sandbox/variants.ts';
import { refusal, serve, type TestService } from '../support/service.ts';
import { heldStep } from '../support/heldStep.ts';

/** Every habit of the sandbox that concerns what is sent, shown, listed or answered. */
const habits = Object.entries(HABITS).flatMap(([name, { values }]) =>
  values.slice(1).flatMap((value) => (name === 'trouble' ? [] : [[name, value] as [keyof Forms, string]])),
);

let service: TestService;

/** Somebody whom every habit changes. */
const somebody = { invitee_name: "Ada  O'Lovelace-Byron 🎉 & Co", invitee_email: 'Ada+Work@Example.com' };
/** What somebody sends so that the habit matters. */
let special: Record<string, unknown> = {};
const form = (change: Record<string, unknown> = {}) => ({
  event_type_id: service.sandbox.eventTypes()[0]?.id,
  start_time: '2030-03-06T15:00:30Z',
  ...somebody,
  ...special,
  ...change,
});
const specialFor = ({ email, typeId, unfiltered }: Partial<Forms>): Record<string, unknown> => {
  const types = service.sandbox.eventTypes();
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
const create = (change: Record<string, unknown> = {}, client = service.client) =>
  createBooking.run(client, parseInput(createBooking, form(change)), {});

const requests = (method: string) => service.sandbox.requests().filter((each) => each.method === method);
const posts = () => requests('POST').filter(({ path }) => path === '/v1/bookings');
let before: string[] = [];
const made = () => service.sandbox.bookings().filter(({ id }) => !before.includes(id));
const fault = (kind: 'drop-before' | 'drop-after') => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind });

async function beginWith(forms: Partial<Forms>): Promise<void> {
  service = await serve({ forms });
  special = specialFor(forms);
  // The contact exists under another name, as it does for most people who book.
  service.sandbox.host.book({
    start_time: '2030-03-05T15:00:00Z',
    invitee_email: somebody.invitee_email,
    invitee_name: 'Countess of Lovelace',
  });
  await service.sandbox.clock.advance(10 * 60_000);
  service.sandbox.forgetRequests();
  before = service.sandbox.bookings().map(({ id }) => id);
}

/** Answers without a record: the booking is looked for, once, so that it can be shown. */
const isTerse = (name: string, value: string) => name === 'created' && ['200', '202', '204', '{}', 'success', 'location'].includes(value);

describe('nothing goes wrong', () => {
  it.each(habits)('with the habit %s=%s, a booking is one request and is told at once', async (name, value) => {
    await beginWith({ [name]: value });
    const from = service.sandbox.clock.now();
    const booking = await create();
    expect(posts()).toHaveLength(1);
    expect(made()).toHaveLength(1);
    expect(service.sandbox.clock.now()).toBe(from);
    if (isTerse(name, value)) expect(requests('GET').length).toBeLessThanOrEqual(20);
    else expect(requests('GET')).toHaveLength(0);
    if (booking['id'] !== undefined) expect(booking['id']).toContain(made()[0]?.id);
  });

  it.each(habits)('with the habit %s=%s, the booking that a step finds or creates is made once', async (name, value) => {
    await beginWith({ [name]: value });
    const { event_type_id, start_time, invitee_email: email } = form();
    const run = async (): Promise<void> => {
      const found = await searchBookings(service.client, { email, event_type_id, start_time });
      if (found.length === 0) await create();
    };
    for (let count = 0; count < 3; count += 1) {
      await run();
      // Whatever lists are behind by.
      await service.sandbox.clock.advance(50_000);
    }
    expect(made()).toHaveLength(1);
  });
});

describe('an answer is lost', () => {
  /** The platform holds the step once, and a person replays it later. */
  const step = () => {
    const { writes } = heldStep();
    return () => create({}, service.clientWith({ writes: writes(), patience: zapierStepPolicy }));
  };

  it.each(habits)('with the habit %s=%s, the booking is told, or named as possible, and never made again', async (name, value) => {
    await beginWith({ [name]: value });
    const run = step();
    fault('drop-after');
    const outcome = await run().catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({ kind: 'unknownOutcome' });
      await service.sandbox.clock.advance(70_000);
      await run().catch((error: unknown) => expect(error).toMatchObject({ kind: 'unknownOutcome' }));
    } else {
      expect(String((outcome as { id?: unknown }).id)).toContain(made()[0]?.id);
    }
    expect(made()).toHaveLength(1);
    expect(posts()).toHaveLength(1);
  });

  /** Where an earlier booking seems to have been made since, it may be the lost one, moved: the person is told, and nothing is sent. */
  const unsure = ['createdAt=local'];
  const sure = habits.filter(([name, value]) => !unsure.includes(`${name}=${value}`));

  it.each(sure)('with the habit %s=%s, a request that was truly lost is made by the next try', async (name, value) => {
    await beginWith({ [name]: value });
    const run = step();
    fault('drop-before');
    const error = await refusal(run());
    expect(error).toMatchObject({ kind: 'unknownOutcome' });
    expect(made()).toHaveLength(0);
    await service.sandbox.clock.advance((error.retryAfterSeconds ?? 70) * 1000);
    await run();
    expect(made()).toHaveLength(1);
    expect(posts()).toHaveLength(2);
  });
});
