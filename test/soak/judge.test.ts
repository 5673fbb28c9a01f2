import { judge, judgeRead } from '../../soak/judge.ts';
import { failure } from '../../soak/platforms/told.ts';

const done = { outcome: 'done', value: 'bkg_1' } as const;
const facts = { isRight: (value: unknown) => value === 'bkg_1', key: ['ada@example.com'] };
const refused = failure('The time is not free.', 'Choose another start.');
const unsure = failure('It may or may not exist, for ada@example.com.', 'Look for it first.');

it.each([
  ['told as done and there once', done, 1, 'done'],
  ['told as failed and not there', refused, 0, 'failed'],
  ['told as perhaps there, with what to look for', unsure, 1, 'unknown'],
  ['told as done and not there', done, 0, 'lost'],
  ['told as done with another record', { outcome: 'done', value: 'bkg_2' } as const, 1, 'lost'],
  ['told as failed and there', refused, 1, 'lost'],
  ['done twice, whatever was told', done, 2, 'duplicated'],
  ['done twice and told as perhaps there', unsure, 2, 'duplicated'],
  ['told as perhaps there without what to look for', failure('It may or may not exist.', 'Look for it first.'), 1, 'untyped'],
  ['refused with the words of a machine', failure('ECONNRESET', ''), 0, 'untyped'],
  ['refused without what to do', failure('The time is not free.', ''), 0, 'untyped'],
  ['refused with a page of a proxy', failure('The answer was <html>.', 'Try again.'), 0, 'untyped'],
])('%s', (_, told, times, end) => {
  expect(judge(told, { ...facts, times }).end).toBe(end);
});

it('takes letters in an id for what they are, and not for a number that is none', () => {
  expect(failure('The booking "bkg_67726nan" was not found.', 'Choose another one.')).not.toHaveProperty('defect');
  expect(failure('Wait NaN seconds.', 'Then try again.')).toHaveProperty('defect');
});

it('a read is right, refused with a sentence, or a finding', () => {
  expect(judgeRead(done, () => undefined).end).toBe('done');
  expect(judgeRead(done, () => 'twice in the list: a').end).toBe('duplicated');
  expect(judgeRead(done, () => '3 of 4 are missing from the list').end).toBe('lost');
  expect(judgeRead(refused, () => undefined).end).toBe('failed');
});
