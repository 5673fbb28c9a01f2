import { expect } from '@jest/globals';
import { brand } from '../../shared/brand.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import type { Expectations } from './listForms.ts';
import { caller, listAt, startReceiver } from './support.ts';

const hook = (sandbox: Sandbox, url: string) => caller(sandbox)('POST', '/hooks', { url, events: ['BOOKING_CREATED'] });

/** How many subscriptions each of an account's two applications sees, after the first has made one. */
const shownToEach = (first: number, second: number) => async (sandbox: Sandbox) => {
  await hook(sandbox, 'http://127.0.0.1:9/x');
  const other = sandbox.addClient({ redirectUris: ['http://127.0.0.1:9/back'] });
  const { access_token: token } = sandbox.issueToken({ clientId: other.id });
  const counts = [caller(sandbox), caller(sandbox, token)].map(async (call) => listAt((await call('GET', '/hooks')).body, 'data').length);
  expect(await Promise.all(counts)).toEqual([first, second]);
};
const secondToOneAddress = (status: number) => async (sandbox: Sandbox) => {
  expect((await hook(sandbox, 'http://127.0.0.1:9/x')).status).toBe(201);
  expect((await hook(sandbox, 'http://127.0.0.1:9/x')).status).toBe(status);
  expect((await hook(sandbox, 'http://127.0.0.1:9/y')).status).toBe(201);
};
/** A delivery that first gets this answer, and what was sent after the first wait. */
const answered = async (sandbox: Sandbox, status: number) => {
  const receiver = await startReceiver();
  await hook(sandbox, receiver.url);
  receiver.answers.push(status);
  sandbox.host.book();
  await sandbox.settled();
  await sandbox.clock.advance(1_000);
  await sandbox.settled();
  return receiver.received;
};
const timestamps = (areEqual: boolean) => async (sandbox: Sandbox) => {
  const [first, second] = (await answered(sandbox, 500)).map(({ headers }) => headers[`${brand.headerPrefix}-Timestamp`.toLowerCase()]);
  expect([typeof second, first === second]).toEqual(['string', areEqual]);
};
/** How long after each of the first two failures the next try is due. */
const waits =
  (...expected: number[]) =>
  async (sandbox: Sandbox) => {
    const receiver = await startReceiver();
    await hook(sandbox, receiver.url);
    receiver.answers.push(500, 500);
    sandbox.host.book();
    const due: number[] = [];
    while (due.length < 2) {
      await sandbox.settled();
      const [delivery] = sandbox.deliveries();
      due.push((delivery?.next_attempt_at ?? 0) - Date.parse(delivery?.attempts.at(-1)?.at ?? ''));
      await sandbox.clock.advance(expected[due.length - 1] ?? 0);
    }
    // On a real clock the answer takes time.
    expect(due.map((each) => Math.floor(each / 1000) * 1000)).toEqual(expected);
  };
const gone = (left: number, sent: number) => async (sandbox: Sandbox) => {
  const received = await answered(sandbox, 410);
  expect([sandbox.subscriptions().length, received.length]).toEqual([left, sent]);
};
const tooHigh = (status: number) => async (sandbox: Sandbox) => {
  expect((await caller(sandbox)('GET', '/contacts?limit=101')).status).toBe(status);
  expect((await caller(sandbox)('GET', '/contacts?limit=0')).status).toBe(400);
};

/** What each value of each form of subscriptions and their deliveries looks like. */
export const subscriptionForms: Expectations<'hooksListed' | 'targets' | 'retries' | 'timestamp' | 'gone' | 'limitAbove'> = {
  hooksListed: { account: shownToEach(1, 1), client: shownToEach(1, 0) },
  targets: { any: secondToOneAddress(201), unique: secondToOneAddress(400) },
  retries: { minutes: waits(1_000, 5_000), days: waits(5_000, 300_000) },
  timestamp: { first: timestamps(true), attempt: timestamps(false) },
  gone: { removed: gone(0, 1), retried: gone(1, 2) },
  limitAbove: { refused: tooHigh(400), cut: tooHigh(200) },
};
