#!/usr/bin/env bash
# Package: openid-client 6.9.0 (which sends requests with oauth4webapi), a client for OAuth 2 and OpenID.
# The good guess: the OAuth error code is in the thrown error's "error" (invalid_client, invalid_grant) for every HTTP status. RFC 6749
#   (section 5.2) lets a server refuse a client with 401, and then requires WWW-Authenticate besides the same body.
# What is seen: with that header, the error has another class and no "error" at all, only what the header says. Without the header, which
#   the RFC does not allow if the client sent its secret in a header, the same response has it.
# Why it matters: code that asks "has the grant ended, or is our secret wrong?" finds neither if the server follows the RFC. It tells all
#   users to sign in again because a secret was changed, or never does. In that case, read the body of error.response.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts openid-client@6.9.0 oauth4webapi@3.8.8 >> npm.log 2>&1
cat > refused.mjs <<'JS'
import { createServer } from 'node:http';
import { allowInsecureRequests, ClientSecretBasic, Configuration, refreshTokenGrant } from 'openid-client';
let answer;
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const [status, headers, error] = answer;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const client = new Configuration({ issuer, token_endpoint: `${issuer}/token` }, 'app', {}, ClientSecretBasic('secret'));
allowInsecureRequests(client);
const challenge = { 'www-authenticate': 'Basic realm="tokens"' };
for (const [name, ...rest] of [
  ['400 invalid_grant', 400, {}, 'invalid_grant'],
  ['401 invalid_client', 401, {}, 'invalid_client'],
  ['401 invalid_client and WWW-Authenticate', 401, challenge, 'invalid_client'],
]) {
  answer = rest;
  const refused = await refreshTokenGrant(client, 'token').catch((error) => error);
  console.log(`${name}: ${refused.name}, error ${refused.error}`);
}
process.exit(0);
JS
node refused.mjs > seen
cat seen
cat > expected <<'TXT'
400 invalid_grant: ResponseBodyError, error invalid_grant
401 invalid_client: ResponseBodyError, error invalid_client
401 invalid_client and WWW-Authenticate: WWWAuthenticateChallengeError, error undefined
TXT
diff expected seen
