#!/usr/bin/env bash
# Package: @node-oauth/oauth2-server 5.3.0, which lets a service issue OAuth 2 tokens.
# The good guess: a refresh that is refused for a scope that was not granted (invalid_scope, RFC 6749, section 6), or that fails because the
#   token store is busy for a moment, changes nothing: the same refresh token works at the next try.
# What is seen: the package revokes the refresh token before it checks the scope and before it saves the new token. The next, correct try
#   fails with invalid_grant, permanently. A refresh without its token, or by another client, changes nothing.
# Why it matters: a client update that asks for one more scope, or a second in which the database restarts, disconnects everybody who
#   refreshes then, and each has to sign in again. In revokeToken, keep the old token until saveToken has succeeded.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @node-oauth/oauth2-server@5.3.0 >> npm.log 2>&1
cat > refused.cjs <<'END'
const OAuth2Server = require('@node-oauth/oauth2-server');
let tokens;
let busy = false;
// A store in memory, as the package's page asks for it.
const server = new OAuth2Server({
  model: {
    getClient: async (id) => ({ id, grants: ['refresh_token'] }),
    getRefreshToken: async (token) => tokens.get(token),
    revokeToken: async ({ refreshToken }) => tokens.delete(refreshToken),
    saveToken: async (token, client, user) => {
      if (busy) throw new Error('The store is busy.');
      const saved = { ...token, client, user };
      tokens.set(token.refreshToken, saved);
      return saved;
    },
  },
});
const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' };
const refresh = async (more) => {
  const body = { grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'agent', client_secret: 'secret', ...more };
  const request = new OAuth2Server.Request({ method: 'POST', query: {}, headers, body });
  return server.token(request, new OAuth2Server.Response()).then(() => 'refreshed', ({ name }) => name);
};
(async () => {
  const tries = {
    'by another client': { client_id: 'other' },
    'with no refresh token': { refresh_token: undefined },
    'with a scope too much': { scope: 'read write' },
    'while the store is busy': {},
  };
  for (const [what, more] of Object.entries(tries)) {
    tokens = new Map([['r1', { refreshToken: 'r1', client: { id: 'agent' }, user: { id: 'ada' }, scope: ['read'] }]]);
    busy = what.includes('busy');
    const first = await refresh(more);
    busy = false;
    console.log(`${what}: ${first}, and then, as it should be: ${await refresh({})}`);
  }
})();
END
node refused.cjs > seen
cat seen
cat > expected <<'END'
by another client: invalid_grant, and then, as it should be: refreshed
with no refresh token: invalid_request, and then, as it should be: refreshed
with a scope too much: invalid_scope, and then, as it should be: invalid_grant
while the store is busy: server_error, and then, as it should be: invalid_grant
END
diff expected seen
