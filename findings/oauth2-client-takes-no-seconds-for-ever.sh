#!/usr/bin/env bash
# Package: @badgateway/oauth2-client 3.3.1
# The good guess: a token with `expires_in: 0` has expired, just as one with 1 expires a second later.
# What is seen: it never expires: `expiresAt` is null, as if the field were missing.
# Why it matters: a service that returns the token it already has, with the seconds left, sends 0 now and then. A program that refreshes by
#   this time then keeps a dead token until it is restarted. Treat a 401 from the service as expiry as well.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @badgateway/oauth2-client@3.3.1 >> npm.log 2>&1
cat > tokens.mjs <<'END'
import { OAuth2Client } from '@badgateway/oauth2-client';
const old = { accessToken: 'old', refreshToken: 'r', expiresAt: Date.now() - 1000 };
for (const expires_in of [3600, 1, 0, undefined]) {
  const body = JSON.stringify({ access_token: 'new', token_type: 'bearer', refresh_token: 'r', expires_in });
  const fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } });
  const client = new OAuth2Client({ server: 'https://service.example', tokenEndpoint: '/token', clientId: 'c', clientSecret: 's', fetch });
  const { expiresAt } = await client.refreshToken(old);
  console.log(`expires_in ${expires_in}: ${expiresAt === null ? 'never' : `in ${Math.round((expiresAt - Date.now()) / 1000)} s`}`);
}
END
node tokens.mjs > seen
cat seen
cat > expected <<'END'
expires_in 3600: in 3600 s
expires_in 1: in 1 s
expires_in 0: never
expires_in undefined: never
END
diff expected seen
