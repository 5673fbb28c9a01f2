#!/usr/bin/env bash
# Packages: three OAuth 2 clients, oauth4webapi 3.8.8, simple-oauth2 5.1.0 and @badgateway/oauth2-client 3.3.1, and two servers,
#   @node-oauth/oauth2-server 5.3.0 and oidc-provider 9.13.3.
# The good guess: every server has to support HTTP Basic (RFC 6749, section 2.3.1), so any client can authenticate to any server with it. An
#   id such as my-client has no character that needs encoding.
# What is seen: that section requires id and secret to be form-encoded first, and oauth2-server does not decode them. oauth4webapi and
#   oauth2-client (strict) encode even a hyphen, so oauth2-server refuses my-client. simple-oauth2 encodes only what it must, so a secret
#   with +, / or = is refused there. oauth2-client encodes nothing by default, as its page says, so oidc-provider, which decodes, refuses
#   that secret.
# Why it matters: neither side of a pair looks wrong, and the error is invalid_client. With the id "client" and a secret of letters and
#   digits, every pair works; with a UUID and a random base64 secret it depends on the pair. Send them in the body (client_secret_post) if
#   allowed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts oauth4webapi@3.8.8 simple-oauth2@5.1.0 @badgateway/oauth2-client@3.3.1 @node-oauth/oauth2-server@5.3.0 oidc-provider@9.13.3 >> npm.log 2>&1
cat > basic.mjs <<'END'
import http from 'node:http';
import { OAuth2Client } from '@badgateway/oauth2-client';
import OAuth2Server from '@node-oauth/oauth2-server';
import * as oauth from 'oauth4webapi';
import Provider from 'oidc-provider';
import simple from 'simple-oauth2';
const grant = 'client_credentials';
const servers = {
  'oauth2-server': ({ id, secret }) => {
    const model = {
      getClient: (given, shown) => given === id && shown === secret && { id, grants: [grant] },
      getUserFromClient: () => ({}),
      saveToken: (token, client, user) => ({ ...token, client, user }),
    };
    const server = new OAuth2Server({ model });
    return async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      const { headers, method } = request;
      const answer = new OAuth2Server.Response({});
      await server.token(new OAuth2Server.Request({ headers, method, query: {}, body: Object.fromEntries(new URLSearchParams(text)) }), answer).catch(() => {});
      response.writeHead(answer.status, { ...answer.headers, 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
    };
  },
  'oidc-provider': ({ id, secret }) => {
    const client = { client_id: id, client_secret: secret, grant_types: [grant], redirect_uris: [], response_types: [], token_endpoint_auth_method: 'client_secret_basic' };
    return new Provider('http://127.0.0.1:1', { clients: [client], features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } } }).callback();
  },
};
const clients = {
  oauth4webapi: async (server, { id, secret }) => {
    const [as, client] = [{ issuer: server, token_endpoint: `${server}/token` }, { client_id: id }];
    const answer = await oauth.clientCredentialsGrantRequest(as, client, oauth.ClientSecretBasic(secret), {}, { [oauth.allowInsecureRequests]: true });
    return oauth.processClientCredentialsResponse(as, client, answer);
  },
  'simple-oauth2': (server, client) => new simple.ClientCredentials({ client, auth: { tokenHost: server, tokenPath: '/token' } }).getToken({}),
  'oauth2-client, strict': (server, { id, secret }) =>
    new OAuth2Client({ server, clientId: id, clientSecret: secret, tokenEndpoint: '/token', authenticationMethod: 'client_secret_basic' }).clientCredentials(),
  'oauth2-client, default': (server, { id, secret }) => new OAuth2Client({ server, clientId: id, clientSecret: secret, tokenEndpoint: '/token' }).clientCredentials(),
};
for (const client of [{ id: 'client', secret: 's3cret' }, { id: 'my-client', secret: 's3cret' }, { id: 'client', secret: 'a+b/c==' }])
  for (const [name, handler] of Object.entries(servers)) {
    const server = http.createServer(handler(client)).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    const results = [];
    for (const [by, signIn] of Object.entries(clients))
      results.push(`${by} ${await signIn(`http://127.0.0.1:${server.address().port}`, client).then(() => 'ok', () => 'refused')}`);
    console.log(`seen: ${client.id} ${client.secret} at ${name}: ${results.join('; ')}`);
    server.close();
    server.closeAllConnections();
  }
END
node basic.mjs > said 2>&1
grep '^seen' said > seen
cat seen
cat > expected <<'END'
seen: client s3cret at oauth2-server: oauth4webapi ok; simple-oauth2 ok; oauth2-client, strict ok; oauth2-client, default ok
seen: client s3cret at oidc-provider: oauth4webapi ok; simple-oauth2 ok; oauth2-client, strict ok; oauth2-client, default ok
seen: my-client s3cret at oauth2-server: oauth4webapi refused; simple-oauth2 ok; oauth2-client, strict refused; oauth2-client, default ok
seen: my-client s3cret at oidc-provider: oauth4webapi ok; simple-oauth2 ok; oauth2-client, strict ok; oauth2-client, default ok
seen: client a+b/c== at oauth2-server: oauth4webapi refused; simple-oauth2 refused; oauth2-client, strict refused; oauth2-client, default ok
seen: client a+b/c== at oidc-provider: oauth4webapi ok; simple-oauth2 ok; oauth2-client, strict ok; oauth2-client, default refused
END
diff expected seen
