import fc from 'fast-check';
import { actionKey, answerKeys } from '../../zapier/adapter/names.ts';

const { encode, decoded } = answerKeys('answers');

test('any key of a question comes back from its field unchanged', () => {
  const key = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.stringMatching(/^[a-f0-9_.-]{1,12}$/));
  fc.assert(fc.property(key, (each) => Object.keys(decoded({ [encode(each)]: 1 })).join() === each));
});

test('no two questions share a field, and no field looks like a path', () => {
  const keys = ['a.b', 'a_b', 'a__b', 'a b', '_a', '__a', 'a-2e-b', 'ä', '🙂', '-', '_'];
  const fields = keys.map(encode);
  expect(new Set(fields).size).toBe(keys.length);
  for (const field of fields) expect(field).toMatch(/^answers_[A-Za-z0-9_-]+$/);
  expect(fields.filter((field) => field.includes('__'))).toEqual([]);
});

test('fields of the form itself are not answers', () => {
  expect(decoded({ answers: { a: 1 }, start: 'now', answers_a: 2 })).toEqual({ a: 2 });
});

test("an action has a key in Zapier's style", () => {
  expect(actionKey({ name: 'getMany', resource: 'eventType' })).toBe('get_many_event_type');
});
