import { connectingAtFirst } from '../../mcp/firstConnection.ts';
import type { Account } from '../../mcp/adapter/account.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { refusal } from '../support/refusal.ts';

const account = {} as Account;
const none = new ServiceError('unauthenticated', { message: 'No account is connected here.', advice: 'Log in.' });

/** A program without a connection, whose person answers when the test says so. */
function unconnected() {
  let isConnected = false;
  const answers: { allow: () => void; decline: () => void }[] = [];
  const current = (): Account => {
    if (!isConnected) throw none;
    return account;
  };
  const read = connectingAtFirst(current, (show) => {
    show('https://service.example/consent');
    return new Promise((resolve, reject) =>
      answers.push({ allow: () => resolve(void (isConnected = true)), decline: () => reject(new Error('You did not allow access.')) }),
    );
  });
  return { read, answers };
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

test('calls that come while the page is open share it, and all go on when the person has allowed access', async () => {
  const { read, answers } = unconnected();
  const calls = [read(), read()];
  answers[0]?.allow();
  expect(await Promise.all(calls)).toEqual([account, account]);
  expect(answers).toHaveLength(1);
});

test('a call ends before its client gives up and names the page; the page stays open, and a later call goes on', async () => {
  const { read, answers } = unconnected();
  const first = refusal(read());
  await jest.advanceTimersByTimeAsync(50_000);
  expect((await first).sentence).toBe(
    'No account is connected yet. Allow access on this page, then call this again: https://service.example/consent',
  );
  const second = read();
  answers[0]?.allow();
  expect(await second).toBe(account);
  expect(answers).toHaveLength(1);
});

test('a person who does not allow access is not asked again by the same call, but by the next', async () => {
  const { read, answers } = unconnected();
  const first = refusal(read());
  answers[0]?.decline();
  expect((await first).message).toBe('You did not allow access.');
  const second = read();
  expect(answers).toHaveLength(2);
  answers[1]?.allow();
  expect(await second).toBe(account);
});

test('only a missing connection opens the page', async () => {
  const other = new ServiceError('server', { message: 'No.', advice: 'Wait.' });
  const connect = jest.fn(() => Promise.resolve());
  const read = connectingAtFirst(() => {
    throw other;
  }, connect);
  expect(await refusal(read())).toBe(other);
  expect(connect).not.toHaveBeenCalled();
});
