import { createHash } from 'node:crypto';
import { memoryStore, type Tokens } from '../../sdk/oauth/index.ts';
import type { Fetch } from '../../sdk/index.ts';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { until } from '../support/until.ts';
import { failureOf, redirectUri, Stage } from './stage.ts';
import { errorOf } from '../support/wire.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

/**
 * A person at the consent page.
 * @returns the address to which they are sent back
 */
async function answered(url: string, button = /approve/i): Promise<string> {
  const browser = new Browser();
  return (await browser.press(await browser.open(url), button, { stopAt: redirectUri })).url;
}

const containing = (text: string): unknown => expect.stringContaining(text);

const tokenCalls = () => stage.requestsTo('/api/oauth/token');

/** Sends with `fetch`, and keeps the fields that were sent. */
function recording(): { sent: Record<string, string>[]; send: Fetch } {
  const sent: Record<string, string>[] = [];
  const send: Fetch = (address, init) => {
    sent.push(Object.fromEntries(new URLSearchParams(init.body as string)));
    return fetch(address, init);
  };
  return { sent, send };
}

describe('to connect', () => {
  test('leads through the consent page of the service, with PKCE and a state, to tokens that work', async () => {
    const oauth = stage.oauth();
    const [{ url, attempt }, other] = [await oauth.begin(), await oauth.begin()];
    const { origin, pathname, searchParams } = new URL(url);
    const [state = '', verifier = ''] = attempt.split('.');
    expect(`${origin}${pathname}`).toBe(`${stage.sandbox.origin}/oauth/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: stage.application.clientId,
      redirect_uri: redirectUri,
      scope: 'bookings:read bookings:write event_types:read contacts:read webhooks:manage',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    // 128 and 256 random bits, as text for an address.
    expect([state, verifier]).toEqual([expect.stringMatching(/^[\w-]{22}$/), expect.stringMatching(/^[\w-]{43}$/)]);
    expect(new Set([...attempt.split('.'), ...other.attempt.split('.')]).size).toBe(4);
    const tokens = await oauth.finish(await answered(url), attempt);
    expect(await stage.client({ auth: tokens.access_token }).users.current()).toMatchObject({ email: stage.sandbox.account.email });
    const few = await stage.oauth({ scopes: ['bookings:read', 'contacts:read'] }).begin();
    expect(new URL(few.url).searchParams.get('scope')).toBe('bookings:read contacts:read');
  });

  test('works with values that were copied with a line end, quotes or invisible characters', async () => {
    const { sent, send } = recording();
    const { clientId, clientSecret, baseUrl } = stage.application;
    const copies = {
      clientId: `${clientId}\n`,
      clientSecret: `"${clientSecret}"`,
      redirectUri: ` ${redirectUri}\u200b`,
      baseUrl: `'${baseUrl}' `,
    };
    const oauth = stage.oauth({ ...copies, fetch: send });
    const { url, attempt } = await oauth.begin();
    const { access_token } = await oauth.finish(await answered(url), attempt);
    expect(sent).toMatchObject([{ client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri }]);
    const client = stage.client({ auth: `"${access_token}"\r\n`, baseUrl: stage.sandbox.origin });
    expect(await client.users.current()).toMatchObject({ email: stage.sandbox.account.email });
  });

  test('takes the answer as an address, as text in whatever form, or as the parameters of a query', async () => {
    const { sent, send } = recording();
    const oauth = stage.oauth({ fetch: send });
    const { attempt } = await oauth.begin();
    const [state, code_verifier] = attempt.split('.');
    const query = `code=unknown&state=${state}`;
    const address = `${redirectUri}?${query}`;
    for (const answer of [`${address}#top\nand?more`, `/callback?${query}`, query, new URL(address), new URLSearchParams(query)])
      expect(await failureOf(oauth.finish(answer, attempt))).toMatchObject({ kind: 'unauthenticated' });
    expect(sent.map(({ code, code_verifier: verifier }) => [code, verifier])).toEqual(Array(5).fill(['unknown', code_verifier]));
  });

  test('is refused before any code is exchanged, unless one state comes back to the session with its attempt', async () => {
    const { attempt } = await stage.oauth().begin();
    const [state = ''] = attempt.split('.');
    const answer = (given: string): string => `${redirectUri}?code=c&state=${given}`;
    const forged: [answer: string, attempt: string | undefined][] = [
      ...[answer(''), answer(`${state}&state=${state}`), answer(`${state}x`), `${redirectUri}?code=c`].map((each): [string, string] => [
        each,
        attempt,
      ]),
      ...[undefined, '.', '.verifier'].map((kept): [string, string | undefined] => [answer(''), kept]),
      [answer(state), undefined],
      [answer(state), `${state}.`],
      // Another person's answer in this browser session.
      [answer((await stage.oauth().begin()).attempt.split('.')[0] ?? ''), attempt],
    ];
    for (const [given, kept] of forged)
      expect(await failureOf(stage.oauth().finish(given, kept))).toMatchObject({
        kind: 'forbidden',
        message: containing('does not belong to a connection'),
      });
    expect(tokenCalls()).toEqual([]);
  });

  test('a person who does not agree gets the words of the service, and nothing is exchanged', async () => {
    const oauth = stage.oauth();
    const { url, attempt } = await oauth.begin();
    expect(await failureOf(oauth.finish(await answered(url, /deny/i), attempt))).toMatchObject({
      kind: 'forbidden',
      message: 'The account was not connected: The account holder denied access.',
    });
    expect(tokenCalls()).toEqual([]);
  });
});

describe('an access token that has expired', () => {
  test('is renewed once for all calls over a store with a lock, such as a row of a database, and each is answered', async () => {
    const store = stage.expiredStore();
    const before = await store.read();
    const clients = [1, 2, 3].map(() => stage.client({ auth: stage.oauth().connection({ ...store }) }));
    const users = await Promise.all(clients.flatMap((client) => Array.from({ length: 20 }, () => client.users.current())));
    expect(users.every(({ email }) => email === stage.sandbox.account.email)).toBe(true);
    expect(tokenCalls()).toHaveLength(1);
    expect((await store.read())?.refresh_token).not.toBe(before?.refresh_token);
  });

  test('may be refused by the gateway before the service, and is renewed', async () => {
    const headers = { 'x-amzn-errortype': 'UnauthorizedException' };
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 401, headers, body: { message: 'Unauthorized' } });
    const client = stage.client({ auth: stage.oauth().connection(stage.expiredStore()) });
    expect(await client.users.current()).toMatchObject({ email: stage.sandbox.account.email });
    expect(tokenCalls()).toHaveLength(1);
  });

  test('is not renewed if there is a newer one, or none, or nothing to renew it with', async () => {
    const kept = stage.expiredStore();
    await stage.oauth().connection(kept).renew('an older one');
    await stage.oauth().connection(memoryStore()).renew('one that was deleted');
    const alone = memoryStore({ access_token: 'spent' });
    expect(await failureOf(stage.oauth().connection(alone).renew('spent'))).toMatchObject({ kind: 'unauthenticated' });
    expect(tokenCalls()).toEqual([]);
  });

  test('is reported as not renewed if the one who waits gives up', async () => {
    stage.sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'stall' });
    const over = new AbortController();
    const store = stage.expiredStore();
    const token = String((await store.read())?.access_token);
    const renewed = failureOf(stage.oauth().connection(store).renew(token, over.signal));
    await until(() => tokenCalls().length > 0);
    over.abort(new Error('enough'));
    expect(await renewed).toMatchObject({ kind: 'notRenewed' });
  });
});

