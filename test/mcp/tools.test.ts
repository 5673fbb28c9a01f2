import { encode } from 'gpt-tokenizer';
import { toolName } from '../../mcp/adapter/names.ts';
import { toolsOf } from '../../mcp/adapter/tools.ts';
import { defineMany } from '../../shared/operations/define.ts';
import { contact } from '../../shared/records/samples.ts';
import { operations } from '../../shared/operations/index.ts';
import { formSchema } from '../../shared/operations/formSchema.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

test('every operation is a tool, in the order of the menu', async () => {
  const { tools } = await (await stage.served()).listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'cancel_booking',
    'create_booking',
    'get_booking',
    'list_bookings',
    'get_contact',
    'list_contacts',
    'search_contacts',
    'get_event_type',
    'list_event_types',
    'get_current_user',
    'create_subscription',
    'delete_subscription',
    'list_subscriptions',
  ]);
  expect(tools.every(({ title = '', description = '' }) => title !== '' && description !== '')).toBe(true);
});

test('an operation that is added to the core becomes a tool without any change here', async () => {
  const newcomer = defineMany({
    resource: 'contact',
    name: 'find',
    action: 'Find',
    description: 'Finds whoever was added last',
    effect: 'read',
    scope: 'contacts:read',
    endpoint: 'GET /v1/contacts',
    input: {},
    output: 'contact',
    sample: contact,
    run: async function* () {
      yield { ...contact, id: 'con_new' };
    },
  });
  const client = await stage.served({ operations: [...operations, newcomer] });
  const { tools } = await client.listTools();
  expect(tools.at(-1)).toMatchObject({
    name: 'find_contacts',
    title: 'Find Contact',
    description: 'Finds whoever was added last',
    annotations: { readOnlyHint: true },
  });
  expect((await client.callTool({ name: 'find_contacts' })).structuredContent).toMatchObject({ records: [{ id: 'con_new' }] });
});

test('the list of tools is short enough for a model: at most 3,000 tokens', async () => {
  const { tools } = await (await stage.served()).listTools();
  expect(encode(JSON.stringify({ tools })).length).toBeLessThanOrEqual(3_000);
});

test('each tool says what it does: it reads, it writes, or it cannot be undone', () => {
  const hints = Object.fromEntries(toolsOf(operations).map(({ definition: { name, annotations } }) => [name, annotations]));
  expect(hints['get_booking']).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true });
  expect(hints['create_booking']).toEqual({ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true });
  expect(hints['cancel_booking']).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true });
});

test('the arguments of a tool are the fields of its form, and its schema refuses any others', () => {
  for (const { operation, definition } of toolsOf(operations)) {
    const { properties, required = [], additionalProperties } = definition.inputSchema;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(operation.input)));
    expect(required).toEqual(formSchema(operation.input).required ?? []);
    expect(additionalProperties).toBe(false);
  }
});

test('the read-only mode leaves out every tool that changes something', async () => {
  const { tools } = await (await stage.served({ isReadOnly: true })).listTools();
  expect(tools.map(({ name }) => name)).toEqual(operations.filter(({ effect }) => effect === 'read').map(toolName));
});

test('a tool that is left out cannot be called either', async () => {
  const client = await stage.served({ isReadOnly: true });
  await expect(client.callTool({ name: 'create_booking', arguments: {} })).rejects.toThrow('There is no tool "create_booking".');
});

test('offers only the tools that were chosen', async () => {
  const { tools } = await (await stage.served({ only: ['create_booking', 'list_event_types'] })).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['create_booking', 'list_event_types']);
});

test('choosing a tool that does not exist is refused at the start, with a list of those that exist', () => {
  expect(() => toolsOf(operations, { only: ['create_meeting'] })).toThrow(
    'There is no tool "create_meeting". Choose from: cancel_booking, create_booking,',
  );
});
