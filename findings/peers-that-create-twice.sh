#!/usr/bin/env bash
# Packages: @microsoft/microsoft-graph-client 3.0.7 and @octokit/plugin-retry 8.1.1 (with @octokit/core 7.0.8), compared with stripe 23.1.0,
#   svix 2.5.0 and gaxios 7.3.1 (which sends the requests of googleapis).
# The good guess: an SDK that retries by itself does not retry a POST, or sends an idempotency key by which the service recognizes the
#   repeat. After a 504 nobody knows whether the record was created.
# What is seen: stripe and svix retry it with an idempotency key; gaxios does not retry it. The clients of Microsoft Graph and GitHub retry
#   it without any key, by default.
# Why it matters: an event that was created, but whose response was lost at a gateway, is in the calendar twice, its guests get two
#   invitations, and the program sees one success. Give the event a transactionId, or remove the retry handler.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @microsoft/microsoft-graph-client@3.0.7 stripe@23.1.0 svix@2.5.0 gaxios@7.3.1 @octokit/core@7.0.8 @octokit/plugin-retry@8.1.1 >> npm.log 2>&1
cat > creates.mjs <<'END'
import http from 'node:http';
import { Client } from '@microsoft/microsoft-graph-client';
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { Gaxios } from 'gaxios';
import Stripe from 'stripe';
import { Svix } from 'svix';
let made = [];
// Makes the thing, and the gateway loses the first answer.
const service = http.createServer(async (request, response) => {
  for await (const part of request) void part;
  made.push(request.headers['idempotency-key']);
  response.writeHead(made.length === 1 ? 504 : 201, { 'Content-Type': 'application/json' }).end(made.length === 1 ? '{}' : '{"id":"1"}');
});
await new Promise((ready) => service.listen(0, '127.0.0.1', ready));
const { port } = service.address();
const url = `http://127.0.0.1:${port}`;
const stripe = new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
const graph = Client.init({ baseUrl: `${url}/`, customHosts: new Set(['127.0.0.1']), authProvider: (done) => done(null, 'token') });
const creates = {
  'microsoft-graph-client': () => graph.api('/me/events').post({ subject: 'Call' }),
  '@octokit/plugin-retry': () => new (Octokit.plugin(retry))({ baseUrl: url }).request('POST /issues', { title: 'Call' }),
  stripe: () => stripe.customers.create({ name: 'Jane Doe' }),
  svix: () => new Svix('testsk_x', { serverUrl: url }).application.create({ name: 'Calls' }),
  gaxios: () => new Gaxios({ retry: true }).request({ url, method: 'POST', data: { summary: 'Call' } }),
};
for (const [name, create] of Object.entries(creates)) {
  made = [];
  const told = await create().then(() => 'success', () => 'an error');
  const keys = made.length < 2 ? '' : made[0] && made[0] === made[1] ? ' with one key' : ' without a key';
  console.log(`${name}: sent ${made.length} times${keys}, told ${told}`);
}
service.close();
service.closeAllConnections();
END
node creates.mjs > seen
cat seen
cat > expected <<'END'
microsoft-graph-client: sent 2 times without a key, told success
@octokit/plugin-retry: sent 2 times without a key, told success
stripe: sent 2 times with one key, told success
svix: sent 2 times with one key, told success
gaxios: sent 1 times, told an error
END
diff expected seen
