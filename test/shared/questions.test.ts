import { createBooking, operations, searches } from '../../shared/operations/index.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import { answersByKey, answersFrom, askingFields, checkedAnswers, questionsRead } from '../../shared/operations/questions.ts';
import { type Question, readQuestions } from '../../shared/reading/index.ts';
import { serve } from '../support/service.ts';

// The questions of an event type (G6), and their answers.

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
/** With a choice whose own words have a comma. */
const sour: Partial<Question> = { control: 'choices', choices: [...choices, { value: 'c', label: 'Cherries, sour' }] };

it.each<[Partial<Question>, unknown, unknown]>([
  [{ control: 'number' }, '12.5', 12.5],
  [{ control: 'boolean' }, 'yes', true],
  [{ control: 'choice', choices }, ' banana\u200b', 'b'],
  [{ control: 'choices', choices }, ['a', 'Banana'], ['a', 'b']],
  ...['on', 'Y', 't', 'TRUE', 'checked', '✓'].map((given): [Partial<Question>, unknown, unknown] => [{ control: 'boolean' }, given, true]),
  ...['off', 'n', 'F', 'unchecked'].map((given): [Partial<Question>, unknown, unknown] => [{ control: 'boolean' }, given, false]),
  [{ control: 'date' }, '2032-02-29', '2032-02-29'],
  [{ control: 'date' }, '2030-01-31T00:00:00.000Z', '2030-01-31'],
  [{ control: 'text' }, 7, '7'],
  [{ control: 'text' }, false, 'false'],
  [{ control: 'boolean' }, 1, true],
  [{ control: 'choice', choices: [{ value: '7', label: 'Seven' }] }, 7, '7'],
  [{ control: 'choices', choices: [{ value: '[a', label: 'Apple' }] }, '[a', ['[a']],
  ...['[1, 2]', ['[1, 2]'], '["[1, 2]"]', [['Ages one, two']]].map((given): [Partial<Question>, unknown, unknown] => [
    { control: 'choices', choices: [{ value: '[1, 2]', label: 'Ages one, two' }] },
    given,
    ['[1, 2]'],
  ]),
  // Zapier hands a list on as text with commas.
  ...['a,b', 'Apple, banana', 'Apple,b,', ['a,Banana'], ['Apple,b']].map((given): [Partial<Question>, unknown, unknown] => [
    { control: 'choices', choices },
    given,
    ['a', 'b'],
  ]),
  [{ control: 'choices', choices }, 'Apple, Cherry', ['Apple, Cherry']],
  [{ control: 'choices', choices: [...choices, { value: 'c', label: 'Apple, Banana' }] }, 'Apple, Banana', ['c']],
  [sour, 'Apple,Banana,Cherries, sour', ['a', 'b', 'c']],
  [sour, 'Cherries, sour; banana;a', ['c', 'b', 'a']],
  [sour, 'Apple\r\nBanana\r\nCherries, sour\r\n', ['a', 'b', 'c']],
  [sour, ['a;b', 'c'], ['a', 'b', 'c']],
  [sour, ';a,,Banana ;c', ['a', 'b', 'c']],
  [sour, 'a|Banana|c', ['a', 'b', 'c']],
  [sour, 'Apple, Cherries', ['Apple, Cherries']],
  // What an event type does not list is for the service to decide.
  [{ control: 'choices', choices }, ['banana', 'Other'], ['b', 'Other']],
  [{ isFree: true }, true, true],
  [{ isFree: true }, ['a', 2], ['a', 2]],
  [{ isFree: true, control: 'number' }, '2', 2],
  [{ isFree: true, control: 'choices', choices }, 'Apple', ['a']],
  [{ isFree: true, control: 'boolean' }, 'perhaps', 'perhaps'],
  // Digits are never lost.
  [{ control: 'number' }, '9007199254740993', '9007199254740993'],
  [{ control: 'number' }, ' 007 ', '007'],
  [{ control: 'number' }, '123456789012345', 123_456_789_012_345],
  [{ control: 'number' }, '\u200e-1.5e3 ', -1500],
  // What platforms and expressions make of a value.
  [{ control: 'number' }, [3], 3],
  [{ control: 'text' }, ['Ada'], 'Ada'],
  [{ control: 'choice', choices }, ['banana'], 'b'],
  [{ control: 'boolean' }, '\u200bYES', true],
  [{ control: 'date' }, '2030-01-31 23:30', '2030-01-31'],
  [{ control: 'date' }, '2030-01-31T23:30:00-05:00', '2030-01-31'],
  // As people type it, on keyboards of their language too.
  [{ control: 'date' }, '2030/1/31', '2030-01-31'],
  [{ control: 'date' }, '2030-1-31 9:00', '2030-01-31'],
  [{ control: 'date' }, '２０３０／１／３１', '2030-01-31'],
  [{ control: 'number' }, '１２．５', 12.5],
  [{ control: 'number' }, '٣', 3],
  [{ control: 'number' }, '۴۲', 42],
])('answers %j with %j as %j', (change, value, answer) => {
  expect(answersFrom({ q: value }, [question(change)])).toEqual({ q: answer });
});

