import { DateTime } from 'luxon';
import {
  NodeApiError,
  NodeOperationError,
  UserError,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeParameters,
} from 'n8n-workflow';
import { answersOf, choiceKey } from '../../n8n/adapter/answers.ts';
import { inParallel } from '../../n8n/adapter/pool.ts';
import { executeHost, type HostOptions } from './support/host.ts';
import { listOf } from '../support/wire.ts';
import { create, day, execute, failed, open, posts, run, sandbox } from './support/sandboxOfTests.ts';

const me = { parameters: { resource: 'user', operation: 'getCurrent' } };
const unknown = { parameters: { resource: 'user', operation: 'erase' } };
/** n8n drops an operation that does not belong to the resource. */
const elsewhere = { parameters: { resource: 'users' } };
const wrong = { parameters: { resource: 'booking', operation: 'get', bookingId: '   ' } };
const missing = { parameters: { resource: 'booking', operation: 'get', bookingId: 'bkg_none' } };

const oneOfTwo = '1 of 2 items finished before the error. To keep their output, set On Error to Continue.';

const list = (filters: Record<string, unknown>) => ({ resource: 'booking', operation: 'getMany', returnAll: true, filters });
const nothings = [undefined, null, '', [], ' ', '\u200b'];

it('a filter that came out empty is left out where a model fills it in, and the first item says so; a tool whose expression gave nothing is refused', async () => {
  const all = (await run({ parameters: list({}) })).length;
  const model = "={{ $fromAI('email', `The invitee`, 'string') }}";
  const tool = (email: unknown, written: string) =>
    run({
      parameters: list({ email }),
      node: { type: 'n8n-nodes-scheduler.schedulerTool', parameters: { filters: { email: written } } },
    });
  for (const nothing of nothings) {
    const [first, ...items] = await tool(nothing, model);
    expect(first?.json).toEqual({ note: 'Nothing was filtered by "Invitee Email", because it is empty.' });
    expect(items).toHaveLength(all);
    const [refused, ...others] = await tool(nothing, '={{ $json.email }}');
    expect(refused?.json['error']).toContain('"Invitee Email" is set, but it is empty');
    expect(others).toEqual([]);
  }
  const hints: string[] = [];
  const asNode = { parameters: list({ email: '' }), node: { parameters: { filters: { email: model } } }, hints };
  expect(await run(asNode)).toHaveLength(all);
  expect(hints).toEqual(['Nothing was filtered by "Invitee Email", because it is empty.']);
});

it.each([
  ['is wrong', wrong, NodeOperationError, undefined, '"Booking" is required', /^[A-Z].+\. 1 of 2/],
  ['the service refuses', missing, NodeApiError, '404', 'The booking "bkg_none" was not found.', /^It may be deleted, .+\. 1 of 2/],
  ['has an unknown operation', unknown, NodeOperationError, undefined, 'This node has no operation "erase" for "user".', /^1 of 2/],
  ['has an unknown resource', elsewhere, NodeOperationError, undefined, 'This node has no operation "" for "users".', /^1 of 2/],
])(
  'an item that %s after one that succeeded: the error has its number, says what to do and how many finished',
  async (_, item, kind, code, message, description) => {
    const error = await failed(run({ items: [me, item] }));
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toContain(message);
    expect(error.context).toMatchObject({ itemIndex: 1 });
    expect(error.httpCode).toBe(code);
    expect(error.description).toMatch(description);
    expect(error.description?.endsWith(oneOfTwo)).toBe(true);
  },
);

it('if every item fails, nothing is said of items that finished', async () => {
  expect((await failed(run({ items: [wrong, wrong] }))).description).not.toContain('finished');
});

it('an item of a node that continues holds what happened and what to do, and nothing else', async () => {
  const outcomes = await run({ items: [missing, unknown, me], node: { onError: 'continueRegularOutput' } });
  expect(outcomes).toEqual([
    { json: { error: expect.stringMatching(/was not found\. It may .*again\.$/) as string }, pairedItem: { item: 0 } },
    { json: { error: 'This node has no operation "erase" for "user". Choose one from the list.' }, pairedItem: { item: 1 } },
    { json: expect.objectContaining({ email: sandbox.account.email }) as object, pairedItem: { item: 2 } },
  ]);
});