test('a call that was begun before somebody connected again is not continued in that account', async () => {
  const connection = stage.oauth().connection(memoryStore<Tokens>());
  await connection.connect(stage.sandbox.issueToken({ expiresInSeconds: -1 }));
  const begun = await connection.token();
  await connection.connect(stage.sandbox.issueToken());
  expect(await failureOf(connection.renew(begun))).toMatchObject({ message: containing('was connected in the meantime') });
  expect(await connection.renew(await connection.token())).toBeUndefined();
});

describe('to disconnect', () => {
  test('revokes the pair at the service and forgets it; a second time, there is nothing to revoke', async () => {
    const { access_token, refresh_token } = stage.sandbox.issueToken();
    const store = memoryStore({ access_token, refresh_token });
    const { sent, send } = recording();
    const connection = stage.oauth({ fetch: send }).connection(store);
    await connection.disconnect();
    expect(store.read()).toBeUndefined();
    expect(sent).toMatchObject([{ token: refresh_token, token_type_hint: 'refresh_token' }]);
    expect(await failureOf(stage.client({ auth: access_token }).users.current())).toMatchObject({ kind: 'unauthenticated' });
    expect(await failureOf(stage.client({ auth: connection }).users.current())).toMatchObject({
      message: containing('is connected here'),
    });
    await connection.disconnect();
    expect(stage.requestsTo('/api/oauth/revoke')).toHaveLength(1);
  });

  test.each([
    [204, {}, undefined],
    [400, { error: 'invalid_token' }, undefined],
    [300, {}, 'status 300'],
    [400, { error: 'invalid_request', error_description: 'Ask the owner' }, 'status 400, Ask the owner'],
  ])('after the answer %d %j, what is not revoked for certain is kept, and the reason is told: %s', async (status, body, reason) => {
    const store = memoryStore({ access_token: stage.token() });
    stage.sandbox.faults.add({ route: 'POST /api/oauth/revoke', kind: 'status', status, body });
    const ended = stage.oauth().connection(store).disconnect();
    const message = containing(`did not confirm that the tokens are revoked (${reason}).`);
    if (reason === undefined) await ended;
    else expect(await failureOf(ended)).toMatchObject({ kind: 'server', message });
    expect(store.read() === undefined).toBe(reason === undefined);
  });

  test('a pair that the service refuses to revoke is forgotten if it is over, and otherwise kept, as it is by then', async () => {
    const body = errorOf('Unauthorized', 'INVALID_TOKEN');
    const refuse = () => stage.sandbox.faults.add({ route: 'POST /api/oauth/revoke', kind: 'status', status: 401, body });
    refuse();
    const { access_token, refresh_token } = stage.sandbox.issueToken();
    const store = memoryStore<Tokens>({ access_token, refresh_token });
    const connection = stage.oauth().connection(store);
    expect(await failureOf(connection.disconnect())).toMatchObject({ message: containing('(status 401)') });
    expect(await stage.client({ auth: connection }).users.current()).toHaveProperty('email');
    // Somebody removes the connection in the service.
    await stage
      .oauth()
      .connection(memoryStore<Tokens>(await store.read()))
      .disconnect();
    refuse();
    await connection.disconnect();
    expect(store.read()).toBeUndefined();
  });
});

