import type { IDataObject } from 'n8n-workflow';
import { executeHost, type HostOptions } from './support/host.ts';
import { listOf, oneOf, pageIn, recordIn } from '../support/wire.ts';
import { create, day, execute, failed, posts, run, sandbox } from './support/sandboxOfTests.ts';

const me = { parameters: { resource: 'user', operation: 'getCurrent' } };
const wrong = { parameters: { resource: 'booking', operation: 'get', bookingId: '   ' } };

const whatRetryDoes = 'For ten minutes, Retry does not repeat them; later, after a restart of n8n, or in another n8n process, it does.';

describe('with Retry On Fail, which repeats the whole node for every item', () => {
  const node = { retryOnFail: true } as const;

  it.each([
    ['another execution', 'a', { executionId: 'other' }],
    ['another node', 'b', { node: { ...node, name: 'Second', id: 'node-2' } }],
    ['another node of the same id, which workflows can have', 'e', { node: { ...node, name: 'Second' } }],
    ['another run of the node in a loop', 'c', { runIndex: 1 }],
    ['another workflow with the same node', 'd', { workflowId: 'workflow-2' }],
    ['another caller of a tool, for whom n8n has no execution', '', {}],
  ])('%s repeats nothing of a run that failed: it books for itself', async (_, executionId, other) => {
    const items = [{ parameters: { startTime: day(0) } }, { parameters: { startTime: day(1), inviteeEmail: 'nobody' } }];
    await expect(run({ parameters: create(), node, items, executionId })).rejects.toThrow('email address');
    const [made] = await run({ parameters: create({ startTime: day(2) }), node, executionId, ...other });
    expect(Date.parse(made?.json['start_time'] as string)).toBe(Date.parse(day(2)));
    expect(posts()).toHaveLength(2);
  });

  it('what n8n takes for a failure although every item succeeded is not done again, in ten minutes', async () => {
    const again = (executionId: string) => run({ parameters: create(), node, executionId });
    const first = await again('twice');
    expect(await again('twice')).toEqual(first);
    await sandbox.clock.advance(600_001);
    await expect(again('twice')).rejects.toThrow('That time is not free');
    expect(posts()).toHaveLength(2);
  });

  it('what only reads is read again', async () => {
    const again = (items: object[]) => run({ items: items as never, node, executionId: 'read' });
    await expect(again([me, wrong])).rejects.toThrow('"Booking" is required');
    await again([me, me]);
    expect(sandbox.requests()).toHaveLength(3);
  });
});

describe("with n8n's button Retry, which runs a failed execution again as a new one", () => {
  const day1 = (email: string, index: number) => ({ parameters: { startTime: day(index), inviteeEmail: email } });
  const people = (second: string) => [day1('ada@example.com', 0), day1(second, 1), day1('eve@example.com', 2)];
  let executions = 0;
  const execution = (items: IDataObject[], more: Partial<HostOptions> = {}) =>
    run({ parameters: create(), items, executionId: `button ${(executions += 1)}`, ...more });
  const retried = (items: IDataObject[], more: Partial<HostOptions> = {}) => execution(items, { executionMode: 'retry', ...more });
  const bookedBy = () => sandbox.bookings().map(({ invitee_email }) => invitee_email);

  it.each([
    ['the node stops', {}, 1],
    ['Retry On Fail had no success either', { node: { retryOnFail: true } }, 1],
    ['the first retry failed as well', {}, 2],
  ] as const)('what was done is not done again, if %s, and the error says so', async (_, more, retries) => {
    const before = posts().length;
    const failedRun = await failed(execution(people('nobody'), more));
    expect(failedRun.description?.endsWith(whatRetryDoes)).toBe(true);
    for (let count = 1; count < retries; count += 1) await expect(retried(people('nobody'), more)).rejects.toThrow('email address');
    // The node was corrected: the item itself is the same, because only the parameters changed.
    const corrected = executeHost({
      sandbox,
      parameters: create(),
      items: people('nobody'),
      executionId: 'corrected',
      executionMode: 'retry',
    });
    const read = corrected.getNodeParameter.bind(corrected) as (...read: unknown[]) => unknown;
    corrected.getNodeParameter = ((name: string, index: number, ...rest: unknown[]) =>
      name === 'inviteeEmail' && index === 1 ? 'bob@example.com' : read(name, index, ...rest)) as never;
    expect(await execute(corrected)).toHaveLength(3);
    for (const email of ['ada@example.com', 'bob@example.com', 'eve@example.com'])
      expect(bookedBy().filter((each) => each === email)).toHaveLength(1);
    expect(posts().length - before).toBe(3);
  });

  it.each([
    ['another node', { node: { name: 'Second', id: 'node-2' } }],
    ['another node of the same id', { node: { name: 'Second' } }],
    ['another workflow', { workflowId: 'workflow-2' }],
    ['a later run of the node in a loop', { runIndex: 1 }],
    ['an execution that is no retry', { executionMode: 'trigger' as const }],
  ])('%s with the same items does its own', async (_, more) => {
    await failed(execution(people('nobody')));
    const before = posts().length;
    await failed(retried(people('nobody'), more));
    expect(posts().length - before).toBe(2);
  });

  it('a subscription is made once as well', async () => {
    const subscription = (url: string) => ({
      parameters: { resource: 'subscription', operation: 'create', url, events: ['BOOKING_CREATED'] },
    });
    const items = [subscription('http://127.0.0.1:9/hooks'), subscription('no address')];
    await expect(execution(items)).rejects.toThrow();
    await expect(retried(items)).rejects.toThrow();
    expect(sandbox.subscriptions()).toHaveLength(1);
  });
});

describe("a field of the service's by whose name n8n means something", () => {
  const odd = { error: '', service_error: 'its own', $error: { message: 'x' }, $json: {} };
  const renamed = { service_service_error: '', service_error: 'its own', service_$error: { message: 'x' }, $json: {} };

  it.each([
    ['what a write returns', () => create()],
    ['a list', () => ({ resource: 'booking', operation: 'getMany', returnAll: true, simplify: false })],
  ])('has another name in %s, and nothing is lost', async (_, parameters) => {
    const host = executeHost({ sandbox, parameters: parameters() });
    const send = host.helpers.httpRequestWithAuthentication.bind(host);
    host.helpers.httpRequestWithAuthentication = async (type, request) => {
      const answer = (await send(type, request)) as { body: AsyncIterable<Buffer> };
      let text = '';
      for await (const piece of answer.body) text += String(piece);
      const body: unknown = JSON.parse(text);
      const record = recordIn<object | object[]>(body);
      const more = (record: object) => ({ ...record, ...odd });
      return { ...answer, body: Array.isArray(record) ? listOf(record.map(more), pageIn(body).next) : oneOf(more(record)) };
    };
    for (const { json } of await execute(host)) {
      expect(json).toMatchObject(renamed);
      expect(Object.keys(json)).not.toEqual(expect.arrayContaining(['error']));
    }
  });
});
