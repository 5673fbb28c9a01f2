import { answersOf, choiceKey } from '../../n8n/adapter/answers.ts';
import { execute } from '../../n8n/adapter/execute.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { executeHost } from './support/host.ts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ limits: false })));
afterEach(() => sandbox.stop());

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
