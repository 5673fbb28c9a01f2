#!/usr/bin/env bash
# Packages: oidc-provider 9.13.3, which rotates the refresh tokens of public clients, and @modelcontextprotocol/client 2.4.0, whose
#   refreshAuthorization is how an MCP client renews an expired token.
# The good guess: when an assistant makes three tool calls at once after a pause, three refreshes are sent with the same refresh token. One
#   of them wins, and the others can go on with its tokens.
# What is seen: one wins, the others get invalid_grant, and the whole grant is revoked at the same moment. The winner's new access token and
#   refresh token are refused as well.
# Why it matters: nothing was stolen and nobody did anything wrong, but the user has to sign in again, now and then, only after pauses and
#   only with parallel calls. The client has to send one refresh at a time, or the server has to give a repeat within a short time the same
#   response.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts oidc-provider@9.13.3 @modelcontextprotocol/client@2.4.0 >> npm.log 2>&1
cat > parallel.mjs <<'END'
import http from 'node:http';
import { refreshAuthorization } from '@modelcontextprotocol/client';
import Provider from 'oidc-provider';
const server = http.createServer();
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const issuer = `http://127.0.0.1:${server.address().port}`;
const about = { token_endpoint_auth_method: 'none', application_type: 'native', redirect_uris: ['http://127.0.0.1/callback'], grant_types: ['authorization_code', 'refresh_token'] };
const provider = new Provider(issuer, {
  clients: [{ client_id: 'assistant', ...about }],
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
});
server.on('request', provider.callback());
// What a sign-in with consent leaves behind.
const signIn = async () => {
  const grant = new provider.Grant({ accountId: 'user', clientId: 'assistant' });
  grant.addOIDCScope('openid offline_access');
  const client = await provider.Client.find('assistant');
  return new provider.RefreshToken({ accountId: 'user', client, grantId: await grant.save(), scope: 'openid offline_access', gty: 'authorization_code' }).save();
};
const metadata = { issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/auth`, response_types_supported: ['code'], token_endpoint_auth_methods_supported: ['none'] };
const refresh = (refreshToken) =>
  refreshAuthorization(issuer, { metadata, clientInformation: { client_id: 'assistant' }, refreshToken }).catch(({ code }) => ({ refused: code }));
const used = async ({ access_token: token }) => (await fetch(`${issuer}/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
for (const atOnce of [1, 3]) {
  const first = await signIn();
  const answers = await Promise.all(Array.from({ length: atOnce }, () => refresh(first)));
  const winner = answers.find(({ refused }) => !refused);
  const others = answers.filter((answer) => answer !== winner).map(({ refused }) => refused);
  const call = await used(winner);
  const next = await refresh(winner.refresh_token);
  console.log(`${atOnce} at once: others [${others}], a call with the winner's token ${call}, its next refresh ${next.refused ?? 'answered'}`);
}
server.close();
server.closeAllConnections();
END
node parallel.mjs > said 2> warnings
grep 'at once' said > seen
cat seen
cat > expected <<'END'
1 at once: others [], a call with the winner's token 200, its next refresh answered
3 at once: others [invalid_grant,invalid_grant], a call with the winner's token 401, its next refresh invalid_grant
END
diff expected seen
