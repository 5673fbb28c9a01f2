import { ServiceError } from '../../shared/client/errors.ts';
import { createBooking } from '../../shared/operations/index.ts';
import {
  answersByKey,
  answersFrom,
  askingFields,
  checkedAnswers,
  questionsRead,
  readableQuestions,
  readQuestions,
  type Question,
} from '../../shared/operations/questions.ts';
import { serve } from '../support/service.ts';

const question = (change: Partial<Question>): Question => ({
  key: 'q',
  label: 'The question',
  control: 'text',
  required: false,
  choices: [],
  ...change,
});
const choices = [
  { value: 'a', label: 'Apple' },
  { value: 'b', label: 'Banana' },
];

it.each<[Partial<Question>, unknown, unknown]>([
  [{ control: 'number' }, '12.5', 12.5],
  [{ control: 'boolean' }, 'yes', true],
  [{ control: 'choice', choices }, 'b', 'b'],
  [{ control: 'choice', choices }, 'banana', 'b'],
  [{ control: 'choices', choices }, ['a', 'Banana'], ['a', 'b']],
  [{ control: 'boolean' }, ' No ', false],
  [{ control: 'date' }, '2032-02-29', '2032-02-29'],
  [{ control: 'date' }, '2030-01-31T00:00:00.000Z', '2030-01-31'],
  [{ control: 'text' }, 7, '7'],
  [{ control: 'text' }, false, 'false'],
  [{ control: 'boolean' }, 1, true],
  [{ control: 'choice', choices: [{ value: '7', label: 'Seven' }] }, 7, '7'],
  [{ control: 'choices', choices: [{ value: '[a', label: 'Apple' }] }, '[a', ['[a']],
  // What an event type does not list is for the service to decide.
  [{ control: 'choices', choices }, ['banana', 'Other'], ['b', 'Other']],
  [{ isFree: true }, true, true],
  [{ isFree: true }, ['a', 2], ['a', 2]],
  // Digits are never lost.
  [{ control: 'number' }, '9007199254740993', '9007199254740993'],
  [{ control: 'number' }, ' 007 ', '007'],
  [{ control: 'number' }, '123456789012345', 123_456_789_012_345],
])('answers %j with %j as %j', (change, value, answer) => {
  expect(answersFrom({ q: value }, [question(change)])).toEqual({ q: answer });
});

it.each<[Partial<Question>, unknown, string]>([
  [{ control: 'number' }, 'many', 'takes a number'],
  [{ control: 'text' }, { a: 1 }, 'takes text'],
  [{ control: 'date' }, 'on 2030-01-31', 'takes a date such as 2030-01-31'],
  [{ control: 'date' }, 'soon', 'takes a date such as 2030-01-31'],
  [{ required: true }, '', 'is required for this event type'],
  [{ control: 'date' }, '2030-01-315', 'takes a date such as 2030-01-31'],
  [{ required: true, control: 'number' }, ' ', 'is required for this event type'],
  [{ control: 'boolean' }, 'yes and no', 'takes yes or no'],
  [{ required: true, control: 'choices', choices }, '[]', 'is required for this event type (options: "Apple", "Banana")'],
])('refuses to answer %j with %j, naming the question', (change, value, sentence) => {
  expect(() => answersFrom({ q: value }, [question(change)])).toThrow(ServiceError);
  expect(() => answersFrom({ q: value }, [question(change)])).toThrow(`The question "The question" ${sentence}.`);
});

it.each<[Partial<Question>, unknown]>([
  [{ control: 'text' }, '\t'],
  [{ control: 'text' }, []],
  [{ control: 'text' }, null],
])('treats %j answered with %j as unanswered', (change, value) => {
  expect(answersFrom({ q: value }, [question(change)])).toEqual({});
});

it('answers questions whose keys are names that every object inherits, and never mistakes such an inherited value for an answer', () => {
  const keys = ['constructor', '__proto__', 'toString'];
  const asked = keys.map((key) => question({ key, required: true }));
  const given = JSON.parse('{"constructor": "a", "__proto__": "b", "toString": "c"}') as Record<string, unknown>;
  expect(Object.entries(answersFrom(given, asked))).toEqual(Object.entries(given));
  expect(Object.entries(checkedAnswers({ byKey: given }, undefined) ?? {})).toEqual(Object.entries(given));
  expect(() => answersFrom({}, asked)).toThrow('is required for this event type');
});

it.each<[unknown, object | undefined]>([
  [' {"a": "x", "b": " ", "c": null} ', { a: 'x' }],
  [
    { a: ['', null], b: [0], c: false },
    { b: [0], c: false },
  ],
  [' ', undefined],
  [null, undefined],
  [
    '{"a": 9007199254740993, "b": 0.12345678901234567, "c": "9007199254740993", "d": 12}',
    { a: '9007199254740993', b: 0.123_456_789_012_345_67, c: '9007199254740993', d: 12 },
  ],
])('reads the answers %j, without empty ones', (given, answers) => {
  expect(answersByKey(given, 'Answers')).toEqual(answers);
});

