import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listSearch, loadOptions, resourceMapping } from '../../n8n/adapter/methods.ts';
import { searchMethod } from '../../n8n/adapter/names.ts';
import type { LookupName } from '../../shared/operations/define.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { openStore } from '../../sandbox/store.ts';
import { loadOptionsHost, type HostOptions } from './support/host.ts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ limits: false })));
afterEach(() => sandbox.stop());

const host = (options: Partial<HostOptions> = {}) => loadOptionsHost({ sandbox, ...options });
const search = (lookup: LookupName, filter?: string, token?: string) => {
  const method = listSearch[searchMethod(lookup)];
  if (method === undefined) throw new Error(`There is no list of ${lookup}.`);
  return method.call(host(), filter, token);
};

it('a list is filtered by what is typed, whatever its case', async () => {
  const { results } = await search('eventTypes', 'INTRO');
  expect(results.map(({ name }) => name)).toEqual(['Intro Call (30 min)']);
});

it('a long list continues page by page, with nothing twice and nothing missing', async () => {
  for (let index = 0; index < 130; index += 1)
    sandbox.host.book({ invitee_email: `guest${index}@example.com`, invitee_name: `Guest ${index}` });
  const seen: unknown[] = [];
  let token: string | undefined;
  do {
    const page = await search('contacts', undefined, token);
    seen.push(...page.results.map(({ value }) => value));
    token = page.paginationToken;
  } while (token !== undefined);
  expect(seen).toHaveLength(sandbox.contacts().length);
  expect(new Set(seen).size).toBe(seen.length);
});

it('a list that may not be read says which permission is missing', async () => {
  const token = sandbox.issueToken({ scopes: ['bookings:read'] }).access_token;
  await expect(listSearch[searchMethod('eventTypes')]?.call(host({ token }))).rejects.toThrow('event_types:read');
  await expect(loadOptions.eventTypes?.call(host({ token }))).rejects.toThrow('event_types:read');
  const parameters = { resource: 'booking', operation: 'create', eventTypeId: 'evt_1' };
  await expect(resourceMapping.questionFields?.call(host({ token, parameters }))).rejects.toThrow('event_types:read');
});

it('a page that n8n asks for without saying where it begins is the first', async () => {
  const first = await search('bookings');
  expect(await listSearch[searchMethod('bookings')]?.call(host(), '', 5)).toEqual(first);
});

describe("the trigger's event types", () => {
  const offered = async (count: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'many-types-'));
    const file = join(folder, 'data.sqlite');
    await (await startSandbox({ file })).stop();
    const store = openStore(file);
    const [type] = store.eventTypes.all({ limit: 1 });
    if (type === undefined) throw new Error('The sandbox begins without an event type.');
    for (let number = store.eventTypes.all({ limit: 100 }).length + 1; number <= count; number += 1) {
      store.eventTypes.insert({ ...type, id: `evt_more_${number}`, name: `Type ${number}`, slug: `type-${number}` });
    }
    store.close();
    const large = await startSandbox({ file, limits: false });
    try {
      const options = (await loadOptions.eventTypes?.call(host({ sandbox: large }))) ?? [];
      const [searched] = (await listSearch[searchMethod('eventTypes')]?.call(host({ sandbox: large })))?.results.slice(-1) ?? [];
      return { options, searched, ids: large.eventTypes().map(({ id }) => id) };
    } finally {
      await large.stop();
      await rm(folder, { recursive: true });
    }
  };

  it('end after a thousand, and say so in an entry that selects nothing', async () => {
    const { options, searched, ids } = await offered(1_001);
    expect(ids).toHaveLength(1_001);
    expect(options).toHaveLength(1_001);
    expect(options.at(-1)).toEqual({ name: 'Only the first 1,000 are listed. Enter other IDs with an expression.', value: '' });
    expect(searched).toEqual({ name: 'Only the first 1,000 event types are listed. If yours is not there, enter its id.', value: '' });
  });
});

