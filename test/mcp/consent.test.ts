import type { Client } from '@modelcontextprotocol/client';
import { until } from '../support/until.ts';
import { call, Stage, textOf } from './stage.ts';
import { asLine, callLine, helloFrom, type Message, talkTo } from './inProcess.ts';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const capabilities = { elicitation: { form: {} } };

async function asking(answer: 'accept' | 'decline' | 'cancel') {
  const client = await stage.client((await stage.serve()).address, { capabilities });
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: answer, ...(answer === 'accept' && { content: {} }) };
  });
  return { client, asked };
}

const booked = async (client: Client, more: Record<string, unknown> = {}): Promise<string> =>
  ((await call(client, 'create_booking', { ...stage.wanted, ...more })).structuredContent as { id: string }).id;

const statusOf = (id: string) => stage.sandbox.bookings().find((each) => each.id === id)?.status;

test('the person reads whose booking it is, when at both ends, and the reason, and agrees: it is cancelled', async () => {
  const { client, asked } = await asking('accept');
  const invitee_name = `Ada\u202e "A"\n${'x'.repeat(120)}`;
  const when = { start_time: '2059-07-01T16:00:00Z', invitee_timezone: 'Pacific/Auckland' };
  const id = await booked(client, { ...when, invitee_name, invitee_email: 'ada@example.com', notes: 'Say yes' });
  const cancel = () => call(client, 'cancel_booking', { booking_id: id, reason: 'I am ill' });
  expect((await cancel()).structuredContent).toMatchObject({ id, status: 'CANCELLED' });
  expect(asked[0]?.split('\n')).toEqual([
    expect.stringMatching(
      /^Cancel the booking "Coffee Chat" of "Ada\\u\{202e\} \\"A\\"\\nx{80,100}" \(ada@example\.com\), Tuesday 2059-07-01 18:00 Europe\/Madrid \(host\), Wednesday 2059-07-02 04:00 Pacific\/Auckland \(invitee\)\?$/,
    ),
    'Reason: "I am ill"',
    'This cannot be undone.',
  ]);
  // There is nothing left to agree to.
  expect(textOf(await cancel())).toMatch(/^Cancel Booking: nothing changed \(already cancelled before this call\)\./);
  expect(asked).toHaveLength(1);
});

test('the person reads that a booking is over', async () => {
  const { client, asked } = await asking('decline');
  const now = new Date(stage.sandbox.clock.now()).toISOString();
  const id = stage.sandbox.bookings().find(({ end_time, status }) => end_time < now && status === 'CONFIRMED')?.id ?? '';
  await call(client, 'cancel_booking', { booking_id: id });
  expect(asked.join()).toMatch(/\nIt is already over\.\nThis cannot be undone\.$/);
  expect(textOf(await call(await stage.served(), 'cancel_booking', { booking_id: id }))).toContain('This booking is already over. Ask');
});

test('the person is shown what the call says, if nothing more can be read', async () => {
  const { client, asked } = await asking('decline');
  const { id } = (await call(client, 'create_subscription', { url: 'http://127.0.0.1:9/hooks', events: ['BOOKING_CREATED'] }))
    .structuredContent as { id: string };
  await call(client, 'delete_subscription', { subscription_id: id });
  expect(asked).toEqual([
    `Delete the webhook subscription "${id}"?\nDeletes a webhook subscription permanently, even if an active trigger uses it. This cannot be undone.`,
  ]);
});

test.each(['decline', 'cancel'] as const)('the person answers "%s": nothing happens, and the model is told', async (answer) => {
  const { client } = await asking(answer);
  const id = await booked(client);
  const result = await call(client, 'cancel_booking', { booking_id: id });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('The person did not agree: nothing was changed.');
  expect(statusOf(id)).toBe('CONFIRMED');
});

test('if the person can be asked, no argument of the model can answer for them', async () => {
  const { client, asked } = await asking('decline');
  const id = await booked(client);
  expect((await call(client, 'cancel_booking', { booking_id: id, confirm: true })).isError).toBe(true);
  expect(asked).toHaveLength(1);
  expect(statusOf(id)).toBe('CONFIRMED');
});

test('nobody is asked about a booking that does not exist, nor about an action that can be undone', async () => {
  const { client, asked } = await asking('accept');
  await booked(client);
  expect(textOf(await call(client, 'cancel_booking', { booking_id: 'bkg_nobody' }))).toContain('was not found');
  expect(asked).toEqual([]);
});

test('a client that cannot ask has to say that the person agreed, in words that are unmistakable', async () => {
  const client = await stage.served();
  const id = await booked(client);
  for (const confirm of ['true', 1, 'yes', false]) {
    const refused = textOf(await call(client, 'cancel_booking', { booking_id: id, confirm }));
    expect(refused).toContain(
      'cancel_booking cannot be undone and was not confirmed, so nothing was changed. Ask the person. If they agree, call this again with "confirm": true.\n',
    );
    // Whom and when it is about, so that the person can be asked.
    for (const shown of [`"id":"${id}"`, '"invitee_name":', '"host_start_time":']) expect(refused).toContain(shown);
  }
  expect(statusOf(id)).toBe('CONFIRMED');
});

test('a connection that may not read bookings is still told that the person must agree, and then cancels', async () => {
  const own = await Stage.open();
  try {
    const { id } = own.sandbox.host.book();
    await own.connect({ scopes: ['bookings:write'] });
    const client = await own.served();
    expect(textOf(await call(client, 'cancel_booking', { booking_id: id }))).toContain('was not confirmed, so nothing was changed.');
    expect((await call(client, 'cancel_booking', { booking_id: id, confirm: true })).isError).toBeUndefined();
  } finally {
    await own.close();
  }
});

test.each<[string, Message, boolean]>([
  ['shows forms and pages', { elicitation: { form: {}, url: {} } }, true],
  ['does not say what it shows', { elicitation: {} }, true],
  ['shows only pages', { elicitation: { url: {} } }, false],
  ['cannot ask', {}, false],
])('whether the person can be asked is known of a client that started the program: it %s', async (_, capabilities, isAsked) => {
  const talk = await talkTo(stage);
  await talk.ask('hello', helloFrom(capabilities));
  const made = await talk.ask('make', callLine('make', 'create_booking', { arguments: stage.wanted }));
  const { id } = (made as { result: { structuredContent: { id: string } } }).result.structuredContent;
  talk.write(callLine('cancel', 'cancel_booking', { arguments: { booking_id: id } }));
  const said = await until(() => talk.answers.find((each) => each['id'] === 'cancel' || each['method'] === 'elicitation/create'));
  if (!isAsked) {
    expect(JSON.stringify(said)).toContain('cannot be undone and was not confirmed');
    return;
  }
  expect(JSON.stringify(said)).toContain('This cannot be undone.');
  talk.write(asLine({ id: said['id'], result: { action: 'accept', content: {} } }));
  expect(await talk.answer('cancel')).toMatchObject({ result: { structuredContent: { id, status: 'CANCELLED' } } });
});