// https://github.com/wojtekmaj/react-date-picker/issues/263
it.each([
  ['2031-03-03T23:00:00.000Z', ['Europe/Madrid'], '2031-03-04'],
  ['2031-03-03T23:00:00.000Z', [undefined, 'Romance Standard Time'], '2031-03-04'],
  ['2031-03-03T23:00:00.000Z', ['America/New_York', 'Europe/Madrid'], '2031-03-04'],
  ['2031-03-04T08:00:00.000Z', ['America/Los_Angeles'], '2031-03-04'],
  ['2031-03-03T23:00:00.000Z', ['America/New_York', undefined, 'nowhere'], '2031-03-03'],
  ['2031-03-04T00:00:00+01:00', ['America/New_York'], '2031-03-04'],
  ['2031-03-04T00:00:00.000Z', ['Pacific/Auckland'], '2031-03-04'],
  // Somebody's birthday.
  ['1971-03-04T08:00:00.000Z', ['America/Los_Angeles'], '1971-03-04'],
  ['1969-03-03T23:00:00.000Z', ['Europe/Madrid'], '1969-03-04'],
  // The clocks go forward at midnight, so the day begins at one.
  ['2026-04-23T22:00:00.000Z', ['Africa/Cairo'], '2026-04-24'],
])('a day that was chosen is the one that begins at %s in %j, or else the one that is written', (value, zones, day) => {
  expect(answersFrom({ q: value }, [question({ control: 'date' })], zones)).toEqual({ q: day });
});

it('takes a text of separators alone as nothing, at once', () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ value: `${'v,'.repeat(10)}${at}`, label: `Choice ${at}` }));
  const begun = process.cpuUsage();
  expect(answersFrom({ q: `Choice 7${','.repeat(50_000)}` }, [question({ control: 'choices', choices: many })])).toEqual({
    q: [many[7]?.value],
  });
  // Of this process: a busy machine takes longer for the same.
  expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
});

it.each<[Partial<Question>, unknown, string]>([
  [{ control: 'number' }, 'many', 'takes a number'],
  [{ control: 'text' }, { a: 1 }, 'takes text'],
  [{ control: 'date' }, 'on 2030-01-31', 'takes a date such as 2030-01-31'],
  [{ required: true }, '', 'is required for this event type'],
  [{ control: 'date' }, '2030-01-315', 'takes a date such as 2030-01-31'],
  [{ control: 'boolean' }, 'yes and no', 'takes yes or no'],
  ...['05/06/2026', '01.06.2056', 'Table 5', '12', 12, true, '2030-01-31 or later', '2030-02-30', '20300131'].map(
    (value): [Partial<Question>, unknown, string] => [{ control: 'date' }, value, 'takes a date such as 2030-01-31'],
  ),
  ...[true, {}, [1, 2], '0x10', '1,5', 'Infinity'].map((value): [Partial<Question>, unknown, string] => [
    { control: 'number' },
    value,
    'takes a number',
  ]),
  [{ control: 'choice', choices }, { a: true }, 'takes a choice'],
  [{ control: 'choices', choices }, [{ a: true }], 'takes choices'],
  ...(['number', 'text'] as const).map((control): [Partial<Question>, unknown, string] => [
    { control },
    Number('9007199254740993'),
    'is answered with a number that cannot be kept exactly: enter it as text',
  ]),
  [{ required: true, control: 'choices', choices }, '[]', 'is required for this event type (options: "Apple", "Banana")'],
])('refuses to answer %j with %j, naming the question', (change, value, sentence) => {
  expect(() => answersFrom({ q: value }, [question(change)])).toThrow(ServiceError);
  expect(() => answersFrom({ q: value }, [question(change)])).toThrow(`The question "The question" ${sentence}.`);
});

