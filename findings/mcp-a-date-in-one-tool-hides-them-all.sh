#!/usr/bin/env bash
# Packages: @modelcontextprotocol/sdk 1.32.2 and @modelcontextprotocol/server 2.4.0, which offer tools to agents, with zod 4.6.7, which also
#   contains zod 3.
# The good guess: a tool whose start is z.coerce.date(), which accepts text and returns a Date, is listed with a string of format date-time,
#   as with zod 3. If a schema cannot be listed, registerTool throws, or that tool alone is missing.
# What is seen: with zod 3, the tool is listed and works. With zod 4, it is registered without an error, but then tools/list fails for each
#   client ("Date cannot be represented in JSON Schema"), so the other tools are hidden too. Calling it by name works. Text that is
#   transformed into a Date (z.iso.datetime().transform(...)) can be both listed and called.
# Why it matters: after an upgrade of zod, or with one more tool, an assistant has no tools at all and says that it cannot book. Tests that
#   call tools by name pass, and the server's log is empty.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 zod@4.6.7 >> npm.log 2>&1
cat > tools.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as two from '@modelcontextprotocol/server';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
const text = (of) => of.iso.datetime({ offset: true }).transform((start) => new Date(start));
const rows = [
  ['sdk 1.32.2, zod 3, z.coerce.date()', McpServer, { start: z3.coerce.date() }],
  ['sdk 1.32.2, zod 4, z.coerce.date()', McpServer, { start: z.coerce.date() }],
  ['sdk 1.32.2, zod 4, a text made a Date', McpServer, { start: text(z) }],
  ['server 2.4.0, zod 4, z.coerce.date()', two.McpServer, z.object({ start: z.coerce.date() })],
  ['server 2.4.0, zod 4, a text made a Date', two.McpServer, z.object({ start: text(z) })],
];
for (const [what, Server, inputSchema] of rows) {
  const server = new Server({ name: 'server', version: '1.0.0' });
  server.registerTool('whoami', { description: 'Who am I?' }, async () => ({ content: [] }));
  server.registerTool('book', { description: 'Books', inputSchema }, async ({ start }) => ({ content: [{ type: 'text', text: start.toISOString() }] }));
  const client = new Client({ name: 'client', version: '1.0.0' });
  const [one, other] = (Server === McpServer ? InMemoryTransport : two.InMemoryTransport).createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const listed = await client.listTools().then(({ tools }) => tools.map(({ name }) => name).join(' and '), ({ message }) => message);
  const [called] = (await client.callTool({ name: 'book', arguments: { start: '2030-01-31T09:00:00+01:00' } })).content;
  console.log(`${what}: lists ${listed}; called: ${called.text}`);
}
process.exit(0);
END
node tools.mjs > seen
cat seen
cat > expected <<'END'
sdk 1.32.2, zod 3, z.coerce.date(): lists whoami and book; called: 2030-01-31T08:00:00.000Z
sdk 1.32.2, zod 4, z.coerce.date(): lists MCP error -32603: Date cannot be represented in JSON Schema; called: 2030-01-31T08:00:00.000Z
sdk 1.32.2, zod 4, a text made a Date: lists whoami and book; called: 2030-01-31T08:00:00.000Z
server 2.4.0, zod 4, z.coerce.date(): lists MCP error -32603: Date cannot be represented in JSON Schema; called: 2030-01-31T08:00:00.000Z
server 2.4.0, zod 4, a text made a Date: lists whoami and book; called: 2030-01-31T08:00:00.000Z
END
diff expected seen
