import type { Client } from '@modelcontextprotocol/client';
import { defineMany, defineOne, field, type Operation } from '../../shared/operations/define.ts';
import { idText } from '../../shared/operations/inputs.ts';
import { operations } from '../../shared/operations/index.ts';
import { booking, contact } from '../../shared/records/samples.ts';
import { talkTo } from './inProcess.ts';
import { call, freeStart, somebody, Stage, textOf } from './stage.ts';
import { asLine, callLine, helloFrom, type Message } from './talk.ts';
import { until } from '../support/until.ts';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const wanted = () => ({ event_type_id: stage.coffee.id, start_time: freeStart(), invitee_name: 'Ada Lovelace', invitee_email: somebody() });
const booked = async (client: Client): Promise<string> =>
  ((await call(client, 'create_booking', wanted())).structuredContent as { id: string }).id;

describe('an error in this program', () => {
  const failing = (why: unknown): Operation =>
    defineOne({
      resource: 'contact',
      name: 'find',
      action: 'Find',
      description: 'Fails',
      effect: 'read',
      scope: 'contacts:read',
      endpoint: 'GET /v1/contacts',
      input: {},
      output: 'contact',
      sample: contact,
      run: () => Promise.reject(why as Error),
    });
  const secret = 'a secret from an answer';
  const without = Object.assign(new RangeError(secret), { stack: 'nothing' });

  test.each<[string, unknown, RegExp]>([
    ['TypeError', new TypeError(secret), /^find_contact failed because of an error in this program \(TypeError: at \S.*:\d+:\d+\)?\)\.$/],
    ['RangeError', without, /^find_contact failed because of an error in this program \(RangeError: nowhere\)\.$/],
    ['string', secret, /^find_contact failed because of an error in this program \(string\)\.$/],
  ])('is reported with its kind and its place, and with nothing that it contains: %s', async (name, why, line) => {
    const before = stage.logged.length;
    const client = await stage.served({ operations: [...operations, failing(why)] });
    const result = await call(client, 'find_contact');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe(
      `This failed because of an error in this program (${name}). Report this message to its maker. It may or may not have been done: check before you try again.`,
    );
    expect(stage.logged.slice(before)).toEqual([expect.stringMatching(line)]);
    expect(JSON.stringify([result, stage.logged])).not.toContain(secret);
  });
});