describe("an agent's tool", () => {
  // Of an error that is thrown, n8n's agents read half or nothing.
  const asTool = { node: { type: 'n8n-nodes-scheduler.schedulerTool' } };

  it('hands back a failure as an item with the whole sentence, whatever failed', async () => {
    sandbox.host.book({ start_time: day(0), event_type_id: sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id ?? '' });
    const told = async (options: Omit<HostOptions, 'sandbox'>) => (await run({ ...options, ...asTool })).map(({ json }) => json);
    expect(await told({ parameters: create() })).toEqual([
      { error: expect.stringMatching(/^That time is not free for this event type: .*\. Choose another start\.$/) as string },
    ]);
    expect(await told(wrong)).toEqual([{ error: expect.stringMatching(/^"Booking" is required.*run this again\.$/) as string }]);
    expect(await told(unknown)).toEqual([{ error: 'This node has no operation "erase" for "user". Choose one from the list.' }]);
    expect(await told({ ...me, baseUrl: 'http://example.com/api/v1' })).toEqual([
      { error: expect.stringMatching(/it must begin with https:\/\/\. Enter one like /) as string },
    ]);
    expect(await told({ ...me, withoutCredential: new Error('Node does not have any credentials set') })).toEqual([
      { error: 'Node does not have any credentials set. Nothing was sent. Check the credential of this node, and try again.' },
    ]);
  });

  it('says in its first item what the panel of a node would say', async () => {
    const parameters = { resource: 'booking', operation: 'getMany', returnAll: false, limit: 1, filters: { upcoming: true } };
    const [first] = await run({ parameters, ...asTool });
    expect(first?.json['note']).toMatch(/ in this window, of \d+ that were read\. There may be more than the items shown\./);
  });
});

it.each([
  ['a base URL that cannot be used', { baseUrl: 'http://example.com/api/v1' }, 'it must begin with https://'],
  ['no base URL', { baseUrl: null as never }, 'The base URL cannot be used: it is not a URL.'],
  ['no credential', { withoutCredential: new Error('Node does not have any credentials set') }, 'Node does not have any credentials set'],
])('%s ends in a sentence before anything is sent', async (_, options, words) => {
  const error = await failed(run({ ...me, ...options }));
  expect(error).toBeInstanceOf(NodeOperationError);
  expect(error.message).toContain(words);
  expect(sandbox.requests()).toEqual([]);
});

it("n8n's own errors keep their words and their kind, and get the number of their item", async () => {
  const node = { id: '1', name: 'Scheduler', type: 't', typeVersion: 1, position: [0, 0], parameters: {} } as INode;
  const [message, description] = ['The credential "Account" needs to be reconnected.', 'Open it and connect again.'];
  const own = new NodeOperationError(node, message, { description });
  const host = executeHost({ sandbox, items: [me, missing] });
  const send = host.helpers.httpRequestWithAuthentication.bind(host);
  host.helpers.httpRequestWithAuthentication = (type, request) =>
    request.url.endsWith('bkg_none') ? Promise.reject(own) : (send(type, request) as Promise<unknown>);
  expect(await failed(execute(host))).toBe(own);
  expect([own.message, own.description]).toEqual([message, `${description} ${oneOfTwo}`]);
  expect(own.context).toMatchObject({ itemIndex: 1 });
});

it('no title of ours is replaced by n8n, which looks for the names of system errors inside words', async () => {
  const says = (words: unknown) => ({ ...me, withoutCredential: Object.assign(new Error(), { message: words }) });
  for (const words of ['The answer to "preexisting_conditions" is wrong.', 'ENOENT EPERM getaddrinfo'])
    expect((await failed(run(says(words)))).message).toBe(words);
  expect((await failed(run(says({})))).message).toBe('Error');
  const byEmail = { resource: 'contact', operation: 'search', email: '[object Object]' };
  expect((await failed(run({ parameters: byEmail }))).message).toContain('"[object Object]"');
});

