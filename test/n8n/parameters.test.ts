import { DateTime } from 'luxon';
import { answersOf, choiceKey } from '../../n8n/adapter/answers.ts';
import { execute } from '../../n8n/adapter/execute.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { executeHost } from './support/host.ts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ limits: false })));
afterEach(() => sandbox.stop());

const run = (parameters: Record<string, unknown>) => execute(executeHost({ sandbox, parameters, timezone: 'Europe/Berlin' }), operations);
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const typeNamed = (wanted: string) => sandbox.eventTypes().find(({ name }) => name === wanted)?.id;
const create = (change: Record<string, unknown>) =>
  run({
    resource: 'booking',
    operation: 'create',
    eventTypeId: byId(typeNamed('Intro Call')),
    startTime: '2059-03-03T09:00:00Z',
    inviteeName: 'Ada',
    inviteeEmail: 'ada@example.com',
    additionalFields: {},
    ...change,
  });
const sent = () =>
  sandbox
    .requests()
    .filter(({ method }) => method === 'POST')
    .at(-1)?.body as Record<string, unknown>;

describe('a date from an expression', () => {
  it.each([
    ['of JavaScript', new Date('2059-03-04T09:00:00Z')],
    ['of luxon', DateTime.fromISO('2059-03-04T10:00:00.000', { zone: 'Europe/Berlin' })],
  ])('%s is a start', async (_, startTime) => {
    await create({ startTime });
    expect(sent()['start_time']).toBe('2059-03-04T09:00:00Z');
  });

  it('of JavaScript answers a question with its day in the time zone of the workflow', async () => {
    const value = { people: 3, day: new Date('2059-03-04T23:30:00Z') };
    await create({
      eventTypeId: byId(typeNamed('Workshop')),
      questionResponsesMode: 'fields',
      questionResponses: { mappingMode: 'defineBelow', value },
    });
    expect(sent()['question_responses']).toEqual({ people: 3, day: '2059-03-05' });
  });

  it.each([new Date(Number.NaN), DateTime.invalid('unparsable')])(
    'that is invalid is refused, and is not treated as an empty field',
    async (startTime) => {
      await expect(create({ startTime })).rejects.toThrow(
        '"Start" is not a date and time such as 2030-01-31T09:00:00+01:00: it is "Invalid DateTime".',
      );
    },
  );
});

it('a number from an expression fills a field that takes text with its digits', async () => {
  await create({ inviteeName: 7, additionalFields: { notes: 12345 } });
  expect(sent()).toMatchObject({ invitee_name: '7', notes: '12345' });
  await expect(create({ eventTypeId: byId(77) })).rejects.toThrow('"Event Type": there is no event type');
  expect(sent()['event_type_id']).toBe('77');
});

describe('a Limit', () => {
  const list = (limit: unknown) => run({ resource: 'contact', operation: 'getMany', returnAll: false, limit });

  it.each([2, '2'])('of %j from an expression is accepted', async (limit) => {
    expect(await list(limit)).toHaveLength(2);
  });

  it.each(['ten', '', '  ', 0, -1, 2.5, Number.NaN, true])('of %j is refused with a sentence, and gives no empty list', async (limit) => {
    await expect(list(limit)).rejects.toThrow(`"Limit" must be a whole number above zero: it is ${JSON.stringify(limit)}.`);
    expect(sandbox.requests()).toEqual([]);
  });

  it('that an operation for one record still holds is not read', async () => {
    expect(await run({ resource: 'user', operation: 'getCurrent', limit: 'ten' })).toHaveLength(1);
  });
});

/** Books an event type with the given answers, and returns the answers that were sent. */
async function answersSent(typeName: string, answers: Record<string, unknown>, token?: string): Promise<unknown> {
  const type = sandbox.eventTypes().find(({ name }) => name === typeName);
  const parameters = {
    resource: 'booking',
    operation: 'create',
    eventTypeId: { __rl: true, mode: 'list', value: type?.id },
    startTime: '2059-03-03T09:00:00Z',
    inviteeName: 'Ada',
    inviteeEmail: 'ada@example.com',
    additionalFields: {},
    ...answers,
  };
  await execute(executeHost({ sandbox, parameters, ...(token !== undefined && { token }) }), operations);
  return (sandbox.requests().findLast(({ method }) => method === 'POST')?.body as { question_responses?: unknown }).question_responses;
}

const inFields = (value: Record<string, unknown>) => ({
  questionResponsesMode: 'fields',
  questionResponses: { mappingMode: 'defineBelow', value },
});
const asJson = (value: Record<string, unknown>) => ({ questionResponsesMode: 'json', questionResponsesJson: JSON.stringify(value) });

it.each([
  ['as JSON', asJson],
  ['in fields', inFields],
])('answers %s under keys like `constructor` and `__proto__` are sent like any other', async (_, given) => {
  const token = sandbox.issueToken({ scopes: ['bookings:read', 'bookings:write'] }).access_token;
  const answers = JSON.parse('{"constructor": "Ada", "__proto__": "Grace"}') as Record<string, unknown>;
  await expect(answersSent('Design Review', given(answers), token)).rejects.toThrow('constructor');
  expect(JSON.stringify(sandbox.requests().findLast(({ method }) => method === 'POST')?.body)).toContain(JSON.stringify(answers));
});

it.each([
  ['as JSON', asJson],
  ['in fields', inFields],
])('answers %s are passed on if the connection may not read the questions: the service judges them', async (_, given) => {
  const token = sandbox.issueToken({ scopes: ['bookings:read', 'bookings:write'] }).access_token;
  expect(await answersSent('Design Review', given({ link: 'https://example.com' }), token)).toEqual({ link: 'https://example.com' });
});

describe('a question that takes several answers', () => {
  const services = (change: Record<string, unknown>) =>
    answersSent('Quarterly Review', inFields(change)) as Promise<{ topics?: unknown } | undefined>;

  it('is answered by the choices that are switched on', async () => {
    expect(await services({ 'topics::Figures': true, 'topics::Roadmap': false, 'topics::Contract': 'true' })).toEqual({
      topics: ['Figures', 'Contract'],
    });
  });

  it('is not answered if no choice is switched on', async () => {
    expect(await services({ 'topics::Figures': false, 'topics::Roadmap': false })).toBeUndefined();
  });

  it('is still answered by the list that older workflows hold', async () => {
    expect(await services({ topics: '["Roadmap"]' })).toEqual({ topics: ['Roadmap'] });
  });
});

it('choices in any characters keep their own switch, and a text under such a key stays a text', () => {
  const value = 'Höhe "A]: 50 %';
  expect(choiceKey('a::b', value)).not.toMatch(/["\]\s]/);
  const others = { 'form::name': 'Ada', 'form::more': 'partly true', 'form::less': 'false friends', 'form::a:b': true };
  expect(answersOf({ [choiceKey('a::b', value)]: true, 'form::%': true, ...others })).toEqual({ 'a::b': [value], form: ['%'], ...others });
});
