import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { operations } from '../../shared/operations/index.ts';
import { toolName } from '../../mcp/adapter/tools.ts';
import { outputOf } from '../../mcp/adapter/outputSchemas.ts';
import { recordFields } from '../../shared/records/fields.ts';
import { formFor } from '../contract/fixtures.ts';
import { call, Stage, textOf } from './stage.ts';
import { asLine, talkTo } from './inProcess.ts';
import { listOf, oneOf } from '../support/wire.ts';

let stage: Stage;
/** The SDK's client refuses an answer that is not what the tool announced. */
let client: Client;
beforeAll(async () => {
  stage = await Stage.open({ forms: { slots: 'shared' } });
  client = await stage.served({ hasOutputSchemas: true });
  await client.listTools();
});
afterAll(() => stage.close());
afterEach(() => stage.sandbox.faults.clear());

const filled = (operation: (typeof operations)[number]) => ({
  ...formFor(operation, stage.sandbox, true),
  ...(operation.effect === 'destructive' && { confirm: true }),
});

const recordsIn = ({ structuredContent }: CallToolResult): Record<string, unknown>[] => {
  const { records, ...answer } = structuredContent as Record<string, unknown>;
  return records === undefined ? [answer] : (records as Record<string, unknown>[]);
};

test.each(operations.map((operation) => [toolName(operation), operation] as const))(
  '%s announces every field that it answers with, and answers with nothing else',
  async (name, operation) => {
    const answer = await call(client, name, filled(operation));
    expect(answer.isError).toBeUndefined();
    const { tools } = await client.listTools();
    const schema = JSON.stringify(tools.find((tool) => tool.name === name)?.outputSchema);
    const keys = recordsIn(answer).flatMap(Object.keys);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(schema).toContain(`"${key}":`);
  },
);

const reading = operations.filter(({ effect }) => effect === 'read');
const odd: [string, unknown][] = [
  ['null', null],
  ['a number', 42],
  ['words', 'constructor'],
  ['an object that is no text', { toString: 1, valueOf: null }],
  ['a list', [1, { key: 5, required: 'yes' }, null]],
];
test.each(odd)('a service that sends %s in every field, and fields of its own, gets no call refused', async (_, value) => {
  const keys = Object.values(recordFields).flatMap((fields) => fields.map(({ key }) => key));
  const record = { ...Object.fromEntries([...keys, 'of_its_own'].map((key) => [key, value])), id: 'one' };
  stage.sandbox.faults.add({ route: '*', kind: 'status', status: 200, times: 'always', body: listOf([record]) });
  for (const operation of reading) {
    // Of the odd event types, none is the one of the form.
    const { event_type_id: _type, ...form }: Record<string, unknown> = filled(operation);
    const answer = await call(client, toolName(operation), operation.yields === 'many' ? form : filled(operation));
    // A busy time is no record, and a start that cannot be read takes up none.
    const id = operation.output === 'busyTime' ? undefined : 'one';
    expect([toolName(operation), answer.isError, recordsIn(answer)[0]?.['id']]).toEqual([toolName(operation), undefined, id]);
  }
});

test('a value in another form is converted; what has no such form is left out and still in the text; unknown fields stay', async () => {
  const record = { id: 7, name: null, duration_minutes: '30', active: 1, requires_approval: 'sometimes', location: { city: 'Madrid' } };
  stage.sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status: 200, body: oneOf(record) });
  const answer = await call(client, 'get_event_type', { event_type_id: '7' });
  const shown = { id: '7', duration_minutes: 30, active: true, location: '{"city":"Madrid"}' };
  expect(answer.structuredContent).toEqual({ about_this_answer: expect.stringContaining('Get Event Type: done.') as unknown, ...shown });
  expect(textOf(answer)).toContain('"requires_approval":"sometimes"');
  const hook = { id: 'sub_1', url: 'https://example.com', events: 'BOOKING_CREATED', region: null };
  stage.sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 200, body: listOf([hook]) });
  expect(recordsIn(await call(client, 'list_subscriptions'))).toEqual([{ ...hook, events: ['BOOKING_CREATED'] }]);
});

test('nothing is announced unless it is asked for, and then the list of tools has at most 6,000 tokens', async () => {
  const announced = async (args: string[]) => {
    const { result } = await (await talkTo(stage, args)).greeted().then((talk) => talk.ask(1, asLine({ id: 1, method: 'tools/list' })));
    return (result as { tools: { outputSchema?: object }[] }).tools;
  };
  expect((await announced([])).filter((tool) => 'outputSchema' in tool)).toEqual([]);
  const tools = await announced(['--output-schemas']);
  expect(tools.map(({ outputSchema }) => outputSchema)).toEqual(operations.map((operation) => outputOf(operation).schema));
  expect(encode(JSON.stringify({ tools })).length).toBeLessThanOrEqual(6_000);
});
