#!/usr/bin/env bash
# Package: @badgateway/oauth2-client 3.3.1, compared with oauth4webapi 3.8.8.
# The good guess: a client that discovers a server's endpoints, as its page says (RFC 8414), also does so when the server's URL has a path,
#   as multi-tenant servers do: the path goes after the well-known part (section 3.1). If nothing is there, it says so.
# What is seen: it requests the metadata of the host without the path, gets a 404, and silently continues: it asks for the token at /token
#   of the host, also without the path. A trailing slash changes nothing. oauth4webapi requests the right document.
# Why it matters: every customer's sign-in fails with a 404 from a URL that nobody configured, so people suspect the id and the secret. The
#   same code works with a server that has no path. Pass the full URL of the metadata document as discoveryEndpoint.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @badgateway/oauth2-client@3.3.1 oauth4webapi@3.8.8 >> npm.log 2>&1
cat > tenants.mjs <<'END'
import http from 'node:http';
import { OAuth2Client } from '@badgateway/oauth2-client';
import * as oauth from 'oauth4webapi';
const asked = [];
const known = '/.well-known/oauth-authorization-server';
const server = http.createServer((request, response) => {
  asked.push(request.url);
  const issuer = `http://${request.headers.host}/tenant`;
  const answers = {
    [`${known}/tenant`]: { issuer, token_endpoint: `${issuer}/oauth/token` },
    '/tenant/oauth/token': { access_token: 'token', token_type: 'bearer' },
  };
  const body = answers[request.url];
  response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? {}));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const { port } = server.address();
const clients = {
  'oauth2-client': (issuer) => new OAuth2Client({ server: issuer, clientId: 'id', clientSecret: 'secret' }).clientCredentials(),
  'oauth2-client, with a slash at the end': (issuer) => new OAuth2Client({ server: `${issuer}/`, clientId: 'id', clientSecret: 'secret' }).clientCredentials(),
  'oauth2-client, told the document': (issuer) =>
    new OAuth2Client({ server: issuer, clientId: 'id', clientSecret: 'secret', discoveryEndpoint: `${new URL(issuer).origin}${known}/tenant` }).clientCredentials(),
  oauth4webapi: async (issuer) => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const found = await oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...insecure }));
    await oauth.clientCredentialsGrantRequest(found, { client_id: 'id' }, oauth.ClientSecretPost('secret'), {}, insecure);
  },
};
for (const [name, signIn] of Object.entries(clients)) {
  asked.length = 0;
  const result = await signIn(`http://127.0.0.1:${port}/tenant`).then(() => 'done', ({ message }) => message);
  console.log(`${name}: ${asked.join(', ')}: ${result}`);
}
server.close();
server.closeAllConnections();
END
node tenants.mjs > seen
cat seen
cat > expected <<'END'
oauth2-client: /.well-known/oauth-authorization-server, /token: HTTP Error 404 Not Found
oauth2-client, with a slash at the end: /.well-known/oauth-authorization-server, /token: HTTP Error 404 Not Found
oauth2-client, told the document: /.well-known/oauth-authorization-server/tenant, /tenant/oauth/token: done
oauth4webapi: /.well-known/oauth-authorization-server/tenant, /tenant/oauth/token: done
END
diff expected seen
