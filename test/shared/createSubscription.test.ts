import { createSubscription, deleteSubscription } from '../../shared/operations/index.ts';
import type { EventName } from '../../shared/events.ts';
import { refusal, serve, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async () => (service = await serve({ limits: false }));

const url = 'http://127.0.0.1:9/webhook/ours';
const create = (events: EventName[] = ['BOOKING_CREATED'], client = service.client) => createSubscription.run(client, { url, events }, {});
const there = () => service.sandbox.subscriptions().map(({ id }) => id);
const answer = (body: unknown) => service.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, body });

describe("an address of the user's own that is subscribed already", () => {
  it.each(['drop-after', 'drop-before'] as const)('keeps that subscription if the answer to another one is lost by %s', async (kind) => {
    const { sandbox } = await begin();
    const first = await create();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind });
    const error = await refusal(create(['BOOKING_CANCELLED']));
    expect(error.kind).toBe('unknownOutcome');
    expect(there()).toHaveLength(kind === 'drop-after' ? 2 : 1);
    expect(there()[0]).toBe(first['id']);
    if (kind === 'drop-after') expect(error.message).toContain(`It may be ${there()[1]}.`);
    else expect(error.message).not.toContain('It may be');
    // A later try creates it only if it is certainly not there.
    await sandbox.clock.advance(61_000);
    if (kind === 'drop-after') await refusal(create(['BOOKING_CANCELLED']));
    else await create(['BOOKING_CANCELLED']);
    expect(there()).toHaveLength(2);
  });

  it('two items subscribe one after another, and neither takes what the other made for its own', async () => {
    const { sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after', after: 1 });
    const [first, second] = await Promise.all([create(), refusal(create(['BOOKING_CANCELLED']))]);
    expect(there()).toHaveLength(2);
    expect(there()).toContain(first['id']);
    expect(second.message).not.toContain(String(first['id']));
  });

  it('is left alone if the service answers with it instead of a new one', async () => {
    const { sandbox } = await begin();
    const { id } = sandbox.host.addSecretlessSubscription({ url, events: ['BOOKING_CREATED'] });
    await sandbox.clock.advance(3_600_000);
    const { created_at } = sandbox.subscriptions()[0] ?? {};
    answer({ data: { id, url, created_at } });
    const error = await refusal(create());
    expect(error).toMatchObject({
      kind: 'unreadable',
      message: expect.stringContaining(`${id} may have been there before, so it was left alone`) as string,
    });
    expect(there()).toEqual([id]);
  });
});

describe('an answer with a success status', () => {
  it('is believed whatever address it shows', async () => {
    await begin();
    answer({ data: { id: 'sub_1', url: 'http://127.0.0.1:9/other' }, signing_secret: 'whsec_1' });
    expect(await create()).toMatchObject({ id: 'sub_1', signing_secret: 'whsec_1' });
  });

  it('is read wherever it has the secret', async () => {
    await begin();
    answer({ data: { id: 'sub_1', url }, meta: { signing_secret: 'whsec_1' } });
    expect(await create()).toMatchObject({ id: 'sub_1', signing_secret: 'whsec_1' });
  });

  it('with the secret alone gets its id from the list', async () => {
    const { sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, commits: true, body: { signing_secret: 'whsec_1' } });
    expect(await create()).toMatchObject({ id: there()[0], signing_secret: 'whsec_1' });
  });

  it.each<[string, unknown]>([
    [
      'other keys',
      { ok: true, [`long ${'k'.repeat(60)}`]: 1, ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, 1])) },
    ],
    ['text', 'made'],
    ['a list', []],
    ['nothing in an envelope', { data: null }],
    ['the record of something else', { id: 'bkg_1', status: 'CONFIRMED' }],
  ])('and %s is reported with the form of the answer, at once, and without its values', async (_, body) => {
    const { sandbox } = await begin();
    const from = sandbox.clock.now();
    answer(body);
    const error = await refusal(create());
    expect(error.kind).toBe('unreadable');
    expect(error.message).toMatch(
      /The answer had (the keys "(ok", "long k{35}", "key0"|data"|id", "status")|text that is not JSON|a list)/,
    );
    expect(error.message).not.toContain('key10');
    expect(sandbox.clock.now()).toBe(from);
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each([
    ['is just made, is one that nobody can use: it is deleted', true, 'it was deleted again'],
    ["does not say how old it is, may be someone else's: it is left alone", false, 'so it was left alone'],
  ])('and a subscription without a secret that %s', async (_, saysWhen, message) => {
    const { sandbox } = await begin();
    const { id, created_at } = sandbox.host.addSecretlessSubscription({ url, events: ['BOOKING_CREATED'] });
    answer({ id, url, ...(saysWhen && { created_at }) });
    expect((await refusal(create())).message).toContain(message);
    expect(there()).toEqual(saysWhen ? [] : [id]);
  });
});

it('a deletion that is answered with anything and a success status is done: one request', async () => {
  const { client, sandbox } = await begin();
  for (const body of [undefined, '', [], {}, { ok: true }, { success: true }, { data: null }, { data: { id: 'sub_other', url } }]) {
    const { id } = await create();
    sandbox.forgetRequests();
    sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 200, body, commits: true });
    expect(await deleteSubscription.run(client, { subscription_id: String(id) }, {})).toEqual({ id, deleted: true });
    expect(sandbox.requests()).toHaveLength(1);
  }
});

it('a deletion of what is not there says that it was not found, unless a lost request of the same deletion removed it', async () => {
  const { client, sandbox } = await begin();
  const remove = (id: string) => deleteSubscription.run(client, { subscription_id: id }, {});
  const made = async () => String((await create())['id']);
  const first = await made();
  await remove(first);
  expect((await refusal(remove(first))).sentence).toBe(
    `The webhook subscription "${first}" was not found. It may be deleted, or in another account. Check its ID, or choose it again.`,
  );
  const second = await made();
  sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'drop-after' });
  expect(await remove(second)).toEqual({ id: second, deleted: true });
  const third = await made();
  sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'drop-after', times: 'always' });
  expect((await refusal(remove(third))).kind).toBe('unknownOutcome');
  sandbox.faults.clear();
  expect(await remove(third)).toEqual({ id: third, deleted: true });
});
