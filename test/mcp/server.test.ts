import type { Client } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { toolName } from '../../mcp/adapter/names.ts';
import { defineOne, type Operation } from '../../shared/operations/define.ts';
import { operations } from '../../shared/operations/index.ts';
import { contact } from '../../shared/records/samples.ts';
import { call, Stage, textOf } from './stage.ts';
import { until } from '../support/until.ts';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

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

  test.each<[string, unknown, RegExp]>([
    ['TypeError', new TypeError(secret), /^find_contact failed because of an error in this program \(TypeError: at \S.*:\d+:\d+\)?\)\.$/],
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
    expect(error.message).not.toContain(`${sentence.replace(/".$/, '')}x`);
  });
});

test('the values of a prompt are shortened, and the missing ones are named', async () => {
  const client = await stage.served();
  const { messages } = await client.getPrompt({ name: 'find_and_cancel_a_booking', arguments: { customer: 'x'.repeat(600) } });
  expect(JSON.stringify(messages)).toContain(`Find the booking of \\"${'x'.repeat(500)}\\" and cancel it.`);
  await expect(client.getPrompt({ name: 'book_for_a_customer', arguments: { customer: '', when: 'now' } })).rejects.toThrow(
    'Fill in "customer".',
  );
});

test('the account and the first hundred event types are resources that can be given to a model', async () => {
  const client = await stage.served();
  stage.sandbox.forgetRequests();
  const contents = [];
  for (const { uri } of (await client.listResources()).resources)
    for (const part of (await client.readResource({ uri })).contents) contents.push(JSON.parse('text' in part ? part.text : '') as unknown);
  expect(contents[0]).toMatchObject({ email: stage.sandbox.account.email });
  expect(stage.sandbox.requests().map(({ path, query }) => [path, query['limit']])).toEqual([
    ['/v1/me', undefined],
    ['/v1/event-types', '100'],
  ]);
  const { records } = (await call(client, 'list_event_types', { limit: 50 })).structuredContent as { records: unknown[] };
  expect(contents[1]).toEqual(records);
});

test('identical calls that write share one result', async () => {
  const client = await stage.served();
  const given = stage.wanted;
  const made = await Promise.all([1, 2].map(() => call(client, 'create_booking', given)));
  expect(new Set(made.map(({ structuredContent }) => JSON.stringify(structuredContent))).size).toBe(1);
  expect(stage.bookingsOf(given.invitee_email)).toHaveLength(1);
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

test('the list of tools is short enough for a model: at most 3,000 tokens', async () => {
  const { tools } = await (await stage.served()).listTools();
  expect(encode(JSON.stringify({ tools })).length).toBeLessThanOrEqual(3_000);
});

test('the read-only mode leaves out every tool that changes something, and none of them can be called', async () => {
  const client = await stage.served({ isReadOnly: true });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(operations.filter(({ effect }) => effect === 'read').map(toolName));
  await expect(client.callTool({ name: 'create_booking', arguments: {} })).rejects.toThrow(
    'The tool "create_booking" is turned off: this server was started with --read-only or --tools. Only the person can change that.',
  );
});
