import type { EventName } from '../../shared/events.ts';
import { AccountSubscriptions, endSubscription, isIntact, replaceSubscription, subscribe } from '../../shared/webhooks/subscriptions.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async (options: Parameters<typeof serve>[0] = {}) => (service = await serve({ limits: false, ...options }));

const wanted: { url: string; events: EventName[] } = { url: 'http://127.0.0.1:9/webhook/ours', events: ['BOOKING_CREATED'] };
const urls = () => service.sandbox.subscriptions().map(({ url }) => url);

describe('a subscription whose account is no longer connected', () => {
  /** The same service, connected to a second account, and the subscription that the first one has. */
  const switched = async (options: Parameters<typeof serve>[0] = {}) => {
    const { client, clientWith, sandbox } = await begin(options);
    const known = { ...(await replaceSubscription(client, wanted)), url: wanted.url };
    const { id: accountId } = sandbox.addAccount({ email: 'grace@example.com' });
    return { client, known, sandbox, other: clientWith({ token: sandbox.issueToken({ accountId }).access_token }) };
  };
  const words = (id: string) =>
    `The webhook subscription "${id}" for ${wanted.url} is still in the account "morgan@host.example", and this connection now belongs to "grace@example.com", so it was not deleted. To remove it, connect "morgan@host.example" again and delete that subscription.`;

  it('is not as wanted, also right after the list of the first account was read', async () => {
    const { client, known, other } = await switched();
    const shared = new AccountSubscriptions();
    expect(await isIntact(client, wanted, known, shared)).toBe(true);
    expect(await isIntact(other, wanted, known, shared)).toBe(false);
    expect(await isIntact(client, wanted, known, shared)).toBe(true);
  });

  it('is replaced, left where it is, and named with its account and how to remove it', async () => {
    const { client, known, other, sandbox } = await switched();
    const shared = new AccountSubscriptions();
    await isIntact(client, wanted, known, shared);
    sandbox.forgetRequests();
    const { left, ...made } = await replaceSubscription(other, wanted, shared, known);
    expect(left).toMatchObject({ id: known.id, account: { name: 'morgan@host.example' } });
    expect(left?.error.sentence).toBe(words(known.id));
    expect(made.account).toMatchObject({ name: 'grace@example.com' });
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([known.id, made.id]);
    expect(sandbox.requests().filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(await isIntact(other, wanted, { ...made, url: wanted.url }, shared)).toBe(true);
  });

  it('is not gone because the new account does not know it', async () => {
    const { client, known, other, sandbox } = await switched();
    const { left } = await endSubscription(other, known, wanted.url);
    expect(left?.error.sentence).toBe(words(known.id));
    expect(urls()).toEqual([wanted.url]);
    sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 403, body: { error: 'Forbidden' } });
    expect((await endSubscription(other, known, wanted.url)).left?.error.sentence).toBe(words(known.id));
    expect(await endSubscription(client, known, wanted.url)).toEqual({ ids: [known.id] });
    expect(urls()).toEqual([]);
  });

  it.each(['GET /v1/me', 'no account was kept'])('counts as gone, as before, if nobody can tell accounts apart: %s', async (why) => {
    const { known, other, sandbox } = await switched();
    if (why.startsWith('GET')) sandbox.faults.add({ route: why, kind: 'status', status: 403, times: 'always' });
    const { account: _, ...nobodys } = known;
    expect(await endSubscription(other, why.startsWith('GET') ? known : nobodys, wanted.url)).toEqual({ ids: [known.id] });
    const { left, ...made } = await replaceSubscription(other, wanted, undefined, why.startsWith('GET') ? known : nobodys);
    expect([left, 'account' in made]).toEqual([undefined, !why.startsWith('GET')]);
  });

  it('costs an ordinary end no request, and a start one', async () => {
    const { client, sandbox } = await begin();
    const me = () => sandbox.requests().filter(({ path }) => path === '/v1/me').length;
    const known = { ...(await replaceSubscription(client, wanted)), url: wanted.url };
    expect(me()).toBe(1);
    await endSubscription(client, known, wanted.url);
    expect([me(), sandbox.requests().at(-1)?.method]).toEqual([1, 'DELETE']);
  });

  it('is recognised by the email if the user has no id', async () => {
    const { known, other } = await switched({ forms: { user: 'email' } });
    expect((await endSubscription(other, known, wanted.url)).left?.account).toEqual({
      id: 'morgan@host.example',
      name: 'morgan@host.example',
    });
  });

  it('is not left behind if only the email of its user changed, by which the account was known', async () => {
    const { client, sandbox } = await begin();
    const user = (email: string) => {
      sandbox.faults.clear();
      sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 200, body: { email }, times: 'always' });
    };
    user('old@example.com');
    const known = { ...(await replaceSubscription(client, wanted)), url: wanted.url };
    user('new@example.com');
    expect(await isIntact(client, wanted, known)).toBe(true);
    const { left, ...made } = await replaceSubscription(client, wanted, undefined, known);
    expect([left, sandbox.subscriptions().map(({ id }) => id)]).toEqual([undefined, [made.id]]);
  });
});

it('one that is gone although it was kept may have been replaced: what is at its address is deleted as well', async () => {
  const { client } = await begin();
  const older = { ...(await replaceSubscription(client, wanted)), url: wanted.url };
  await replaceSubscription(client, wanted);
  await subscribe(client, { ...wanted, url: 'http://127.0.0.1:9/other' });
  await endSubscription(client, older, wanted.url);
  expect(urls()).toEqual(['http://127.0.0.1:9/other']);
});
