import type { Fault } from '../../sandbox/service.ts';
import { aboutTheAccount, inBetween, tokenAnswers } from '../support/inBetween.ts';
import { calls, book, introCall, onSandbox, onStage, refused, type Stage } from './stage.ts';

const stage = onStage();
const path = 'authentication.oauth2Config.refreshAccessToken';
/** The forms that the app sent to the token endpoint. */
const tokenCalls = (on: Stage) => calls(on, 'POST', '/api/oauth/token').map(({ body }) => body as Record<string, string>);
/** What Zapier stores for the connection. */
const authData = ({ zapier }: Stage) => ({ ...zapier.authData });
const refresh = (more?: object) => stage.zapier.invoke(path, more);

/** Replaces the access token with one that the service does not know, as after its hour. */
function expire({ zapier }: Stage): void {
  zapier.authData = { ...zapier.authData, access_token: 'at_expired' };
}

test('connecting asks for all scopes at once, with state and PKCE', () =>
  onSandbox(stage, {}, async (own) => {
    expect(calls(own, 'GET', '/oauth/authorize')[0]?.query).toMatchObject({
      scope: 'bookings:read bookings:write event_types:read contacts:read webhooks:manage',
      state: expect.stringMatching(/./) as string,
      code_challenge_method: 'S256',
    });
  }));

test('an expired token is refreshed, without the old access token in the request, and the rotated refresh token is kept', async () => {
  const before = authData(stage);
  expire(stage);
  stage.sandbox.forgetRequests();
  await stage.zapier.invoke('authentication.test');
  expect(tokenCalls(stage)).toMatchObject([{ grant_type: 'refresh_token' }]);
  expect(calls(stage, 'POST', '/api/oauth/token')[0]?.headers['authorization']).toBeUndefined();
  expect(authData(stage)['refresh_token']).not.toBe(before['refresh_token']);
});

test('a revoked grant asks to reconnect', () =>
  onSandbox(stage, {}, async (own) => {
    const { client, origin } = own.sandbox;
    const body = new URLSearchParams({ token: authData(own)['refresh_token'] ?? '', client_id: client.id, client_secret: client.secret });
    expect((await fetch(`${origin}/api/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    await refused(own.zapier.invoke('authentication.test'), 'ExpiredAuthError', 'expired or was revoked', 'Reconnect the account');
  }));

// If a refresh ends with a status of 4xx, Zapier ends the connection.
test.each<[string, Omit<Fault, 'route'>, string]>([
  [
    'a page in the place of tokens',
    { kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
    'answered with a web page and status 200',
  ],
  ['a 401, whose body the platform hides', { kind: 'status', status: 401 }, 'If other connections work, reconnect'],
  ['a 403', { kind: 'status', status: 403, body: '<html>' }, 'answered with a web page and status 403'],
  ['a 503', { kind: 'status', status: 503 }, 'status 503'],
  ['a connection that breaks off', { kind: 'drop-before' }, 'did not answer'],
])('%s as the answer to a refresh is told, nothing was done, and no connection ends', async (_, answer, words) => {
  const before = stage.sandbox.bookings().length;
  for (const work of [() => refresh(), () => book(stage, introCall(stage))]) {
    expire(stage);
    stage.sandbox.faults.add({ route: 'POST /api/oauth/token', ...answer });
    const { status } = await refused(work(), 'AppError', 'Nothing was done, because', words);
    expect(status).toBeUndefined();
  }
  expect(stage.sandbox.bookings()).toHaveLength(before);
});

test('the documented limit of token requests holds the step as long as the service says', async () => {
  stage.sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 429, headers: { 'retry-after': '17' } });
  expect((await refused(refresh(), 'ThrottledError', 'token requests')).delaySeconds).toBe(17);
});

test('without a refresh token nothing is sent, nobody is held, and the person reconnects', async () => {
  stage.sandbox.forgetRequests();
  for (const none of [{}, { refresh_token: '' }]) await refused(refresh({ authData: none }), 'ExpiredAuthError', 'Reconnect the account');
  expect(tokenCalls(stage)).toEqual([]);
});

test('a second refresh with one token is held for 5 to 10 seconds, for a minute in all; another connection is not', () =>
  // The refresh token stays the same, so that only the claim decides.
  onSandbox(stage, { forms: { rotation: 'keep' } }, async ({ sandbox, zapier }) => {
    const { refresh_token, access_token } = sandbox.issueToken();
    const again = () => zapier.invoke(path, { authData: { refresh_token, access_token } });
    await again();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 58_000);
    sandbox.forgetRequests();
    const { delaySeconds } = await refused(again(), 'ThrottledError', 'Another step is refreshing');
    expect([5, 6, 7, 8, 9, 10]).toContain(delaySeconds);
    expect(tokenCalls({ sandbox, zapier })).toEqual([]);
    await zapier.invoke(path, { authData: sandbox.issueToken() });
    clock.mockReturnValue(now + 61_000);
    expect(await again()).toHaveProperty('access_token');
    clock.mockRestore();
  }));

test('what is not the answer of the service ends no connection, connects none, and is not told as that of the account', async () => {
  const { zapier, sandbox } = stage;
  const stored = zapier.authData;
  // Of a 401, the platform keeps only its own signal to refresh the token.
  for (const [route, answers, ...work] of [
    ['*', inBetween, () => zapier.invoke('authentication.test')],
    ['POST /api/oauth/token', tokenAnswers, refresh, () => zapier.connect()],
  ] as const)
    for (const answer of answers.filter(({ status }) => status !== 401)) {
      sandbox.faults.add({ route, kind: 'status', ...answer, times: 'always' });
      for (const each of work) {
        const { kind, message } = await each().then(
          () => ({ kind: 'none', message: '' }),
          (error: unknown) => error as { kind: string; message: string },
        );
        expect([kind, message]).toEqual([
          expect.stringMatching(/^(?:AppError|ThrottledError)$/),
          expect.not.stringMatching(aboutTheAccount),
        ]);
      }
      sandbox.faults.clear();
    }
  expect(zapier.authData).toBe(stored);
});
