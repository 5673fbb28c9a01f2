#!/usr/bin/env bash
# Package: simple-oauth2 5.1.0, an OAuth 2 client.
# The good guess: a service may omit the refresh token from its response to a refresh, and then the old one stays valid (RFC 6749, section
#   6). The client has code for this case, so it keeps the old one.
# What is seen: it looks for the old one in the wrong place, so the new token has none (undefined). The second refresh sends an empty
#   refresh_token and fails with 400. With a service that returns a new one each time, it works.
# Why it matters: a connection works for two lifetimes of a token, an hour or two, and then every user has to sign in again. A test that
#   refreshes once passes. Merge the old token into the response before storing it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts simple-oauth2@5.1.0 >> npm.log 2>&1
cat > refresh.cjs <<'END'
const http = require('node:http');
const { AuthorizationCode } = require('simple-oauth2');
const service = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const sent = new URLSearchParams(body).get('refresh_token');
  const again = request.url === '/rotating' ? { refresh_token: `${sent}+` } : {};
  const answer = sent ? { access_token: 'next', token_type: 'bearer', expires_in: 3600, ...again } : { error: 'invalid_request' };
  response.writeHead(sent ? 200 : 400, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
});
service.listen(0, '127.0.0.1', async () => {
  for (const path of ['/rotating', '/lasting']) {
    const auth = { tokenHost: `http://127.0.0.1:${service.address().port}`, tokenPath: path };
    let token = new AuthorizationCode({ client: { id: 'id', secret: 'secret' }, auth }).createToken({ access_token: 'first', refresh_token: 'r', expires_in: 3600 });
    const told = [];
    for (let turn = 0; turn < 3; turn += 1)
      try {
        token = await token.refresh();
        told.push(`refresh token ${token.token.refresh_token}`);
      } catch (error) {
        told.push(`${error.output.statusCode} ${error.data.payload.error}`);
      }
    console.log(`${path}: ${told.join(', ')}`);
  }
  service.close();
});
END
node refresh.cjs > seen
cat seen
cat > expected <<'END'
/rotating: refresh token r+, refresh token r++, refresh token r+++
/lasting: refresh token undefined, 400 invalid_request, 400 invalid_request
END
diff expected seen