it.each([
  [new UserError('Credential with ID "1" does not exist.'), 'Nothing was sent. Check the credential of this node, and try again.'],
  [new UserError('The vault is sealed', { description: 'Ask your administrator.' }), 'Ask your administrator.'],
])('%s: what n8n says of a credential that it cannot give keeps its words, and says what to do', async (withoutCredential, description) => {
  for (const options of [me, { parameters: create() }])
    expect(await failed(run({ ...options, withoutCredential }))).toMatchObject({ message: withoutCredential.message, description });
  expect(sandbox.requests()).toEqual([]);
});

it('a thousand items make a thousand bookings, none twice, in order, and no request is refused', async () => {
  await sandbox.stop();
  await open({});
  const starts = Array.from({ length: 1000 }, (_, index) => new Date(Date.UTC(2030, 5, 3) + index * 30 * 60_000).toISOString());
  const before = sandbox.bookings().length;
  const items = await run({
    parameters: create({ startTime: undefined }),
    items: starts.map((startTime) => ({ parameters: { startTime } })),
  });
  expect(items.map(({ json }) => new Date(json['start_time'] as string).toISOString())).toEqual(starts);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual(starts.map((_, item) => ({ item })));
  expect(sandbox.bookings()).toHaveLength(before + starts.length);
  expect(sandbox.requests().filter(({ status }) => status === 429)).toEqual([]);
});

