import fc from 'fast-check';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl, usual } from '../sandbox/authorize.ts';

const redirectUri = 'http://localhost:5678/rest/oauth2-credential/callback';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
});
afterAll(() => sandbox.stop());

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
      const response = await sandbox.fetch(new Request(authorizeUrl(sandbox, usual(sandbox, { redirect_uri: address }))));
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('location')).toBeNull();
      await response.text();
    }),
    { numRuns: 400 },
  );
});

it('guessed codes, verifiers and refresh tokens end in a refusal, never in a token or a failure of the service', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 80 }),
      fc.string({ maxLength: 140 }),
      fc.constantFrom('authorization_code', 'refresh_token', 'password', ''),
      async (guess, guessedVerifier, grant_type) => {
        const { id: client_id, secret: client_secret } = sandbox.client;
        const fields = { client_id, client_secret, redirect_uri: redirectUri, grant_type, code: guess, refresh_token: guess };
        const body = new URLSearchParams({ ...fields, code_verifier: guessedVerifier });
        const response = await sandbox.fetch(new Request(`${sandbox.origin}/api/oauth/token`, { method: 'POST', body }));
        expect([400, 401]).toContain(response.status);
        const answer: unknown = await response.json();
        expect(answer).toMatchObject({ error: expect.any(String) as string });
        expect(answer).not.toHaveProperty('access_token');
      },
    ),
    { numRuns: 300 },
  );
});
