#!/usr/bin/env bash
# Package: oidc-provider 9.13.3, an OAuth 2 and OpenID server, with default settings; the script moves its clock on by days.
# The good guess: a refresh token lasts 14 days and is replaced by a new one when it is used, for up to a year (the default
#   rotateRefreshToken says so), so a program that refreshes every day stays connected.
# What is seen: the refresh on day 14 is refused, however often the token was used, although the current refresh token was issued four days
#   before. What has expired is the grant, which has its own lifetime (ttl.Grant, 14 days from the consent) that using it does not extend.
# Why it matters: every agent, and every Zap, is disconnected every two weeks and its user has to consent again, at a time that the tokens
#   do not explain. Tests end sooner. Set ttl.Grant to as long as a connection may last.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts oidc-provider@9.13.3 >> npm.log 2>&1
cat > days.mjs <<'END'
import { writeFileSync } from 'node:fs';
import * as oidc from 'oidc-provider';
const now = Date.now;
let day = 0;
Date.now = () => now() + day * 86_400_000;
const credentials = { client_id: 'agent', client_secret: 'secret' };
const provider = new oidc.Provider('http://127.0.0.1', {
  clients: [{ ...credentials, token_endpoint_auth_method: 'client_secret_post', redirect_uris: ['https://agent.example/back'], grant_types: ['authorization_code', 'refresh_token'] }],
  features: { devInteractions: { enabled: false } },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
});
const server = provider.listen(0, '127.0.0.1');
await new Promise((ready) => server.on('listening', ready));
// What the consent of a person leaves: a grant, and a refresh token for it.
const scope = 'openid offline_access';
const grant = new provider.Grant({ accountId: 'ada', clientId: 'agent' });
grant.addOIDCScope(scope);
const given = { accountId: 'ada', client: await provider.Client.find('agent'), grantId: await grant.save(), scope, gty: 'authorization_code', iiat: Math.floor(now() / 1_000) };
let refresh_token = await new provider.RefreshToken(given).save();
const lines = [];
for (; day <= 20; day++) {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...credentials });
  const response = await fetch(`http://127.0.0.1:${server.address().port}/token`, { method: 'POST', body });
  const answer = await response.json();
  if (!response.ok) {
    lines.push(`day ${day}: refused, ${answer.error}: ${answer.error_description}`);
    break;
  }
  if (answer.refresh_token !== refresh_token) lines.push(`day ${day}: refreshed, with a new refresh token`);
  refresh_token = answer.refresh_token;
}
writeFileSync('seen', `${lines.join('\n')}\n`);
process.exit(0);
END
node days.mjs > days.log 2>&1 || { cat days.log; exit 1; }
cat seen
cat > expected <<'END'
day 10: refreshed, with a new refresh token
day 14: refused, invalid_grant: grant request is invalid
END
diff expected seen
