#!/usr/bin/env bash
# Package: @modelcontextprotocol/sdk 1.29.0, its client and its server.
# The good guess: a header set in the client's options replaces the client's own header of that name, because the options are spread after
#   it and header names are case-insensitive.
# What is seen: in different letter case, the two are separate keys of one object, and `new Headers` joins their values:
#   `2025-11-25, 2025-11-25`. The package's own server rejects each call as an unsupported version, although both layers name one that it
#   supports.
# Why it matters: hosts that set the header themselves can connect (the first request has only theirs) but cannot call a tool. The same
#   happens to `authorization` in the options next to the client's own. A server should accept equal copies as one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.29.0 >> npm.log 2>&1
cat > joined.mjs <<'JS'
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
const seen = new Set();
const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  seen.add(request.headers['mcp-protocol-version']);
  const own = new McpServer({ name: 'server', version: '1' });
  own.registerTool('book', { description: 'Books' }, async () => ({ content: [{ type: 'text', text: 'booked' }] }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await own.connect(transport);
  await transport.handleRequest(request, response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = new URL(`http://127.0.0.1:${server.address().port}/mcp`);
for (const name of ['mcp-protocol-version', 'MCP-Protocol-Version']) {
  const client = new Client({ name: 'client', version: '1' });
  const told = await client
    .connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: { [name]: '2025-11-25' } } }))
    .then(() => client.callTool({ name: 'book', arguments: {} }))
    .then(({ content: [{ text }] }) => text, ({ message }) => /Unsupported protocol version: [\d, -]+\d/.exec(message)?.[0] ?? message);
  console.log(`settings with ${name}: ${told}. Seen: ${[...seen].join(' | ')}`);
  seen.clear();
}
process.exit(0);
JS
node joined.mjs > seen
cat seen
cat > expected <<'TXT'
settings with mcp-protocol-version: booked. Seen: 2025-11-25
settings with MCP-Protocol-Version: Unsupported protocol version: 2025-11-25, 2025-11-25. Seen: 2025-11-25 | 2025-11-25, 2025-11-25
TXT
diff expected seen
