import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl } from '../sandbox/authorize.ts';

const redirectUri = 'http://localhost:5678/rest/oauth2-credential/callback';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: false, revokeFamilyOnReuse: true });
});
afterAll(() => sandbox.stop());

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const verifier = 'a'.repeat(43);

const authorize = (query: Record<string, string>) => sandbox.fetch(new Request(authorizeUrl(sandbox, query)));
const rightQuery = (change: Record<string, string> = {}) => ({
  client_id: sandbox.client.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'bookings:read',
  state: 'a state',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
  ...change,
});

/** Goes through the consent page like a browser, but without a socket that could be closed between two tests. */
async function consent(query: Record<string, string>): Promise<URL> {
  const page = await authorize(query);
  const html = await page.text();
  const valueOf = (field: string) => new RegExp(`name="${field}" value="([^"]+)"`).exec(html)?.[1] ?? '';
  const body = new URLSearchParams({ consent: valueOf('consent'), account: valueOf('account'), decision: 'approve' });
  const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
  const reply = await sandbox.fetch(
    new Request(`${sandbox.origin}/oauth/authorize`, { method: 'POST', headers: { cookie, origin: sandbox.origin }, body }),
  );
  return new URL(reply.headers.get('location') ?? '');
}

const exchange = async (change: Record<string, string> = {}) => {
  const { id, secret } = sandbox.client;
  const response = await sandbox.fetch(
    new Request(`${sandbox.origin}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: id,
        client_secret: secret,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...change,
      }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};

it('the correct flow leads back with the state and a code that can be exchanged for tokens', async () => {
  const back = await consent(rightQuery());
  expect(back.href.startsWith(redirectUri)).toBe(true);
  expect(back.searchParams.get('state')).toBe('a state');
  expect((await exchange({ code: back.searchParams.get('code') ?? '' })).status).toBe(200);
});

it('never redirects to an address that is not registered, whatever it looks like', async () => {
  const near = fc.oneof(
    fc.webUrl(),
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      `${redirectUri}/`,
      `${redirectUri}?x=1`,
      `${redirectUri}#x`,
      `${redirectUri}/..`,
      redirectUri.toUpperCase(),
      redirectUri.replace('http:', 'https:'),
      redirectUri.replace('localhost', 'localhost.evil.example'),
      redirectUri.replace('localhost', 'user@localhost'),
      redirectUri.replace('localhost:5678', 'localhost:5678@evil.example'),
      redirectUri.replace('5678', '5679'),
      `https://evil.example/?${redirectUri}`,
      'javascript:alert(1)',
      '//evil.example',
      '',
      `${redirectUri}\r\nx: y`,
      `${redirectUri}%00`,
    ),
  );
  await fc.assert(
    fc.asyncProperty(near, async (address) => {
      fc.pre(address !== redirectUri && !sandbox.client.redirectUris.includes(address));
      const response = await authorize(rightQuery({ redirect_uri: address }));
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('location')).toBeNull();
      await response.text();
    }),
    { numRuns: 400 },
  );
});

it('a code is accepted once: using it again revokes the tokens of the first use', async () => {
  const code = (await consent(rightQuery())).searchParams.get('code') ?? '';
  const first = await exchange({ code });
  expect(first.status).toBe(200);
  expect((await exchange({ code })).body['error']).toBe('invalid_grant');
  const me = await sandbox.fetch(
    new Request(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${first.body['access_token']}` } }),
  );
  expect(me.status).toBe(401);
});

it('a code is worth nothing with another redirect address, verifier or client', async () => {
  const other = sandbox.addClient({ redirectUris: [redirectUri] });
  const wrong: Record<string, string>[] = [
    { redirect_uri: `${redirectUri}/` },
    { redirect_uri: '' },
    { code_verifier: 'b'.repeat(43) },
    { code_verifier: '' },
    { code_verifier: challengeOf(verifier) },
    { client_id: other.id, client_secret: other.secret },
    { client_secret: 'guessed' },
    { client_secret: '' },
  ];
  for (const change of wrong) {
    const code = (await consent(rightQuery())).searchParams.get('code') ?? '';
    const { status, body } = await exchange({ code, ...change });
    expect({ change, isRefused: status === 400 || status === 401, token: body['access_token'] }).toEqual({
      change,
      isRefused: true,
      token: undefined,
    });
  }
});

it('guessed codes, verifiers and refresh tokens end in a refusal, never in a token or a failure of the service', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 80 }),
      fc.string({ maxLength: 140 }),
      fc.constantFrom('authorization_code', 'refresh_token', 'password', ''),
      async (guess, guessedVerifier, grant_type) => {
        const { status, body } = await exchange({ grant_type, code: guess, refresh_token: guess, code_verifier: guessedVerifier });
        expect([400, 401]).toContain(status);
        expect(body).toMatchObject({ error: expect.any(String) as string });
        expect(body).not.toHaveProperty('access_token');
      },
    ),
    { numRuns: 300 },
  );
});

it('a refresh token that is used twice ends everything from its authorization', async () => {
  const { refresh_token: token } = sandbox.issueToken();
  const refresh = (refresh_token: string) => exchange({ grant_type: 'refresh_token', refresh_token });
  const next = await refresh(token);
  expect(next.status).toBe(200);
  expect((await refresh(token)).body['error']).toBe('invalid_grant');
  expect((await refresh(next.body['refresh_token'] ?? '')).body['error']).toBe('invalid_grant');
});