// Which answers these are, the core's own test says.
test('an answer that says nothing about the connection ends it neither at a refresh nor at a disconnect, and both are done once the service answers again', async () => {
  const answer = { kind: 'status', status: 401, body: { error: 'Unauthorized' } } as const;
  const fail = (route: string) => stage.sandbox.faults.add({ route: `POST /api/oauth/${route}`, ...answer });
  const { access_token, refresh_token } = stage.sandbox.issueToken({ expiresInSeconds: -1 });
  const store = memoryStore<Tokens>({ access_token, refresh_token });
  const connection = stage.oauth().connection(store);
  fail('token');
  expect(await failureOf(connection.renew(access_token))).toMatchObject({ kind: 'notRenewed' });
  for (const route of ['revoke', 'token']) fail(route);
  expect(await failureOf(connection.disconnect())).toMatchObject({ message: containing('did not confirm') });
  expect(store.read()).toMatchObject({ access_token, refresh_token });
  await connection.disconnect();
  expect(store.read()).toBeUndefined();
});

describe('a refresh under way', () => {
  /** Connects an account whose token has expired, and begins a refresh that stops at the service. */
  async function refreshing() {
    const store = memoryStore<Tokens>();
    const spent = stage.sandbox.issueToken({ expiresInSeconds: -1 });
    await store.write({ access_token: spent.access_token, refresh_token: spent.refresh_token });
    let goOn: () => void = () => undefined;
    let hasArrived = false;
    const send: Fetch = async (address, init) => {
      const answer = await fetch(address, init);
      if (!address.endsWith('/token')) return answer;
      hasArrived = true;
      await new Promise<void>((resolve) => (goOn = resolve));
      return answer;
    };
    const connection = stage.oauth({ fetch: send }).connection(store);
    const renewed = connection.renew(spent.access_token);
    await until(() => hasArrived);
    return { store, connection, finish: () => goOn(), renewed };
  }

  test('does not bring back tokens that are disconnected meanwhile, and none of them works afterwards', async () => {
    const { store, connection, finish, renewed } = await refreshing();
    const write = jest.spyOn(store, 'write');
    const disconnected = connection.disconnect();
    finish();
    await Promise.all([renewed, disconnected]);
    expect(await failureOf(connection.token())).toMatchObject({ message: containing('is connected here') });
    const [[made] = []] = write.mock.calls;
    expect(await failureOf(stage.client({ auth: String(made?.access_token) }).users.current())).toMatchObject({ kind: 'unauthenticated' });
  });

  test('does not replace the account that is connected meanwhile, even if the lock was lost, as after a sleep of the machine', async () => {
    const { store, finish, renewed } = await refreshing();
    const { access_token, refresh_token } = stage.sandbox.issueToken();
    await store.write({ access_token, refresh_token });
    finish();
    await renewed;
    expect(await store.read()).toMatchObject({ access_token, refresh_token });
  });

  test('and a disconnect under way take nothing from the account that is connected meanwhile', async () => {
    const store = memoryStore<Tokens>(stage.sandbox.issueToken());
    const { access_token, refresh_token } = stage.sandbox.issueToken();
    const send: Fetch = async (address, init) => {
      const answer = await fetch(address, init);
      if (address.endsWith('/revoke')) await store.write({ access_token, refresh_token });
      return answer;
    };
    await stage.oauth({ fetch: send }).connection(store).disconnect();
    expect(await store.read()).toMatchObject({ access_token, refresh_token });
  });
});
