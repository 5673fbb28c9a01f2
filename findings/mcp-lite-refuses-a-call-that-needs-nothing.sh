#!/usr/bin/env bash
# Packages: mcp-lite 0.10.0, which provides tools over MCP, compared with @modelcontextprotocol/server 2.4.0, both called by
#   @modelcontextprotocol/client 2.4.0, with zod 4.6.7.
# The good guess: a tool without required arguments, such as "who am I?" or a list with an optional limit, can be called without arguments:
#   the protocol's "arguments" is optional (2025-11-25, schema, CallToolRequestParams).
# What is seen: the client omits "arguments", and mcp-lite rejects the call because it validates undefined against the tool's schema, even
#   if every field has a default. With an empty object the call succeeds. The other server accepts both.
# Why it matters: an assistant's first call fails with "expected object", about something that it never sent. Most tools have a required
#   field, so they work. Call such a server with an empty object.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts mcp-lite@0.10.0 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7 >> npm.log 2>&1
cat > calls.mjs <<'END'
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import * as lite from 'mcp-lite';
import { z } from 'zod';
const tools = { nothing: z.object({}), optional: z.object({ limit: z.number().optional() }), default: z.object({ limit: z.number().default(50) }) };
const done = { content: [{ type: 'text', text: 'done' }] };
const servers = {
  'mcp-lite': () => {
    const server = new lite.McpServer({ name: 'bookings', version: '1.0.0', schemaAdapter: (schema) => z.toJSONSchema(schema) });
    for (const [name, inputSchema] of Object.entries(tools)) server.tool(name, { description: 'A tool.', inputSchema, handler: () => done });
    const handle = new lite.StreamableHttpTransport().bind(server);
    return new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch: (url, init) => handle(new Request(url, init)) });
  },
  '@modelcontextprotocol/server': async () => {
    const server = new McpServer({ name: 'bookings', version: '1.0.0' });
    for (const [name, inputSchema] of Object.entries(tools)) server.registerTool(name, { description: 'A tool.', inputSchema }, () => done);
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    return other;
  },
};
for (const [says, begin] of Object.entries(servers)) {
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  await client.connect(await begin());
  for (const name of Object.keys(tools)) {
    const call = (more) => client.callTool({ name, ...more }).then(({ content }) => content[0].text, ({ message }) => message);
    console.log(`${says}, ${name}: ${await call()}; with an empty object: ${await call({ arguments: {} })}`);
  }
  await client.close();
}
END
node calls.mjs > seen
cat seen
cat > expected <<'END'
mcp-lite, nothing: Validation failed: Invalid input: expected object, received undefined; with an empty object: done
mcp-lite, optional: Validation failed: Invalid input: expected object, received undefined; with an empty object: done
mcp-lite, default: Validation failed: Invalid input: expected object, received undefined; with an empty object: done
@modelcontextprotocol/server, nothing: done; with an empty object: done
@modelcontextprotocol/server, optional: done; with an empty object: done
@modelcontextprotocol/server, default: done; with an empty object: done
END
diff expected seen
