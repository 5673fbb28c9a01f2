#!/usr/bin/env bash
# Package: @modelcontextprotocol/client 2.4.0.
# The good guess: if the event stream of a call ends or breaks off before the answer, no answer can come any more, so the call fails at
#   once, as it does if a JSON answer breaks off.
# What is seen: with JSON, the call fails at once. If a stream breaks off or ends, the call waits for its whole timeout (4 seconds here, a
#   minute by default), fails with "Request timed out", and the client tells the server that the call is cancelled.
# Why it matters: a restarted server, or a proxy that closes idle streams, costs a minute per call, and a person who sees a timeout tries
#   again. A server that answers short calls in JSON avoids this.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/client@2.4.0 >> npm.log 2>&1
cat > lost.mjs <<'JS'
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
let way;
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id, method } = JSON.parse(text);
  if (id === undefined) return response.writeHead(202).end();
  if (method === 'initialize')
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'server', version: '1' } } }));
  const [type, begun, end] = way;
  response.writeHead(200, { 'content-type': type });
  response.write(begun);
  setTimeout(() => response[end](), 200);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new Client({ name: 'client', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.address().port}/mcp`)));
for (const [name, ...rest] of [
  ['JSON that breaks off', 'application/json', '{"jsonrpc"', 'destroy'],
  ['a stream that breaks off', 'text/event-stream', ': working\n\n', 'destroy'],
  ['a stream that ends', 'text/event-stream', ': working\n\n', 'end'],
]) {
  way = rest;
  const begunAt = performance.now();
  const told = await client.callTool({ name: 'book', arguments: {} }, { timeout: 4000 }).catch(({ message }) => message);
  console.log(`${name} after 0.2 s: "${told}" ${performance.now() - begunAt < 2000 ? 'at once' : 'after the whole timeout'}`);
}
process.exit(0);
JS
node lost.mjs > seen
cat seen
cat > expected <<'TXT'
JSON that breaks off after 0.2 s: "terminated" at once
a stream that breaks off after 0.2 s: "Request timed out" after the whole timeout
a stream that ends after 0.2 s: "Request timed out" after the whole timeout
TXT
diff expected seen
