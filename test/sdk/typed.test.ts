import { typed } from '../../sdk/client/typed.ts';

test.each([
  ['booking', { id: 'bkg_1', start_time: '2030-01-31T09:00:00Z', notes: 'n', question_responses: { a: 1 }, answers: [], location: null }],
  ['booking', { status: undefined, what_we_do_not_know: 5 }],
  ['eventType', { id: 'evt_1', duration_minutes: 30, active: false, questions: [] }],
] as const)('a %s whose fields have their types is returned itself: %j', (kind, record) => {
  expect(typed(kind, record)).toBe(record);
});

test.each([
  ['booking', 'id', 12, '12'],
  ['booking', 'start_time', 12, '12'],
  ['booking', 'notes', { a: 1 }, '{"a":1}'],
  ['booking', 'notes', false, 'false'],
  ['booking', 'question_responses', 'none', undefined],
  ['booking', 'answers', 'one', ['one']],
  ['eventType', 'duration_minutes', '30', 30],
  ['eventType', 'duration_minutes', ' ', undefined],
  ['eventType', 'duration_minutes', 'half an hour', undefined],
  ['eventType', 'duration_minutes', true, undefined],
  ['eventType', 'active', 'true', true],
  ['eventType', 'active', 1, true],
  ['eventType', 'active', 'false', false],
  ['eventType', 'active', 0, false],
  ['eventType', 'active', 'yes', undefined],
] as const)('in a %s, the %s %j becomes %j', (kind, field, sent, right) => {
  const record = { [field]: sent, what_we_do_not_know: 5 };
  expect(typed(kind, record)).toEqual({ [field]: right, what_we_do_not_know: 5 });
  expect(record[field]).toBe(sent);
});