it.each(['\t', [], null])('treats %j as unanswered', (value) => {
  expect(answersFrom({ q: value }, [question({})])).toEqual({});
});

it('answers questions whose keys are names that every object inherits, and never mistakes such an inherited value for an answer', () => {
  const keys = ['constructor', '__proto__', 'toString'];
  const asked = keys.map((key) => question({ key, required: true }));
  const given = JSON.parse('{"constructor": "a", "__proto__": "b", "toString": "c"}') as Record<string, unknown>;
  expect(Object.entries(answersFrom(given, asked))).toEqual(Object.entries(given));
  expect(Object.entries(checkedAnswers({ byKey: given }, undefined) ?? {})).toEqual(Object.entries(given));
  expect(() => answersFrom({}, asked)).toThrow('is required for this event type');
});

const exact = '{"a": 9007199254740993, "b": 0.12345678901234567, "c": "9007199254740993", "d": 12}';
it.each<[unknown, object | undefined]>([
  [' {"a": "x", "b": " ", "c": null} ', { a: 'x' }],
  [{ a: ['', null], b: [0] }, { b: [0] }],
  ['[{"question": "a", "answer": "x"}, {"question": "b", "answer": null}]', { a: 'x' }],
  ...[' ', null, '[]'].map((none): [unknown, undefined] => [none, undefined]),
  // n8n puts a text into JSON as it is, with the line ends and tabs that somebody typed into a form.
  ['{"a": "one\n\ttwo\r\nthree \\n \\"four\\"",\n\t"b": "x"}', { a: 'one\n\ttwo\r\nthree \n "four"', b: 'x' }],
  [exact, { a: '9007199254740993', b: 0.123_456_789_012_345_67, c: '9007199254740993', d: 12 }],
])('reads the answers %j, without empty ones', (given, answers) => {
  expect(answersByKey(given, 'Answers')).toEqual(answers);
});

it.each([['[1]'], ['text'], [7], ['[{"question": "a", "answer": "x"}, {"question": "a", "answer": "y"}]']])(
  'refuses answers that are %j',
  (given) => {
    expect(() => answersByKey(given, 'Answers')).toThrow('"Answers" is not an object.');
  },
);

it.each([['{"a": "say "yes""}'], ['{"a": "C:\\\n"}'], ['[{"question": ']])('says of %s that it is not valid JSON', (given) => {
  expect(() => answersByKey(given, 'Answers')).toThrow('"Answers" is not valid JSON.');
});

