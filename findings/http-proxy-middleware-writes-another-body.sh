#!/usr/bin/env bash
# Packages: http-proxy-middleware 3.0.11 with express 5.3.0.
# The good guess: when a body parser has consumed a request, the package's own `fixRequestBody` forwards the body as it was received.
# What is seen: it serializes the parsed value again. Spaces, the zero of 10.0 and the escapes in \/ are lost, so a signature over the body
#   no longer matches. The number 12345678901234567890 becomes 12345678901234567000. Bodies as JavaScript serializes them pass.
# Why it matters: signed deliveries are rejected although nobody changed them, but only from senders in other languages (PHP escapes every
#   slash), and an ID may silently become another one. Mount the proxy before every body parser.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts http-proxy-middleware@3.0.11 express@5.3.0 >> npm.log 2>&1
cat > proxy.mjs <<'END'
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import express from 'express';
import { createProxyMiddleware, fixRequestBody } from 'http-proxy-middleware';
const signed = (body) => createHmac('sha256', 'secret').update(body).digest('hex');
const serve = async (handler) => {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
};
const target = await serve(async (request, response) => {
  const body = await text(request);
  response.end(`${body}, signature ${signed(body) === request.headers['x-signature'] ? 'right' : 'wrong'}`);
});
const app = express().use(express.json());
app.use(createProxyMiddleware({ target, on: { proxyReq: fixRequestBody } }));
const proxy = await serve(app);
for (const body of ['{"id":"b1","price":10}', '{"id": "b1", "price": 10.0}', '{"url":"https:\\/\\/a.example\\/b"}', '{"id":12345678901234567890}']) {
  const headers = { 'content-type': 'application/json', 'x-signature': signed(body) };
  console.log(`${body} arrives as ${await (await fetch(proxy, { method: 'POST', headers, body })).text()}`);
}
process.exit(0);
END
node proxy.mjs > seen
cat seen
cat > expected <<'END'
{"id":"b1","price":10} arrives as {"id":"b1","price":10}, signature right
{"id": "b1", "price": 10.0} arrives as {"id":"b1","price":10}, signature wrong
{"url":"https:\/\/a.example\/b"} arrives as {"url":"https://a.example/b"}, signature wrong
{"id":12345678901234567890} arrives as {"id":12345678901234567000}, signature wrong
END
diff expected seen
