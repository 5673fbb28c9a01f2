import { judge, judgeRead } from './judge.ts';
import { failure } from './platforms/told.ts';
import { judgeItems } from './situations/stage.ts';

const done = { outcome: 'done', value: 'bkg_1' } as const;
const facts = { isRight: (value: unknown) => value === 'bkg_1', key: ['ada@example.com'] };
const refused = failure('The time is not free.', 'Choose another start.');
const unsure = failure('It may or may not exist, for ada@example.com.', 'Look for it first.');

it.each([
  ['reported as done and there once', done, 1, 'done'],
  ['reported as failed and not there', refused, 0, 'failed'],
  ['reported as perhaps there, with what to look for', unsure, 1, 'unknown'],
  ['reported as done and not there', done, 0, 'invented'],
  ['reported as done with another record', { outcome: 'done', value: 'bkg_2' } as const, 1, 'stolen'],
  ['reported as failed and there', refused, 1, 'lost'],
  ['done twice, whatever was reported', done, 2, 'duplicated'],
  ['done twice and reported as perhaps there', unsure, 2, 'duplicated'],
  ['reported as perhaps there without what to look for', failure('It may or may not exist.', 'Look for it first.'), 1, 'untyped'],
  ['refused with the words of a machine', failure('ECONNRESET', ''), 0, 'untyped'],
  ['refused without what to do', failure('The time is not free.', ''), 0, 'untyped'],
  ['refused with a page of a proxy', failure('The answer was <html>.', 'Try again.'), 0, 'untyped'],
])('%s', (_, told, times, end) => {
  expect(judge(told, { ...facts, times }).end).toBe(end);
});

describe('several items', () => {
  const made = [
    { id: 'bkg_1', name: 'Ada' },
    { id: 'bkg_2', name: 'Bob' },
  ];
  const got = (id: string) => ({ end: 'done', id }) as const;
  const no = { end: 'failed', words: 'The time is not free. Choose another start.' } as const;
  const perhaps = { end: 'unknown', words: 'It may or may not exist.' } as const;

  it.each([
    ['each gets its own', [got('bkg_1'), got('bkg_2')], made, 'done'],
    ['one gets what is not there', [got('bkg_1'), got('bkg_3')], made, 'invented'],
    ["one gets another's", [got('bkg_1'), got('bkg_1')], made, 'stolen'],
    ['one there twice', [got('bkg_1'), got('bkg_2')], [...made, { id: 'bkg_3', name: 'Bob' }], 'duplicated'],
    ['one reported as failed and there', [got('bkg_1'), no], made, 'lost'],
    ['one reported as failed and not there', [got('bkg_1'), no], made.slice(0, 1), 'failed'],
    ['one reported as perhaps there', [got('bkg_1'), perhaps], made, 'unknown'],
  ])('%s', (_, told, there, end) => {
    expect(judgeItems(['Ada', 'Bob'], told, there, true).end).toBe(end);
  });

  it('with one name are two bookings, and one booking is not two', () => {
    const twins = [
      { id: 'bkg_1', name: 'Ada' },
      { id: 'bkg_2', name: 'Ada' },
    ];
    expect(judgeItems(['Ada', 'Ada'], [got('bkg_2'), got('bkg_1')], twins, true).end).toBe('done');
    expect(judgeItems(['Ada', 'Ada'], [got('bkg_1'), got('bkg_1')], twins, true).end).toBe('stolen');
  });
});

it('treats "nan" in an id as letters, and not as an invalid number', () => {
  expect(failure('The booking "bkg_67726nan" was not found.', 'Choose another one.')).not.toHaveProperty('defect');
  expect(failure('Wait NaN seconds.', 'Then try again.')).toHaveProperty('defect');
});

it('a read is right, refused with a sentence, or a finding', () => {
  expect(judgeRead(done, () => undefined).end).toBe('done');
  expect(judgeRead(done, () => 'twice in the list: a').end).toBe('duplicated');
  expect(judgeRead(done, () => '3 of 4 are missing from the list').end).toBe('lost');
  expect(judgeRead(refused, () => undefined).end).toBe('failed');
});