describe('answers in fields and answers under a written key', () => {
  const given = { inFields: { q: 'shown', old: 'x' }, byKey: { q: 'written', other: 'y' } };

  const sent = { q: 'shown', other: 'y' };

  it.each<[string, Question[] | undefined, object | undefined]>([
    ['are sent where they answer a question, and a written key also where it answers none: the service refuses it', [question({})], sent],
    ['under both take the one in the field, unless that is empty', [question({}), question({ key: 'other' })], sent],
    ['are left out if they are in fields and the event type no longer asks anything', [], { q: 'written', other: 'y' }],
    ['are sent as they came if the questions are not known', undefined, { q: 'shown', old: 'x', other: 'y' }],
  ])('%s', (_, questions, sent) => {
    expect(checkedAnswers(given, questions)).toEqual(sent);
  });

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ 'team size': 3 }, { team_size: '3' }],
    [{ 'How many are you?': 3 }, { team_size: '3' }],
    [{ 'HOW MANY ARE YOU': 3, team_size: 4 }, { team_size: '4' }],
    // Two questions have these words, so the service decides.
    [{ Company: 'x' }, { Company: 'x' }],
    [{ '?': 'x' }, { '?': 'x' }],
  ])('%j, as a person reads a question, is %j', (byKey, sent) => {
    const others = ['a', 'b'].map((key) => question({ key, label: 'Company' }));
    expect(checkedAnswers({ byKey }, [question({ key: 'team_size', label: 'How many are you?' }), ...others])).toEqual(sent);
  });

  it('are not sent at all if none is left', () => {
    expect(checkedAnswers({ inFields: { old: 'x' } }, [])).toBeUndefined();
    expect(checkedAnswers({ inFields: { q: ' ' } }, undefined)).toBeUndefined();
    expect(checkedAnswers({ byKey: { q: ' ' } }, [question({})])).toBeUndefined();
  });
});

it('reads questions in any form, and skips a question without a key', () => {
  const questions = [{ type: 'text' }, 'text', null, { id: 7, type: 'select', options: [] }, { label: 'Label' }];
  const free = (key: string) => question({ key, label: key, isFree: true });
  expect(readQuestions({ questions })).toEqual([free('7'), free('Label')]);
});

it.each([
  [{ id: 7, question: 'Which company?', name: 'company' }, '7: Which company?'],
  [{ id: 'q1', name: 'Company' }, 'q1: Company'],
  [{ question: 'Which company?' }, 'Which company?: Which company?'],
])('shows the words of the question %j, wherever they are', (asked, read) => {
  const [{ key = '', label = '' } = {}] = readQuestions({ questions: [asked] });
  expect(`${key}: ${label}`).toBe(read);
});

it('does not ask, or require, what the host has turned off', () => {
  const questions = [{ enabled: false }, { hidden: true }, { active: 1 }].map((off, key) => ({ key, required: true, ...off }));
  expect(readQuestions({ questions }).map(({ key }) => key)).toEqual(['2']);
});

it.each([
  [{ type: 'select', options: ['a', 7] }, 'choice of a (a), 7 (7)'],
  [{ type: 'multiselect', options: [...choices, { value: 7 }, { label: 'C' }, null] }, 'choices of a (Apple), b (Banana), 7 (7), C (C)'],
  [{ type: 'SELECT', options: [{ id: 3, name: 'Three' }, { key: 'b', label: 'B' }, { name: 'C' }] }, 'choice of 3 (Three), b (B), C (C)'],
  [{ type: 'Number' }, 'number'],
  [{ type: 'multiselect', options: [] }, 'free text'],
  [{ type: 'toString' }, 'free text'],
  [{ type: 'number', required: 1 }, 'required number'],
  [{ type: 'number', required: 'yes' }, 'number'],
  // Other services' names of the types and of their options.
  [{ type: 'multi_select', answer_choices: ['a'] }, 'choices of a (a)'],
  [{ type: 'checkbox', choices: ['a'] }, 'free choices of a (a)'],
  [{ type: 'checkbox' }, 'free boolean'],
  [{ type: 'Single-Select', options: ['a'] }, 'free choice of a (a)'],
  [{ type: 'integer' }, 'free number'],
])('reads the question %j as a %s', (given, read) => {
  const [{ control = '', choices = [], required, isFree } = {}] = readQuestions({ questions: [{ key: 'q', ...given }] });
  const listed = choices.map(({ value, label }) => `${value} (${label})`).join(', ');
  expect([isFree && 'free', required && 'required', control, listed && `of ${listed}`].filter(Boolean).join(' ')).toBe(read);
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
  const asking = [...operations, ...searches].filter(({ input }) => Object.values(input).some(({ control }) => control === 'answers'));
  expect(asking.map((each) => 'answering' in each)).toEqual([true]);
});
