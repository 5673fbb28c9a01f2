import { listSearch, loadOptions, resourceMapping } from '../../n8n/adapter/lists.ts';
import { searchMethod } from '../../n8n/adapter/names.ts';
import type { LookupName } from '../../shared/operations/define.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { loadOptionsHost, type HostOptions } from './support/host.ts';
import { listOf, oneOf } from '../support/wire.ts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ limits: false })));
afterEach(() => sandbox.stop());

const host = (options: Partial<HostOptions> = {}) => loadOptionsHost({ sandbox, ...options });
const search = (lookup: LookupName, filter?: string, token?: unknown, panel = host()) => {
  const method = listSearch[searchMethod(lookup)];
  if (method === undefined) throw new Error(`There is no list of ${lookup}.`);
  return method.call(panel, filter, token);
};

it('a list is filtered by what is typed, and continues page by page, with nothing twice and nothing missing', async () => {
  expect((await search('eventTypes', 'INTRO')).results.map(({ name }) => name)).toEqual(['Intro Call (30 min)']);
  for (let index = 0; index < 130; index += 1) sandbox.host.book({ invitee_email: `guest${index}@example.com` });
  // A place that n8n does not know is the beginning.
  const first = await search('contacts', undefined, 5);
  const second = await search('contacts', undefined, first.paginationToken);
  const seen = [...first.results, ...second.results].map(({ value }) => value);
  const all = sandbox.contacts().length;
  expect([new Set(seen).size, seen.length, second.paginationToken]).toEqual([all, all, undefined]);
});

it('a list that may not be read says which permission is missing', async () => {
  const token = sandbox.issueToken({ scopes: ['bookings:read'] }).access_token;
  await expect(search('eventTypes', '', '', host({ token }))).rejects.toThrow('event_types:read');
  await expect(loadOptions.eventTypes?.call(host({ token }))).rejects.toThrow('event_types:read');
});

it("the trigger's event types end after a thousand, and say so in a first entry that selects nothing", async () => {
  const large = host();
  let asked = 0;
  large.helpers.httpRequestWithAuthentication = () => {
    asked += 1;
    const types = Array.from({ length: 100 }, (_, index) => ({ id: `evt_${asked}_${index}`, name: `Type ${asked} ${index}` }));
    return Promise.resolve({ statusCode: 200, headers: {}, body: listOf(types, String(asked)) });
  };
  const options = (await loadOptions.eventTypes?.call(large)) ?? [];
  expect(options).toHaveLength(1_001);
  expect(options[0]).toEqual({ name: 'Only the first 1,000 are listed. Enter other IDs with an expression.', value: '' });
  const { results } = await search('eventTypes', '', undefined, large);
  const name = 'Only the first 1,000 event types are listed. If yours is not there, enter its id.';
  expect(results[0]).toEqual({ name, value: '' });
});

describe('the questions of the chosen event type', () => {
  const fieldsFor = (eventTypeId: unknown, operation = { resource: 'booking', operation: 'create' }) =>
    resourceMapping.questionFields?.call(host({ parameters: { ...operation, eventTypeId } }));
  const typeNamed = (wanted: string) => sandbox.eventTypes().find(({ name }) => name === wanted);

  it('become fields with their types and whether they are required; each of several choices is a switch', async () => {
    const type = typeNamed('Project Kick-off');
    const { fields = [] } = (await fieldsFor({ __rl: true, mode: 'list', value: type?.id })) ?? {};
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
    const shown = { display: true, defaultMatch: false, canBeUsedToMatch: false };
    expect(fields).toEqual(
      type?.questions.flatMap(({ key, label, type: kind, required, options = [] }): object[] => {
        // The choice comes first, because n8n cuts off the end of a label.
        if (kind === 'multiselect')
          return options.map((option) => ({
            ...shown,
            id: `${key}::${encodeURIComponent(option)}`,
            displayName: `${option} (${label})`,
            type: types[kind],
            required: false,
            defaultValue: false,
          }));
        // An untouched switch would answer no, so an optional yes or no is a list with a blank choice.
        const answers = kind === 'boolean' ? [true, false] : options;
        const choices = answers.map((value) => ({ name: { true: 'Yes', false: 'No' }[String(value)] ?? value, value }));
        return [{ ...shown, id: key, displayName: label, type: types[kind], required, ...(choices.length > 0 && { options: choices }) }];
      }),
    );
  });

  it('are none if the event type has none, which the panel says, or for another operation', async () => {
    const plain = sandbox.eventTypes().find(({ questions }) => questions.length === 0)?.id;
    for (const mode of ['list', 'id']) {
      const notice = 'This event type asks no questions';
      expect(await fieldsFor({ __rl: true, mode, value: plain })).toEqual({ fields: [], emptyFieldsNotice: notice });
    }
    sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status: 200, body: oneOf({ id: plain, name: 'Plain' }) });
    const unknown = 'The questions of this event type cannot be read. If it asks any questions, choose Using JSON above';
    expect(await fieldsFor(plain)).toEqual({ fields: [], emptyFieldsNotice: unknown });
    expect(await fieldsFor(plain, { resource: 'subscription', operation: 'create' })).toMatchObject({ fields: [] });
  });

  it('are none if the event type cannot be read, and the panel says why', async () => {
    const token = sandbox.issueToken({ scopes: ['bookings:read'] }).access_token;
    const [missing, spaced, path, own] = ['evt_gone', 'evt 1', '../me', typeNamed('Workshop')?.id];
    const whyNot = async (eventTypeId: unknown, options: Partial<HostOptions> = {}) => {
      const parameters = { resource: 'booking', operation: 'create', eventTypeId };
      return resourceMapping.questionFields?.call(host({ ...options, parameters }));
    };
    const told = (words: string) => ({ fields: [], emptyFieldsNotice: expect.stringMatching(words) as string });
    const elsewhere = 'If it asks any questions, choose Using JSON above$';
    for (const id of [missing, spaced]) expect(await whyNot(id)).toEqual(told(`"${id}" was not found.* ${elsewhere}`));
    expect(await whyNot(path)).toEqual(told(`cannot be an id.*${elsewhere}`));
    expect(await whyNot(own, { token })).toEqual(told(`event_types:read.*${elsewhere}`));
    expect((await whyNot(` ${own}\u200b`))?.fields).toHaveLength(2);
    // That may be over in a moment, and fields that went away would take their values along.
    sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status: 500, times: 'always' });
    await expect(whyNot(own)).rejects.toThrow('could not');
  });

  it.each([
    ['id', '', 'run the previous node first'],
    ['id', '={{ $json.id }}', 'run the previous node first'],
    ['id', 77, 'run the previous node first'],
    ['list', '', 'Choose an event type'],
  ])('wait until the event type is known, cost no request until then, and say how: by %s "%s"', async (mode, value, words) => {
    const notice = expect.stringContaining(words) as string;
    expect(await fieldsFor({ __rl: true, mode, value })).toEqual({ fields: [], emptyFieldsNotice: notice });
    expect(sandbox.requests()).toEqual([]);
  });
});
