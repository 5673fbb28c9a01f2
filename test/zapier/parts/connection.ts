import assert from 'node:assert/strict';
import { Browser } from '../../../tools/rigs/zapier/browser.ts';
import { book, introCall } from './booking.ts';
import { calls, onSandbox, record, refused, same, type Part } from './stage.ts';
import { authData, expire, tokenCalls } from './tokens.ts';

export const connection: Part = {
  name: 'Connection',
  checks: [
    {
      title: 'asks for all five scopes at once, with state and PKCE, and exchanges the code with its verifier',
      run: (stage) =>
        onSandbox(stage, {}, async (own) => {
          const [authorize] = calls(own, 'GET', '/oauth/authorize');
          const [exchange] = tokenCalls(own);
          assert.ok(authorize && exchange);
          const { scope, state, code_challenge_method: method } = authorize.query;
          assert.equal(scope, 'bookings:read bookings:write event_types:read contacts:read webhooks:manage');
          assert.equal(method, 'S256');
          assert.ok(state);
          assert.equal(exchange['grant_type'], 'authorization_code');
          assert.ok(exchange['code_verifier']);
        }),
    },
    {
      title: 'exchanges a code without a verifier if there is none, like the command line tool',
      run: async (stage) => {
        const { client, origin } = stage.sandbox;
        const redirectUri = stage.zapier.redirectUri;
        const query = new URLSearchParams({
          client_id: client.id,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: 'bookings:read',
        });
        const browser = new Browser();
        const landed = await browser.press(await browser.open(`${origin}/oauth/authorize?${query.toString()}`), /allow/i, {
          stopAt: redirectUri,
        });
        const code = new URL(landed.url).searchParams.get('code');
        const tokens = record(
          await stage.zapier.invoke('authentication.oauth2Config.getAccessToken', {
            authData: {},
            inputData: { code, redirect_uri: redirectUri },
          }),
        );
        assert.ok(tokens['access_token']);
        assert.equal(tokens['scope'], 'bookings:read');
      },
    },
    {
      title: 'tests the account and names the connection "Name (email)"',
      run: async ({ sandbox, zapier }) => {
        const { name, email } = sandbox.account;
        assert.equal(zapier.connection?.label, `${name} (${email})`);
        assert.equal(record(await zapier.invoke('authentication.test'))['email'], email);
      },
    },
    {
      title: 'names the connection by the email or the id, whichever the service shows',
      run: async (stage) => {
        await onSandbox(stage, { forms: { user: 'email' } }, async ({ sandbox, zapier }) =>
          assert.equal(zapier.connection?.label, sandbox.account.email),
        );
        await onSandbox(stage, { forms: { user: 'id' } }, async ({ sandbox, zapier }) =>
          assert.equal(zapier.connection?.label, sandbox.account.id),
        );
      },
    },
    {
      title: 'says that the account holder did not agree',
      run: async (stage) => {
        await assert.rejects(stage.zapier.connect(/deny/i), /access_denied/);
      },
    },
    {
      title: 'refreshes an expired token once for ten calls, and keeps the rotated refresh token',
      run: async (stage) => {
        const before = authData(stage);
        expire(stage);
        stage.sandbox.forgetRequests();
        await Promise.all(Array.from({ length: 10 }, () => stage.zapier.invoke('authentication.test')));
        const refreshes = tokenCalls(stage);
        same(
          refreshes.map((form) => form['grant_type']),
          ['refresh_token'],
        );
        const after = authData(stage);
        assert.notEqual(after['access_token'], 'at_expired');
        assert.notEqual(after['refresh_token'], before['refresh_token']);
        expire(stage);
        await stage.zapier.invoke('authentication.test');
      },
    },
    {
      title: 'keeps the old refresh token if the service sends no new one, and does not need expires_in',
      run: (stage) =>
        onSandbox(stage, { forms: { rotation: 'keep', expiresIn: 'absent' } }, async (own) => {
          const before = authData(own);
          expire(own);
          await own.zapier.invoke('authentication.test');
          assert.equal(authData(own)['refresh_token'], before['refresh_token']);
          assert.equal(before['expires_in'], undefined);
        }),
    },
    {
      title: 'sends no access token when it asks for tokens',
      run: async (stage) => {
        expire(stage);
        stage.sandbox.forgetRequests();
        await stage.zapier.invoke('authentication.test');
        const [refresh] = calls(stage, 'POST', '/api/oauth/token');
        assert.equal(refresh?.headers['authorization'], undefined);
      },
    },
    {
      title: 'sends no Authorization header without an access token',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        await refused(stage.zapier.invoke('authentication.test', { authData: {} }), 'RefreshAuthError');
        const asked = calls(stage, 'GET', '/v1/me');
        assert.ok(asked.length > 0);
        assert.equal(asked[0]?.headers['authorization'], undefined);
      },
    },
    {
      title: 'asks to reconnect when the grant was revoked',
      run: (stage) =>
        onSandbox(stage, {}, async (own) => {
          const { client, origin } = own.sandbox;
          const body = new URLSearchParams({
            token: authData(own)['refresh_token'] ?? '',
            client_id: client.id,
            client_secret: client.secret,
          });
          assert.equal((await fetch(`${origin}/api/oauth/revoke`, { method: 'POST', body })).status, 200);
          await refused(own.zapier.invoke('authentication.test'), 'ExpiredAuthError', 'expired or was revoked', 'Reconnect the account');
        }),
    },
    {
      title: 'names client id and secret when the service does not know them',
      run: async ({ zapier }) => {
        const { environment } = zapier;
        zapier.environment = { ...environment, CLIENT_SECRET: 'cs_wrong' };
        try {
          await refused(zapier.invoke('authentication.oauth2Config.refreshAccessToken'), 'AppError', 'client id and secret');
        } finally {
          zapier.environment = environment;
        }
      },
    },
    {
      title: 'says what is wrong with a BASE_URL that is not an HTTPS address',
      run: async ({ zapier }) => {
        const { environment } = zapier;
        zapier.environment = { ...environment, BASE_URL: 'http://scheduling.example/api/v1' };
        try {
          await refused(zapier.invoke('authentication.test'), 'AppError', 'base address', 'https://');
        } finally {
          zapier.environment = environment;
        }
      },
    },
    {
      title: 'says that the service could not be reached when a token call breaks off',
      run: async ({ sandbox, zapier }) => {
        sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'drop-before' });
        await refused(zapier.invoke('authentication.oauth2Config.refreshAccessToken'), 'AppError', 'did not answer');
      },
    },
    {
      title: 'does not ask to reconnect if a token call is refused for a reason other than its grant',
      run: async ({ sandbox, zapier }) => {
        const refresh = () => zapier.invoke('authentication.oauth2Config.refreshAccessToken');
        for (const [status, words] of [
          [302, 'redirect'],
          [403, 'did not allow'],
          [404, 'status 404'],
          [408, 'could not answer'],
        ] as const) {
          sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status, body: '<html>' });
          await refused(refresh(), 'AppError', words);
        }
      },
    },
    {
      title: 'reports a create whose token could not be refreshed as not carried out, whatever the token endpoint did',
      run: async (stage) => {
        const { sandbox, zapier } = stage;
        const before = sandbox.bookings().length;
        for (const [fault, words] of [
          [{ kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }, 'without an access_token'],
          [{ kind: 'status', status: 503 }, 'status 503'],
          [{ kind: 'status', status: 200, body: { error: 'temporarily_unavailable' } }, 'temporarily_unavailable'],
        ] as const) {
          expire(stage);
          sandbox.faults.add({ route: 'POST /api/oauth/token', ...fault });
          await refused(book(stage, introCall(stage)), 'AppError', 'Nothing was done, because', words);
        }
        assert.equal(sandbox.bookings().length, before);
        await zapier.invoke('authentication.test');
      },
    },
    {
      title: 'sends no refresh without a refresh token, and asks to reconnect',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        for (const token of ['', undefined]) {
          const { refresh_token: _, ...rest } = authData(stage);
          const own = { ...rest, ...(token !== undefined && { refresh_token: token }) };
          await refused(
            stage.zapier.invoke('authentication.oauth2Config.refreshAccessToken', { authData: own }),
            'ExpiredAuthError',
            'Reconnect the account',
          );
        }
        assert.equal(tokenCalls(stage).length, 0);
      },
    },
    {
      title: 'reports the documented limit of token requests with its delay',
      run: async ({ sandbox, zapier }) => {
        sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 429, headers: { 'retry-after': '17' } });
        const { delaySeconds } = await refused(
          zapier.invoke('authentication.oauth2Config.refreshAccessToken'),
          'ThrottledError',
          'token requests',
        );
        assert.equal(delaySeconds, 17);
      },
    },
  ],
};