describe('what an expression gives', () => {
  const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
  const booked = (change: Record<string, unknown>, type = 'Intro Call', token = sandbox.issueToken().access_token, timezone?: string) => {
    const eventTypeId = byId(sandbox.eventTypes().find(({ name }) => name === type)?.id);
    return run({ parameters: create({ eventTypeId, ...change }), token, ...(timezone && { timezone }) });
  };
  const sent = () => posts().at(-1)?.body as Record<string, unknown>;
  const inFields = (value: object) => ({ questionResponses: { mappingMode: 'defineBelow', value } });
  const asJson = (value: object) => ({ questionResponsesMode: 'json', questionResponsesJson: JSON.stringify(value) });

  it.each([
    ['its day in the time zone of the workflow', new Date('2059-03-04T23:30:00Z'), 'Europe/Madrid', '2059-03-05'],
    ['the day that it was made of', new Date('2059-03-04'), 'America/New_York', '2059-03-04'],
  ])('a date of JavaScript answers a question with %s', async (_, date, timezone, day) => {
    await booked(inFields({ people: 3, day: date }), 'Workshop', undefined, timezone);
    expect(sent()['question_responses']).toEqual({ people: 3, day });
  });

  it.each([new Date(Number.NaN), DateTime.invalid('unparsable')])(
    'a date that is invalid is refused, and is no empty field',
    async (startTime) => {
      const words = '"Start" is not a date and time such as 2030-01-31T09:00:00+01:00: it is "Invalid DateTime".';
      await expect(booked({ startTime })).rejects.toThrow(words);
    },
  );

  it('a wall clock is refused with the name of the time zone, if that of the workflow or of n8n is none', async () => {
    const words = '"Start" has no UTC offset, and its time zone Pacific is not a time zone such as Europe/Berlin: it is "2059-03-04 9:00".';
    await expect(booked({ startTime: '2059-03-04 9:00' }, 'Intro Call', undefined, 'Pacific')).rejects.toThrow(words);
    await booked({ startTime: '2059-03-04 9:00' }, 'Intro Call', undefined, 'America/Vancouver');
    expect(sent()).toMatchObject({ start_time: '2059-03-04T16:00:00Z' });
  });

  it('the choice of another node, which is an object, is the ID in it', async () => {
    const { id } = sandbox.eventTypes().find(({ name }) => name === 'Intro Call') ?? {};
    await booked({ eventTypeId: byId({ __rl: true, mode: 'list', value: id, cachedResultName: 'Intro Call' }) });
    expect(sent()).toMatchObject({ event_type_id: id });
  });

  it('a number fills a field that takes text with its digits', async () => {
    await booked({ inviteeName: 7, additionalFields: { notes: 12345 } });
    expect(sent()).toMatchObject({ invitee_name: '7', notes: '12345' });
    await expect(booked({ eventTypeId: byId(77) })).rejects.toThrow('"Event Type": there is no event type');
    await expect(booked({ inviteeName: 'undefined' })).rejects.toThrow('which programs write in place of a missing value');
  });

  it('a Limit is a whole number above zero, or is refused with a sentence; an operation for one record does not read it', async () => {
    const list = (limit: unknown) => run({ parameters: { resource: 'contact', operation: 'getMany', returnAll: false, limit } });
    for (const limit of ['ten', '  ', 0, 2.5, true])
      await expect(list(limit)).rejects.toThrow(`"Limit" must be a whole number above zero: it is ${JSON.stringify(limit)}.`);
    expect(sandbox.requests()).toEqual([]);
    expect(await list('2')).toHaveLength(2);
    // An expression gives text.
    const all = { resource: 'contact', operation: 'getMany', returnAll: 'true', limit: 1 };
    expect(await run({ parameters: all })).toHaveLength(
      await run({ parameters: { ...all, returnAll: true } }).then(({ length }) => length),
    );
    expect(await run({ parameters: { ...me.parameters, limit: 'ten' } })).toHaveLength(1);
  });

  it.each([asJson, inFields])(
    'answers are passed on if nobody may read the questions, whatever their keys: the service judges them',
    async (given) => {
      const token = sandbox.issueToken({ scopes: ['bookings:read', 'bookings:write'] }).access_token;
      const answers = JSON.parse('{"constructor": "Ada", "__proto__": "Grace"}') as object;
      await expect(booked(given(answers), 'Design Review', token)).rejects.toThrow('constructor');
      expect(JSON.stringify(sent())).toContain(JSON.stringify(answers));
    },
  );

  it.each([
    [
      'the choices that are switched on',
      { 'topics::Figures': true, 'topics::Roadmap': false, 'topics::Contract': 'true' },
      ['Figures', 'Contract'],
    ],
    ['nothing if no choice is switched on', { 'topics::Figures': false, 'topics::Roadmap': false }, undefined],
    ['the list that older workflows hold', { topics: '["Roadmap"]' }, ['Roadmap']],
  ])('a question that takes several answers is answered with %s', async (_, value, topics) => {
    await booked(inFields(value), 'Quarterly Review');
    expect(sent()['question_responses']).toEqual(topics && { topics });
  });

  it('choices in any characters keep their own switch, and a text under such a key stays a text', () => {
    const value = 'Höhe "A]: 50 %';
    expect(choiceKey('a::b', value)).not.toMatch(/["\]\s]/);
    const others = { 'form::name': 'Ada', 'form::more': 'partly true', 'form::less': 'false friends', 'form::a:b': true };
    expect(answersOf({ [choiceKey('a::b', value)]: true, 'form::%': true, ...others })).toEqual({
      'a::b': [value],
      form: ['%'],
      ...others,
    });
  });
});

it('additional fields that an expression turned into a text count as none, and the output begins with who and when', async () => {
  const [made] = await run({ parameters: create({ additionalFields: 'text' }) });
  expect(Object.keys(made?.json ?? {}).slice(0, 3)).toEqual(['invitee_name', 'event_type_name', 'readable_start']);
});

it('says that the secret is shown only once if one was returned, and not after a run that failed', async () => {
  const hintsOf = async (url: string): Promise<string[]> => {
    const hints: string[] = [];
    const parameters = { resource: 'subscription', operation: 'create', url, events: ['BOOKING_CREATED'] };
    await run({ parameters, hints }).catch(() => undefined);
    return hints;
  };
  expect(await hintsOf('no address')).toEqual([]);
  expect(await hintsOf('http://127.0.0.1:9/hooks')).toEqual(['Save signing_secret now. It is shown only once.']);
});

describe('lists', () => {
  it('give fifty by default, simplified, in one request', async () => {
    const list = { resource: 'booking', operation: 'getMany' };
    const items = await run({ parameters: list });
    expect(sandbox.requests().map(({ query }) => query)).toEqual([{ limit: '50' }]);
    for (const simplify of [true, 'true']) expect(items).toEqual(await run({ parameters: { ...list, simplify } }));
    // Who and when comes first, and what the service offers its invitees is there.
    const keys = ['invitee_name', 'event_type_name', 'readable_start', 'status', 'invitee_email', 'start_time', 'id'];
    const upcoming = items.find(({ json }) => json['status'] !== 'CANCELLED')?.json;
    expect(Object.keys(upcoming ?? {})).toEqual([...keys, 'reschedule_url', 'cancel_url', 'booking_url']);
  });

  const hintsOf = async (change: Record<string, unknown>, items: IDataObject[] = [{}, {}], written: INodeParameters = {}) => {
    const hints: string[] = [];
    // n8n hands over the parameters also as they are written.
    const parameters = { resource: 'contact', operation: 'getMany', ...change };
    await run({ parameters, node: { parameters: { ...parameters, ...written } }, items, hints });
    return hints;
  };

  it('say that there may be more if the limit was reached, and only then', async () => {
    const all = sandbox.contacts().length;
    expect(await hintsOf({ returnAll: false, limit: all - 1 })).toEqual([
      'There may be more than the items shown. To get them, raise Limit or turn on Return All.',
    ]);
    expect(await hintsOf({ returnAll: false, limit: all })).toEqual([]);
    for (const returnAll of [true, 'true']) expect(await hintsOf({ returnAll, limit: 1 })).toEqual([]);
  });

  it('say nothing where n8n itself says that the limit was reached, and nothing that the panel says already', async () => {
    expect(await hintsOf({ returnAll: false, limit: 1 }, [{}])).toEqual([]);
    // n8n does not, where an expression gives the limit.
    expect(await hintsOf({ returnAll: false, limit: 1 }, [{}], { limit: '={{ 1 }}' })).toHaveLength(1);
    const bookings = { resource: 'booking', filters: { upcoming: true } };
    for (const limit of [1, 50]) expect(await hintsOf({ ...bookings, returnAll: false, limit }, [{}])).toEqual([]);
    const window = { from: day(0), to: day(7) };
    expect(await hintsOf({ ...bookings, operation: 'getBusy', returnAll: true, ...window }, [{}])).toEqual([]);
  });

  it('say everything that there is to say in one hint', async () => {
    const unreadable = { ...sandbox.bookings()[0], id: 'bkg_odd', start_time: 'some day', end_time: null, status: 'CONFIRMED' };
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body: listOf([unreadable]), times: 'always' });
    const hints = await hintsOf({ resource: 'booking', returnAll: false, limit: 1, filters: { from: day(0) } });
    expect(hints).toEqual(['1 booking is among them without a start that can be read.']);
  });

  it('are returned if the host cannot show a hint, as for the tool of an agent in the oldest n8n', async () => {
    const parameters = { resource: 'contact', operation: 'getMany', returnAll: false, limit: 1 };
    const { addExecutionHints: _, ...tool } = executeHost({ sandbox, parameters, node: { type: 'n8n-nodes-scheduler.schedulerTool' } });
    expect(await execute(tool as IExecuteFunctions)).toHaveLength(2);
  });

  it('give an agent the chosen fields and the ID, in reading order', async () => {
    const parameters = { resource: 'booking', operation: 'getMany', limit: 1, simplify: 'selectedFields' };
    const [item] = await run({ parameters: { ...parameters, selectedFields: ['invitee_start_time', 'status', 'invitee_name'] } });
    expect(Object.keys(item?.json ?? {})).toEqual(['invitee_name', 'status', 'invitee_start_time', 'id']);
    const [none] = await run({ parameters: { ...parameters, selectedFields: [] } });
    expect(Object.keys(none?.json ?? {})).toEqual(['id']);
    const [pasted] = await run({ parameters });
    expect(pasted?.json).toHaveProperty('created_at');
  });
});

it('no item begins after a failure; those that run are waited for, and the first that failed is reported', async () => {
  const started: PromiseWithResolvers<number>[] = [];
  let isOver = false;
  const all = inParallel(Array.from({ length: 5 }), 3, (_, index) => (started[index] = Promise.withResolvers<number>()).promise);
  const ended = all.finally(() => (isOver = true));
  for (const index of [2, 1]) started[index]?.reject(new Error(`failed ${index}`));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  started[0]?.resolve(0);
  expect(await ended).toMatchObject({ finished: 1, failure: { index: 1, error: new Error('failed 1') } });
  expect(started).toHaveLength(3);
});
