import type { EventName } from '../../shared/events.ts';
import { createSubscription, deleteSubscription } from '../../shared/operations/index.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async () => (service = await serve({ limits: false }));
afterEach(() => service.sandbox.stop());

const wanted = { url: 'http://127.0.0.1:9/webhook/ours' };
/** The outcome: a record or a refusal. */
const settledly = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("an address of the user's own that is subscribed already", () => {
  it.each(['drop-after', 'drop-before', 'status'] as const)(
    'keeps that subscription if the answer to another one is lost by %s',
    async (kind) => {
      const { client, sandbox } = await begin();
      const first = await createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {});
      sandbox.faults.add({ route: 'POST /v1/hooks', kind, ...(kind === 'status' && { status: 502 }) });
      const second = await settledly(createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CANCELLED'] }, {}));
      const there = sandbox.subscriptions().map(({ id }) => id);
      expect(there).toContain(first['id']);
      // It is impossible to tell whether a subscription that appeared meanwhile is ours, so it stays and is named.
      if (kind === 'drop-after')
        expect(second).toMatchObject({
          kind: 'unknownOutcome',
          message: expect.stringContaining(`It may be ${there.find((id) => id !== first['id'])}`) as string,
        });
      else expect(second).toMatchObject({ id: there.find((id) => id !== first['id']), signing_secret: expect.any(String) as string });
    },
  );

  it('two items subscribe one after another, and neither deletes what the other made', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after', after: 1 });
    const create = (event: EventName) => settledly(createSubscription.run(client, { url: wanted.url, events: [event] }, {}));
    const [first, second] = await Promise.all([create('BOOKING_CREATED'), create('BOOKING_CANCELLED')]);
    const there = sandbox.subscriptions().map(({ id }) => id);
    expect(there).toContain((first as { id?: string }).id);
    expect(there).toHaveLength(2);
    expect(second).toMatchObject({ kind: 'unknownOutcome' });
    expect((second as Error).message).not.toContain(String((first as { id?: string }).id));
  });

  it('what another program creates there meanwhile is never deleted', async () => {
    const { client, clientWith, sandbox } = await begin();
    const theirs = clientWith({});
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before' });
    const ours = settledly(createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {}));
    const made = await createSubscription.run(theirs, { url: wanted.url, events: ['BOOKING_CREATED'] }, {});
    await ours;
    expect(sandbox.subscriptions().map(({ id }) => id)).toContain(made['id']);
  });
});

/** What a proxy, a login page, another version or another endpoint may answer with a success status. */
const noSubscription: [string, unknown][] = [
  ['a page', '<html>Welcome</html>'],
  ['ok', { ok: true }],
  ['nothing in an envelope', { data: null }],
  ['a list', []],
  ['a record with neither address nor secret', { id: 'bkg_1', status: 'CONFIRMED' }],
  ['a subscription of another address, with a secret', { id: 'sub_other', url: 'http://127.0.0.1:9/other', signing_secret: 'whsec_other' }],
];

describe('an answer with a success status that holds no subscription', () => {
  it.each(noSubscription)('to one that was not created: %s. It is created, once', async (_, body) => {
    const { client, sandbox } = await begin();
    const before = sandbox.subscriptions().length;
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 200, body });
    const made = await createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {});
    const there = sandbox.subscriptions().slice(before);
    expect(there.map(({ id, url }) => ({ id, url }))).toEqual([{ id: made['id'], url: wanted.url }]);
    expect(made['signing_secret']).toEqual(expect.stringMatching(/./));
  });

  it.each(noSubscription)(
    'to one that was created: %s. It is reported as perhaps created, with its id, and is not created again',
    async (_, body) => {
      const { client, sandbox } = await begin();
      const before = sandbox.subscriptions().length;
      sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 200, body, commits: true });
      const end = await settledly(createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {}));
      const there = sandbox.subscriptions().slice(before);
      expect(there).toHaveLength(1);
      expect(end).toMatchObject({
        kind: 'unknownOutcome',
        message: expect.stringContaining(`It may be ${there[0]?.id}, which appeared since.`) as string,
      });
    },
  );

  it('for this address without a secret is one that nobody can use: it is deleted', async () => {
    const { client, sandbox } = await begin();
    const before = sandbox.subscriptions().length;
    const left = sandbox.host.addSecretlessSubscription({ url: wanted.url, events: ['BOOKING_CREATED'] });
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 200, body: { id: left.id, url: wanted.url } });
    expect(await settledly(createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {}))).toMatchObject({
      kind: 'unreadable',
    });
    expect(sandbox.subscriptions()).toHaveLength(before);
  });

  it('is reported without guesses if nothing more can be read about it', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before' });
    sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 503, times: 'always', after: 1 });
    const end = await settledly(createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {}));
    expect(end).toMatchObject({ kind: 'unknownOutcome', message: expect.stringMatching(/it may or may not exist\.$/) as string });
  });
});

describe('a deletion that is answered with a success status', () => {
  const deletions = () => service.sandbox.requests().filter(({ method }) => method === 'DELETE').length;
  const lookedFor = () => service.sandbox.requests().filter(({ method }) => method === 'GET').length;
  const one = async () => {
    const { client, sandbox } = await begin();
    const made = await createSubscription.run(client, { url: wanted.url, events: ['BOOKING_CREATED'] }, {});
    sandbox.forgetRequests();
    return { client, sandbox, id: String(made['id']) };
  };

  it('and without a body was carried out: nothing is looked for', async () => {
    const { client, sandbox, id } = await one();
    expect(await deleteSubscription.run(client, { subscription_id: id }, {})).toEqual({ id, deleted: true });
    expect([deletions(), lookedFor(), sandbox.subscriptions().some((each) => each.id === id)]).toEqual([1, 0, false]);
  });

  it('and with its record was carried out as well', async () => {
    const { client, sandbox, id } = await one();
    sandbox.faults.add({
      route: 'DELETE /v1/hooks/:id',
      kind: 'status',
      status: 200,
      body: { data: { id, url: wanted.url } },
      commits: true,
    });
    expect(await deleteSubscription.run(client, { subscription_id: id }, {})).toEqual({ id, deleted: true });
    expect([deletions(), lookedFor()]).toEqual([1, 0]);
  });

  it.each([...noSubscription, ['the record of another one', { id: 'sub_other', url: wanted.url }] as [string, unknown]])(
    'and %s, but was not carried out, is sent again',
    async (_, body) => {
      const { client, sandbox, id } = await one();
      sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 200, body });
      expect(await deleteSubscription.run(client, { subscription_id: id }, {})).toEqual({ id, deleted: true });
      expect(deletions()).toBe(2);
      expect(sandbox.subscriptions().map((each) => each.id)).not.toContain(id);
    },
  );

  it.each(noSubscription)('and %s, but was carried out, is reported as done and not sent again', async (_, body) => {
    const { client, sandbox, id } = await one();
    sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 200, body, commits: true });
    expect(await deleteSubscription.run(client, { subscription_id: id }, {})).toEqual({ id, deleted: true });
    expect([deletions(), lookedFor()]).toEqual([1, 1]);
  });
});
