#!/usr/bin/env bash
# Packages: stripe 23.1.0, svix 2.5.0, gaxios 7.3.1 (which sends the requests of googleapis) and @octokit/plugin-retry 8.1.1 (with
#   @octokit/core 7.0.8), all of which retry a request that got a 503 response.
# The good guess: a client that retries by itself reads Retry-After, so a service that asks for a pause of ten seconds gets it.
# What is seen: all four retry sooner than asked, three of them within about half a second.
# Why it matters: a service cannot slow its clients down with this header, and a program that relies on its SDK to wait runs into the next
#   refusal, or is blocked. A service must tolerate retries within a second, and a client that wants to wait has to turn the SDK's retries
#   off.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts stripe@23.1.0 svix@2.5.0 gaxios@7.3.1 @octokit/core@7.0.8 @octokit/plugin-retry@8.1.1 >> npm.log 2>&1
cat > waits.mjs <<'END'
import http from 'node:http';
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { Gaxios } from 'gaxios';
import Stripe from 'stripe';
import { Svix } from 'svix';
let came = [];
const service = http.createServer((request, response) => {
  request.resume();
  came.push(Date.now());
  const busy = came.length === 1;
  response.writeHead(busy ? 503 : 200, { 'Content-Type': 'application/json', ...(busy && { 'Retry-After': '10' }) });
  response.end(busy ? '{}' : '{"id":"1","data":[],"done":true}');
});
await new Promise((ready) => service.listen(0, '127.0.0.1', ready));
const { port } = service.address();
const url = `http://127.0.0.1:${port}`;
const stripe = new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
const reads = {
  stripe: () => stripe.customers.retrieve('1'),
  svix: () => new Svix('testsk_x', { serverUrl: url }).application.list(),
  gaxios: () => new Gaxios({ retry: true }).request({ url }),
  '@octokit/plugin-retry': () => new (Octokit.plugin(retry))({ baseUrl: url }).request('GET /1'),
};
for (const [name, read] of Object.entries(reads)) {
  came = [];
  await read();
  const waited = (came[1] - came[0]) / 1_000;
  console.log(`${name}: ${came.length} requests, the second ${waited < 9 ? 'sooner than' : 'as'} asked`);
}
service.close();
service.closeAllConnections();
END
node waits.mjs > seen
cat seen
cat > expected <<'END'
stripe: 2 requests, the second sooner than asked
svix: 2 requests, the second sooner than asked
gaxios: 2 requests, the second sooner than asked
@octokit/plugin-retry: 2 requests, the second sooner than asked
END
diff expected seen
