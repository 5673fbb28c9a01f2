#!/usr/bin/env bash
# Package: @modelcontextprotocol/client 2.4.0.
# The good guess: a server may end a session, for example by restarting, and then answers 404. The client starts a new session, as the
#   protocol requires (2025-11-25, session management), and the next call succeeds.
# What is seen: each later request is sent with the old session id and fails. No new session is started, and the error code is
#   CLIENT_HTTP_NOT_IMPLEMENTED.
# Why it matters: after each deployment of a server, an assistant whose host does not reconnect by itself has a connector that lists its
#   tools but cannot call them, until a person reconnects. A server without sessions avoids this.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/client@2.4.0 >> npm.log 2>&1
cat > restart.mjs <<'JS'
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const sessions = new Set();
const asked = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const { id, method } = text === '' ? {} : JSON.parse(text);
  const session = request.headers['mcp-session-id'];
  const answer = (status, body, headers = {}) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  if (request.method !== 'POST') return response.writeHead(405).end();
  if (!method.startsWith('notifications/')) asked.push(`${method} in ${session ?? 'no session'}`);
  if (method === 'initialize') {
    sessions.add(`session ${sessions.size + 1}`);
    return answer(200, { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'server', version: '1' } } }, { 'mcp-session-id': [...sessions].at(-1) });
  }
  if (!sessions.has(session)) return answer(404, { error: { code: -32001, message: 'Session not found' } });
  if (id === undefined) return response.writeHead(202).end();
  return answer(200, { result: { content: [{ type: 'text', text: 'booked' }] } });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new Client({ name: 'client', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.address().port}/mcp`)));
const call = async (name) => {
  const told = await client.callTool({ name: 'book', arguments: {} }).then(({ content: [{ text }] }) => text, ({ code }) => `refused as ${code}`);
  console.log(`${name}: ${told}. The server was asked for: ${asked.splice(0).join(', ')}`);
};
await call('before the restart');
sessions.clear();
await call('after it');
await call('once more');
process.exit(0);
JS
node restart.mjs > seen
cat seen
cat > expected <<'TXT'
before the restart: booked. The server was asked for: initialize in no session, tools/call in session 1
after it: refused as CLIENT_HTTP_NOT_IMPLEMENTED. The server was asked for: tools/call in session 1
once more: refused as CLIENT_HTTP_NOT_IMPLEMENTED. The server was asked for: tools/call in session 1
TXT
diff expected seen
