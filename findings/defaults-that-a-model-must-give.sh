#!/usr/bin/env bash
# Packages: four that turn one zod schema (zod 4.6.7) into the schema of a tool for a model: @langchain/core 1.4.0, @anthropic-ai/sdk 1.14.0
#   (betaZodTool), mcp-lite 0.10.0 with the adapter from its documentation, and ai 6.0.326.
# The good guess: a field with a default may be left out, and the model sees the default. The program that receives the call fills it in, as
#   each of them does.
# What is seen: the first three list the field as required, next to its default, because z.toJSONSchema describes a schema's output unless
#   it is told "input". Only ai leaves it optional. (JSON Schema, Validation, 6.5.3 "required" and 9.2 "default".)
# Why it matters: asked for "a call with Ada", the model has to supply a duration, a time zone or a limit. A client that validates calls
#   against the schema refuses a call that leaves the default to the service. All work with .optional() and the default in the description.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts zod@4.6.7 ai@6.0.326 @langchain/core@1.4.0 @anthropic-ai/sdk@1.14.0 mcp-lite@0.10.0 >> npm.log 2>&1
cat > tools.mjs <<'END'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { asSchema } from 'ai';
import { McpServer, StreamableHttpTransport } from 'mcp-lite';
import { z } from 'zod';
const schema = z.object({ email: z.string(), minutes: z.number().default(30), note: z.string().optional() });
const server = new McpServer({ name: 'bookings', version: '1.0.0', schemaAdapter: (given) => z.toJSONSchema(given) });
server.tool('book', { description: 'Books.', inputSchema: schema, handler: (given) => ({ content: [{ type: 'text', text: JSON.stringify(given) }] }) });
const handle = new StreamableHttpTransport().bind(server);
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' };
const ask = async (method, params) => {
  const text = await (await handle(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) }))).text();
  return JSON.parse(text.slice(text.indexOf('{'))).result;
};
const given = { name: 'book', description: 'Books.' };
const all = {
  ai: await asSchema(schema).jsonSchema,
  '@langchain/core': toJsonSchema(schema),
  '@anthropic-ai/sdk': betaZodTool({ ...given, inputSchema: schema, run: () => '' }).input_schema,
  'mcp-lite': (await ask('tools/list', {})).tools[0].inputSchema,
};
for (const [name, { required, properties }] of Object.entries(all)) console.log(`${name}: required ${required.join(', ')}; minutes ${JSON.stringify(properties.minutes)}`);
const { content } = await ask('tools/call', { name: 'book', arguments: { email: 'ada@example.com' } });
console.log(`mcp-lite, called without minutes: ${content[0].text}`);
END
node tools.mjs > seen
cat seen
cat > expected <<'END'
ai: required email; minutes {"default":30,"type":"number"}
@langchain/core: required email, minutes; minutes {"default":30,"type":"number"}
@anthropic-ai/sdk: required email, minutes; minutes {"default":30,"type":"number"}
mcp-lite: required email, minutes; minutes {"default":30,"type":"number"}
mcp-lite, called without minutes: {"email":"ada@example.com","minutes":30}
END
diff expected seen