it.each([['[1]'], ['text'], [7]])('refuses answers that are %j', (given) => {
  expect(() => answersByKey(given, 'Answers')).toThrow('"Answers" is not an object.');
});

describe('answers in fields and answers under a written key', () => {
  const given = { inFields: { q: 'shown', old: 'x' }, byKey: { q: 'written', other: 'y' } };

  it.each<[string, Question[] | undefined, object | undefined]>([
    [
      'are sent where they answer a question, and a written key also where it answers none: the service refuses it',
      [question({})],
      { q: 'shown', other: 'y' },
    ],
    ['under both take the one in the field, unless that is empty', [question({}), question({ key: 'other' })], { q: 'shown', other: 'y' }],
    ['are left out if they are in fields and the event type no longer asks anything', [], { q: 'written', other: 'y' }],
    ['are sent as they came if the questions are not known', undefined, { q: 'shown', old: 'x', other: 'y' }],
  ])('%s', (_, questions, sent) => {
    expect(checkedAnswers(given, questions)).toEqual(sent);
  });

  it('are not sent at all if none is left', () => {
    expect(checkedAnswers({ inFields: { old: 'x' } }, [])).toBeUndefined();
    expect(checkedAnswers({ inFields: { q: ' ' } }, undefined)).toBeUndefined();
    expect(checkedAnswers({ byKey: { q: ' ' } }, [question({})])).toBeUndefined();
  });
});

it('reads questions in any form, and skips a question without a key', () => {
  expect(
    readQuestions({ questions: [{ type: 'text' }, 'text', null, { id: 7, type: 'select', options: [] }, { label: 'Only a label' }] }),
  ).toEqual([
    { key: '7', label: '7', control: 'text', required: false, choices: [], isFree: true },
    { key: 'Only a label', label: 'Only a label', control: 'text', required: false, choices: [], isFree: true },
  ]);
});

it.each([
  [{ type: 'select', options: ['a', 7] }, 'choice of a (a), 7 (7)'],
  [
    { type: 'multiselect', options: [{ value: 'a', label: 'Apple' }, { value: 7 }, { label: 'No value' }, null] },
    'choices of a (Apple), 7 (7), No value (No value)',
  ],
  [
    {
      type: 'SELECT',
      options: [
        { id: 3, name: 'Three' },
        { key: 'b', label: 'Banana' },
      ],
    },
    'choice of 3 (Three), b (Banana)',
  ],
  [{ type: 'Number' }, 'number'],
  [{ type: 'multiselect', options: [] }, 'free text'],
  [{ type: 'toString' }, 'free text'],
  [{ type: 'number', required: 1 }, 'required number'],
  [{ type: 'number', required: 'yes' }, 'number'],
])('reads the question %j as a %s', (given, read) => {
  const [{ control = '', choices = [], required, isFree } = {}] = readQuestions({ questions: [{ key: 'q', ...given }] });
  const listed = choices.map(({ value, label }) => `${value} (${label})`).join(', ');
  expect([isFree && 'free', required && 'required', control, listed && `of ${listed}`].filter(Boolean).join(' ')).toBe(read);
});

it.each([
  ['scope', { status: 403, body: { error: 'No', code: 'INSUFFICIENT_SCOPE' } }],
  ['forbidden', { status: 403, body: { error: 'No' } }],
])('the questions are unknown if the connection may not read them: %s', async (_, answer) => {
  const service = await serve();
  service.sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', ...answer });
  expect(await readableQuestions(service.client, service.sandbox.eventTypes()[0]?.id ?? '')).toBeUndefined();
});

it('the questions are read once for all items of a run, and again after a reading that failed', async () => {
  const service = await serve({ limits: false });
  const { client, clientWith, sandbox } = service;
  const [one, other] = sandbox.eventTypes().map(({ id }) => id);
  const reads = () => sandbox.requests().filter(({ path }) => path.startsWith('/v1/event-types/')).length;
  sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status: 400 });
  expect(await questionsRead(client, one ?? '')).toBeUndefined();
  const [first, second] = await Promise.all([questionsRead(client, one ?? ''), questionsRead(client, one ?? '')]);
  expect(second).toBe(first);
  expect(await questionsRead(client, one ?? '')).toBe(first);
  expect(reads()).toBe(2);
  await questionsRead(client, other ?? '');
  await questionsRead(clientWith({}), one ?? '');
  expect(reads()).toBe(4);
});

it('a form asks questions only with a field for the answers and one for the event type', () => {
  const { question_responses: answers, event_type_id: type, notes } = createBooking.input;
  expect(askingFields({ notes, type, answers })).toEqual({ answers: 'answers', label: 'Answers', eventType: 'type' });
  expect([askingFields({ notes, answers }), askingFields({ notes, type })]).toEqual([undefined, undefined]);
});
