import { Patience } from '../../sdk/webhooks/patience.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A patience, and who was told that their time is over. */
function waiting(): { patience: Patience; late: string[]; begin: (name: string, milliseconds: number) => ReturnType<Patience['begin']> } {
  const patience = new Patience();
  const late: string[] = [];
  return { patience, late, begin: (name, milliseconds) => patience.begin(() => void late.push(name), milliseconds) };
}

it('tells each waiting call when its own time is over, with one timer', () => {
  const { late, begin } = waiting();
  begin('first', 100);
  jest.advanceTimersByTime(60);
  begin('second', 100);
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(39);
  expect(late).toEqual([]);
  jest.advanceTimersByTime(2);
  expect(late).toEqual(['first']);
  jest.advanceTimersByTime(60);
  expect(late).toEqual(['first', 'second']);
  expect(jest.getTimerCount()).toBe(0);
});

it('tells a call whose time is over before that of an earlier one', () => {
  const { late, begin } = waiting();
  begin('patient', 1_000);
  begin('hurried', 10);
  jest.advanceTimersByTime(11);
  expect(late).toEqual(['hurried']);
  jest.advanceTimersByTime(1_000);
  expect(late).toEqual(['hurried', 'patient']);
});

it('tells nothing to calls that have ended, and starts again after its timer has run out', () => {
  const { patience, late, begin } = waiting();
  patience.end(begin('ended', 100));
  jest.advanceTimersByTime(200);
  expect([late, jest.getTimerCount()]).toEqual([[], 0]);
  begin('next', 100);
  jest.advanceTimersByTime(101);
  expect(late).toEqual(['next']);
});

it('continues if a call begins to wait while another is told', () => {
  const { patience, late, begin } = waiting();
  patience.begin(() => void begin('again', 50), 10);
  jest.advanceTimersByTime(11);
  expect(late).toEqual([]);
  jest.advanceTimersByTime(51);
  expect(late).toEqual(['again']);
});