describe('what does not exist is named, shortened', () => {
  const long = 'x'.repeat(300);
  test.each<[string, (client: Client) => Promise<unknown>, string]>([
    ['a tool', (client) => call(client, long), `There is no tool "${'x'.repeat(80)}".`],
    ['a prompt', (client) => client.getPrompt({ name: long }), `There is no prompt "${'x'.repeat(80)}".`],
    ['a resource', (client) => client.readResource({ uri: `none://${long}` }), `none://${'x'.repeat(193)}`],
  ])('%s', async (_, asked, sentence) => {
    const client = await stage.served();
    const error = (await asked(client).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain(sentence);
    expect(error.message).not.toContain('x'.repeat(194));
    if (!sentence.startsWith('none')) expect(error.message).not.toContain('x'.repeat(81));
  });
});

test('there are no templates of resources', async () => {
  expect((await (await stage.served()).listResourceTemplates()).resourceTemplates).toEqual([]);
});

test('the values of a prompt are shortened, and the missing ones are named', async () => {
  const client = await stage.served();
  const { messages } = await client.getPrompt({ name: 'find_and_cancel_a_booking', arguments: { customer: 'x'.repeat(600) } });
  expect(JSON.stringify(messages)).toContain(`Find the booking of \\"${'x'.repeat(500)}\\" and cancel it.`);
  await expect(client.getPrompt({ name: 'book_for_a_customer', arguments: { customer: '', when: 'now' } })).rejects.toThrow(
    'Fill in "customer".',
  );
});

test('a resource has the main fields of up to a hundred records', async () => {
  const client = await stage.served();
  stage.sandbox.forgetRequests();
  await client.readResource({ uri: (await client.listResources()).resources[1]?.uri ?? '' });
  expect(stage.sandbox.requests().map(({ path, query }) => [path, query['limit']])).toEqual([['/v1/event-types', '100']]);
});

describe('whether the person can be asked', () => {
  const cancel = (id: string): string => callLine('cancel', 'cancel_booking', { arguments: { booking_id: id } });

  test.each<[string, Message, boolean]>([
    ['shows forms', { elicitation: { form: {} } }, true],
    ['shows forms and pages', { elicitation: { form: {}, url: {} } }, true],
    ['does not say what it shows', { elicitation: {} }, true],
    ['shows only pages', { elicitation: { url: {} } }, false],
    ['cannot ask', {}, false],
  ])('is known of a client that started the program: it %s', async (_, capabilities, isAsked) => {
    const talk = await talkTo(stage);
    await talk.ask('hello', helloFrom(capabilities));
    const made = await talk.ask('make', callLine('make', 'create_booking', { arguments: wanted() }));
    const { id } = (made as { result: { structuredContent: { id: string } } }).result.structuredContent;
    talk.write(cancel(id));
    const said = await until(() => talk.answers.find((each) => each['id'] === 'cancel' || each['method'] === 'elicitation/create'));
    if (!isAsked) {
      expect(JSON.stringify(said)).toContain('is permanent and was not confirmed');
      return;
    }
    expect(JSON.stringify(said)).toContain('Cancel Booking: Cancels a booking permanently. Do you agree?');
    talk.write(asLine({ id: said['id'], result: { action: 'accept', content: {} } }));
    expect(await talk.answer('cancel')).toMatchObject({ result: { structuredContent: { id, status: 'CANCELLED' } } });
  });
});

describe('the question to the person', () => {
  async function asked(name: string, given: Record<string, unknown>, all: readonly Operation[] = operations): Promise<string> {
    const client = await stage.client((await stage.serve({ operations: all })).address, { capabilities: { elicitation: { form: {} } } });
    let message = '';
    client.setRequestHandler('elicitation/create', ({ params }) => {
      message = params.message;
      return { action: 'decline' };
    });
    await call(client, name, given);
    return message;
  }

  test('shows every plain field of the record, shortened, and nothing else', async () => {
    const client = await stage.served();
    const made = await call(client, 'create_booking', { ...wanted(), notes: 'x'.repeat(300) });
    const record = made.structuredContent as { id: string; invitee_email: string };
    const message = await asked('cancel_booking', { booking_id: record.id });
    const [question, ...lines] = message.split('\n');
    expect(question).toBe('Cancel Booking: Cancels a booking permanently. Do you agree?');
    const plain = Object.entries(record).filter(([, value]) => typeof value !== 'object');
    expect(lines.sort()).toEqual(plain.map(([key, value]) => `${key}: ${JSON.stringify(value).slice(0, 200)}`).sort());
  });

  test('shows what the call says, if nothing more can be read', async () => {
    const { id } = (
      await call(await stage.served(), 'create_subscription', { url: 'http://127.0.0.1:9/hooks', events: ['BOOKING_CREATED'] })
    ).structuredContent as { id: string };
    expect(await asked('delete_subscription', { subscription_id: id })).toMatch(new RegExp(`Do you agree\\?\\nsubscription_id: "${id}"$`));
  });

  test('shows the record itself, whichever other tools take its id', async () => {
    const common = {
      resource: 'booking',
      action: 'Find',
      description: 'Finds what belongs to a booking',
      effect: 'read',
      scope: 'bookings:read',
      endpoint: 'GET /v1/bookings',
      input: { booking_id: field(idText, { label: 'Booking', help: 'The booking', control: 'text', lookup: 'bookings' }) },
    } as const;
    const others = [
      defineMany({
        ...common,
        name: 'findChanges',
        output: 'booking',
        sample: booking,
        run: async function* () {
          yield { ...booking, id: 'bkg_of_a_list' };
        },
      }),
      defineOne({
        ...common,
        name: 'findContact',
        output: 'contact',
        sample: contact,
        run: async () => ({ ...contact, id: 'con_of_a_booking' }),
      }),
    ];
    const id = await booked(await stage.served());
    const message = await asked('cancel_booking', { booking_id: id }, [...others, ...operations]);
    expect(message).toContain(`\nid: "${id}"`);
  });
});

describe('identical calls', () => {
  test('that write share one result; those that read do not', async () => {
    const client = await stage.served();
    const given = wanted();
    const made = await Promise.all([1, 2].map(() => call(client, 'create_booking', given)));
    expect(new Set(made.map(({ structuredContent }) => JSON.stringify(structuredContent))).size).toBe(1);
    expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
    stage.sandbox.forgetRequests();
    const [{ id } = { id: '' }] = stage.sandbox.contacts();
    await Promise.all([1, 2].map(() => call(client, 'get_contact', { contact_id: id })));
    expect(stage.sandbox.requests().filter(({ path }) => path === `/v1/contacts/${id}`)).toHaveLength(2);
  });
});

test('what is cancelled while it waits ends without a word', async () => {
  const client = await stage.served();
  const before = stage.logged.length;
  stage.sandbox.faults.add({ route: 'GET /v1/contacts', kind: 'status', status: 429, headers: { 'retry-after': '1' } });
  const leaving = new AbortController();
  const left = client.callTool({ name: 'list_contacts', arguments: {} }, { signal: leaving.signal });
  await until(() => stage.sandbox.faults.waiting().length === 0);
  leaving.abort();
  await expect(left).rejects.toThrow();
  expect((await call(client, 'list_contacts')).isError).toBeUndefined();
  expect(stage.logged.slice(before)).toEqual([]);
});
