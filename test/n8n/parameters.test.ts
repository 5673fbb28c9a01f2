import { DateTime } from 'luxon';
import { answersOf, choiceKey } from '../../n8n/adapter/answers.ts';
import { execute } from '../../n8n/adapter/execute.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { executeHost } from './support/host.ts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ limits: false })));
afterEach(() => sandbox.stop());

const run = (parameters: Record<string, unknown>, token = sandbox.issueToken().access_token) =>
  execute(executeHost({ sandbox, parameters, token, timezone: 'Europe/Berlin' }), operations);
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const create = (change: Record<string, unknown>, type = 'Intro Call', token?: string) =>
  run(
    {
      resource: 'booking',
      operation: 'create',
      eventTypeId: byId(sandbox.eventTypes().find(({ name }) => name === type)?.id),
      startTime: '2059-03-03T09:00:00Z',
      inviteeName: 'Ada',
      inviteeEmail: 'ada@example.com',
      additionalFields: {},
      ...change,
    },
    token,
  );
const sent = () => sandbox.requests().findLast(({ method }) => method === 'POST')?.body as Record<string, unknown>;
const inFields = (value: Record<string, unknown>) => ({
  questionResponsesMode: 'fields',
  questionResponses: { mappingMode: 'defineBelow', value },
});
const asJson = (value: Record<string, unknown>) => ({ questionResponsesMode: 'json', questionResponsesJson: JSON.stringify(value) });

it('a date of JavaScript answers a question with its day in the time zone of the workflow', async () => {
  await create(inFields({ people: 3, day: new Date('2059-03-04T23:30:00Z') }), 'Workshop');
  expect(sent()['question_responses']).toEqual({ people: 3, day: '2059-03-05' });
});

it.each([new Date(Number.NaN), DateTime.invalid('unparsable')])(
  'a date that is invalid is refused, and is not treated as an empty field',
  async (startTime) => {
    const words = '"Start" is not a date and time such as 2030-01-31T09:00:00+01:00: it is "Invalid DateTime".';
    await expect(create({ startTime })).rejects.toThrow(words);
  },
);

it('a number from an expression fills a field that takes text with its digits', async () => {
  await create({ inviteeName: 7, additionalFields: { notes: 12345 } });
  expect(sent()).toMatchObject({ invitee_name: '7', notes: '12345' });
  await expect(create({ eventTypeId: byId(77) })).rejects.toThrow('"Event Type": there is no event type');
  expect(sent()['event_type_id']).toBe('77');
});

describe('a Limit', () => {
  const list = (limit: unknown) => run({ resource: 'contact', operation: 'getMany', returnAll: false, limit });

  it('of "2" from an expression is accepted', async () => {
    expect(await list('2')).toHaveLength(2);
  });

  it.each(['ten', '  ', 0, 2.5, true])('of %j is refused with a sentence, and gives no empty list', async (limit) => {
    await expect(list(limit)).rejects.toThrow(`"Limit" must be a whole number above zero: it is ${JSON.stringify(limit)}.`);
    expect(sandbox.requests()).toEqual([]);
  });

  it('that an operation for one record still holds is not read', async () => {
    expect(await run({ resource: 'user', operation: 'getCurrent', limit: 'ten' })).toHaveLength(1);
  });
});

it.each([
  ['as JSON', asJson],
  ['in fields', inFields],
])(
  'answers %s are passed on if the connection may not read the questions, whatever their keys: the service judges them',
  async (_, given) => {
    const token = sandbox.issueToken({ scopes: ['bookings:read', 'bookings:write'] }).access_token;
    const answers = JSON.parse('{"constructor": "Ada", "__proto__": "Grace"}') as Record<string, unknown>;
    await expect(create(given(answers), 'Design Review', token)).rejects.toThrow('constructor');
    expect(JSON.stringify(sent())).toContain(JSON.stringify(answers));
  },
);

it.each([
  [
    'by the choices that are switched on',
    { 'topics::Figures': true, 'topics::Roadmap': false, 'topics::Contract': 'true' },
    ['Figures', 'Contract'],
  ],
  ['not at all if no choice is switched on', { 'topics::Figures': false, 'topics::Roadmap': false }, undefined],
  ['by the list that older workflows hold', { topics: '["Roadmap"]' }, ['Roadmap']],
])('a question that takes several answers is answered %s', async (_, value, topics) => {
  await create(inFields(value), 'Quarterly Review');
  expect(sent()['question_responses']).toEqual(topics && { topics });
});

it('choices in any characters keep their own switch, and a text under such a key stays a text', () => {
  const value = 'Höhe "A]: 50 %';
  expect(choiceKey('a::b', value)).not.toMatch(/["\]\s]/);
  const others = { 'form::name': 'Ada', 'form::more': 'partly true', 'form::less': 'false friends', 'form::a:b': true };
  expect(answersOf({ [choiceKey('a::b', value)]: true, 'form::%': true, ...others })).toEqual({ 'a::b': [value], form: ['%'], ...others });
});
