import fc from 'fast-check';
import { actionKey, answerKeys } from '../../zapier/adapter/names.ts';

const { encode, decoded } = answerKeys('answers');

test('whatever a question is keyed by comes back from its field as it was', () => {
  const key = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.stringMatching(/^[a-f0-9_.-]{1,12}$/));
  fc.assert(fc.property(key, (each) => Object.keys(decoded({ [encode(each)]: 1 })).join() === each));
});

test('no two questions share a field, and no field reads as a path', () => {
  const keys = ['a.b', 'a_b', 'a__b', 'a b', '_a', '__a', 'a-2e-b', 'ä', '🙂', '-', '_'];
  const fields = keys.map(encode);
  expect(new Set(fields).size).toBe(keys.length);
  for (const field of fields) expect(field).toMatch(/^answers_[A-Za-z0-9_-]+$/);
  expect(fields.filter((field) => field.includes('__'))).toEqual([]);
});

test('fields of the form itself are no answers', () => {
  expect(decoded({ answers: { a: 1 }, start: 'now', answers_a: 2 })).toEqual({ a: 2 });
});

test('an action is keyed in the way of Zapier', () => {
  expect(actionKey({ name: 'getMany', resource: 'eventType' })).toBe('get_many_event_type');
});