describe('the questions of the chosen event type', () => {
  const fieldsFor = (eventTypeId: unknown) =>
    resourceMapping.questionFields?.call(host({ parameters: { resource: 'booking', operation: 'create', eventTypeId } }));

  it('become fields with their types, choices and whether they are required', async () => {
    const eventType = sandbox.eventTypes().find(({ name }) => name === 'Project Kick-off');
    const mapped = await fieldsFor({ __rl: true, mode: 'list', value: eventType?.id });
    const types = {
      text: 'string',
      textarea: 'string',
      number: 'number',
      boolean: 'options',
      select: 'options',
      multiselect: 'boolean',
      phone: 'string',
      email: 'string',
      date: 'dateTime',
    };
    expect(mapped?.fields.map(({ id, type, required }) => ({ id, type, required }))).toEqual(
      eventType?.questions.flatMap(({ key, type, required, options = [] }) =>
        type === 'multiselect'
          ? options.map((option) => ({ id: `${key}::${encodeURIComponent(option)}`, type: types[type], required: false }))
          : [{ id: key, type: types[type], required }],
      ),
    );
    for (const field of mapped?.fields ?? []) expect(field).toMatchObject({ display: true, defaultMatch: false, canBeUsedToMatch: false });
    const select = eventType?.questions.find(({ type }) => type === 'select');
    expect(mapped?.fields.find(({ id }) => id === select?.key)?.options?.map(({ value }) => value)).toEqual(select?.options);
  });

  it('show each choice of a multiple choice as a switch, whose label begins with the choice because n8n cuts off its end', async () => {
    const eventType = sandbox.eventTypes().find(({ name }) => name === 'Project Kick-off');
    const several = eventType?.questions.find(({ type }) => type === 'multiselect');
    const fields = (await fieldsFor({ __rl: true, mode: 'list', value: eventType?.id }))?.fields ?? [];
    const switches = fields.filter(({ id }) => id.startsWith(`${several?.key}::`));
    expect(switches.map(({ defaultValue }) => defaultValue)).toEqual(several?.options?.map(() => false));
    expect(switches.map(({ displayName }) => displayName)).toEqual(several?.options?.map((option) => `${option} (${several.label})`));
  });

  it('offer an optional yes or no with a blank choice: an untouched switch would answer no', async () => {
    const eventType = sandbox.eventTypes().find(({ name }) => name === 'Project Kick-off');
    const optional = eventType?.questions.find(({ type, required }) => type === 'boolean' && !required);
    const field = (await fieldsFor({ __rl: true, mode: 'list', value: eventType?.id }))?.fields.find(({ id }) => id === optional?.key);
    expect(field?.options?.map(({ value }) => value)).toEqual([true, false]);
    expect(field).not.toHaveProperty('defaultValue');
  });

  it('follow the event type, and are empty if it has none', async () => {
    const plain = sandbox.eventTypes().find(({ questions }) => questions.length === 0);
    expect(await fieldsFor({ __rl: true, mode: 'id', value: plain?.id })).toEqual({ fields: [] });
  });

  it('are none for another operation', async () => {
    const parameters = { resource: 'subscription', operation: 'create', eventTypeId: sandbox.eventTypes()[0]?.id };
    expect(await resourceMapping.questionFields?.call(host({ parameters }))).toMatchObject({ fields: [] });
    expect(sandbox.requests()).toEqual([]);
  });

  it.each(['', '={{ $json.id }}', 77, null])('wait until an expression is known, and say how: "%s"', async (value) => {
    expect(await fieldsFor({ __rl: true, mode: 'id', value })).toMatchObject({
      fields: [],
      emptyFieldsNotice: expect.stringContaining('run the previous node first') as string,
    });
    expect(sandbox.requests()).toEqual([]);
  });

  it('wait until an event type is chosen, and cost no request until then', async () => {
    expect(await fieldsFor({ __rl: true, mode: 'list', value: '' })).toMatchObject({
      fields: [],
      emptyFieldsNotice: expect.stringContaining('Choose an event type') as string,
    });
    expect(sandbox.requests()).toEqual([]);
  });
});
