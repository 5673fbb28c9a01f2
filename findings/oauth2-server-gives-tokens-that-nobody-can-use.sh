#!/usr/bin/env bash
# Package: @node-oauth/oauth2-server 5.3.0, which lets a service issue OAuth 2 tokens.
# The good guess: a public client (one without a secret, such as an assistant, a desktop or a browser app) that signs in with PKCE and gets
#   a refresh token can use it. RFC 6749 (section 6) requires only clients that have a secret to authenticate there.
# What is seen: with default settings, the code is accepted without a secret because of PKCE, and the response has a refresh token. The
#   refresh is then refused with invalid_client, because there is no secret. A client with a secret can refresh.
# Why it matters: every user signs in again each hour, and invalid_client makes people look at the registration, which worked an hour ago. A
#   test that ends with the sign-in passes. Set requireClientAuthentication: { refresh_token: false } on the server, and have it check the
#   secret of clients that have one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @node-oauth/oauth2-server@5.3.0 >> npm.log 2>&1
cat > tokens.cjs <<'END'
const { createHash } = require('node:crypto');
const OAuth2Server = require('@node-oauth/oauth2-server');
const verifier = 'example'.repeat(7);
const redirectUri = 'http://localhost/callback';
const secrets = { 'public client': undefined, 'client with a secret': 'example' };
const clientOf = (id) => ({ id, grants: ['authorization_code', 'refresh_token'], redirectUris: [redirectUri] });
const issued = [];
const model = {
  getClient: async (id, secret) => id in secrets && (secret ?? undefined) === secrets[id] && clientOf(id),
  getAuthorizationCode: async (code) => ({
    authorizationCode: code, client: clientOf(code), user: { id: 1 }, redirectUri, expiresAt: new Date(Date.now() + 60_000),
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'), codeChallengeMethod: 'S256',
  }),
  revokeAuthorizationCode: async () => true,
  validateScope: async () => ['bookings'],
  saveToken: async (token, client, user) => (issued.push({ ...token, client, user }), issued.at(-1)),
  getRefreshToken: async (token) => issued.find(({ refreshToken }) => refreshToken === token),
  revokeToken: async () => true,
};
async function ask(options, body) {
  const request = new OAuth2Server.Request({ method: 'POST', query: {}, body, headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' } });
  const response = new OAuth2Server.Response({});
  await new OAuth2Server({ model, ...options }).token(request, response).catch(() => undefined);
  return { status: response.status, body: response.body };
}
(async () => {
  const settings = { 'its own settings': {}, 'refresh_token: false': { requireClientAuthentication: { refresh_token: false } } };
  for (const [name, options] of Object.entries(settings))
    for (const [id, secret] of Object.entries(secrets)) {
      const own = { client_id: id, ...(secret ? { client_secret: secret } : {}) };
      const first = await ask(options, { grant_type: 'authorization_code', code: id, redirect_uri: redirectUri, code_verifier: verifier, ...own });
      const { status, body } = await ask(options, { grant_type: 'refresh_token', refresh_token: first.body.refresh_token, ...own });
      console.log(`${name}, ${id}: sign-in ${first.status} with ${first.body.refresh_token ? 'a' : 'no'} refresh token, refresh ${status} ${body.error ?? ''}`.trim());
    }
})();
END
node tokens.cjs > seen
cat seen
cat > expected <<'END'
its own settings, public client: sign-in 200 with a refresh token, refresh 400 invalid_client
its own settings, client with a secret: sign-in 200 with a refresh token, refresh 200
refresh_token: false, public client: sign-in 200 with a refresh token, refresh 200
refresh_token: false, client with a secret: sign-in 200 with a refresh token, refresh 200
END
diff expected seen
