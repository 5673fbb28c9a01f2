import { describe, expect, it } from '@jest/globals';
import { virtualClock, type Forms, type Sandbox } from '../../sandbox/service.ts';
import { at, caller, listAt, start, startReceiver, textAt, type Received, type Reply } from './support.ts';

/** Checks what a sandbox with one form or habit shows on the wire. */
export type Check = (sandbox: Sandbox) => Promise<void>;

/** A new form or value without an entry does not compile. */
export type Expectations<Names extends keyof Forms> = { [Name in Names]: { [Value in Forms[Name]]: Check } };

export const NOW = Date.parse('2030-06-03T08:00:00Z');

export const get = (sandbox: Sandbox, path: string): Promise<Reply> => caller(sandbox)('GET', path);
export const post = (sandbox: Sandbox, path: string, body: unknown = {}): Promise<Reply> => caller(sandbox)('POST', path, body);
export const listed = async (sandbox: Sandbox, path: string): Promise<unknown[]> => listAt((await get(sandbox, path)).body, 'data');
export const hook = (sandbox: Sandbox, more: Record<string, unknown> = {}): Promise<Reply> =>
  post(sandbox, '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'], ...more });

/** One check for each of these values. */
export const each = <const V extends string>(values: readonly V[], check: (value: V) => Check): Record<V, Check> =>
  Object.fromEntries(values.map((value) => [value, check(value)])) as Record<V, Check>;

type Of<T> = T | ((sandbox: Sandbox) => T);
const resolved = <T>(value: Of<T>, sandbox: Sandbox): T => (typeof value === 'function' ? (value as (of: Sandbox) => T)(sandbox) : value);

/** What the answer to a GET has at a place, such as `data.0.id`. */
export const shows =
  (path: Of<string>, place: string, expected: Of<unknown>): Check =>
  async (sandbox) => {
    const { body } = await get(sandbox, resolved(path, sandbox));
    expect(at(body, ...place.split('.').filter(Boolean))).toEqual(resolved(expected, sandbox));
  };

/** Exactly these keys, in this order. */
export const hasKeys =
  (path: Of<string>, place: string, ...keys: string[]): Check =>
  async (sandbox) => {
    const { body } = await get(sandbox, resolved(path, sandbox));
    expect(Object.keys(at(body, ...place.split('.').filter(Boolean)) as object)).toEqual(keys);
  };

/** The status and text of a terse answer to a write. */
export const answers =
  (write: (sandbox: Sandbox) => Promise<Reply>, status: number, text = ''): Check =>
  async (sandbox) =>
    expect(await write(sandbox)).toMatchObject({ status, text });

/** What a subscriber receives of a booking that it first answers with these statuses, within an hour. */
export async function deliver(
  sandbox: Sandbox,
  { event = 'BOOKING_CREATED', statuses = [] }: { event?: string; statuses?: number[] } = {},
): Promise<{ received: Received[]; secret: string }> {
  const receiver = await startReceiver();
  const { body } = await hook(sandbox, { url: receiver.url, events: [event] });
  receiver.answers.push(...statuses);
  sandbox.host.book();
  await sandbox.forward(3_600_000);
  return { received: receiver.received, secret: textAt(body, 'signing_secret') };
}

/** Runs the table: each value of each form, in a sandbox that has only this one. */
export function testEach<Names extends keyof Forms>(
  kind: string,
  known: { [Name in Names]: { values: readonly string[] } },
  expected: Expectations<Names>,
): void {
  describe.each(Object.keys(known) as Names[])(`the ${kind} %s`, (name) => {
    it.each([...known[name].values])('can be %s', async (value) => {
      const checks: Record<string, Check> = expected[name];
      await checks[value]?.(await start({ clock: virtualClock(NOW), forms: { [name]: value } }));
      expect(Object.keys(checks)).toContain(value);
    });
  });
}
