#!/usr/bin/env bash
# Packages: openapi-mcp-generator 4.0.1, which generates an MCP server from an OpenAPI document (built here with esbuild 0.28.2 and the
#   packages it needs: axios 1.21.1, dotenv 16.6.1, zod 3.25.76 and json-schema-to-zod 2.8.1), with @modelcontextprotocol/sdk 1.32.2 for it
#   and for the client; a small local server stands in for the service.
# The good guess: if the service refuses a call, or the arguments do not match, the model gets a tool error (isError), as MCP defines it. A
#   list in the query is written as the document says, by default status=a&status=b; an "integer" must be a whole number; and the fields of
#   a form are separate arguments.
# What is seen: a refusal (409) and invalid arguments are returned without isError, like a success. Every list is comma-separated
#   (status=open,moved), regardless of the document. 2.5 is accepted for an "integer". A form is one string, and the model is told nothing
#   about its fields.
# Why it matters: a host that counts errors, retries or stops at one goes on, and the guest is told that the time is booked. A list of
#   bookings is filtered by a status that the service does not know, "open,moved".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts openapi-mcp-generator@4.0.1 esbuild@0.28.2 axios@1.21.1 dotenv@16.6.1 zod@3.25.76 json-schema-to-zod@2.8.1 @modelcontextprotocol/sdk@1.32.2 >> npm.log 2>&1
cat > refusal.mjs <<'END'
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
let asked;
const service = http.createServer((request, response) => {
  asked = decodeURIComponent(request.url);
  response.writeHead(request.method === 'GET' ? 200 : 409, { 'Content-Type': 'application/json' });
  response.end(request.method === 'GET' ? '[]' : '{"message":"taken"}');
});
await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve));
const query = (name, schema, more) => ({ name, in: 'query', schema, ...more });
const list = { type: 'array', items: { type: 'string' } };
const form = { type: 'object', properties: { start: { type: 'string' } } };
writeFileSync('api.json', JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Bookings', version: '1.0.0' },
  servers: [{ url: `http://127.0.0.1:${service.address().port}` }],
  paths: {
    '/bookings': {
      get: { operationId: 'list', parameters: [query('status', list), query('ids', list, { explode: false }), query('limit', { type: 'integer' })], responses: { 200: { description: 'ok' } } },
      post: { operationId: 'book', requestBody: { content: { 'application/x-www-form-urlencoded': { schema: form } } }, responses: { 201: { description: 'ok' } } },
    },
  },
}));
const cli = 'node_modules/openapi-mcp-generator';
const { bin } = JSON.parse(readFileSync(`${cli}/package.json`, 'utf8'));
execFileSync('node', [`${cli}/${bin['openapi-mcp-generator']}`, '--input', 'api.json', '--output', 'made'], { stdio: 'ignore' });
execFileSync('node', ['node_modules/esbuild/bin/esbuild', 'made/src/index.ts', '--format=esm', '--outfile=made/index.mjs', '--log-level=error']);
const client = new Client({ name: 'host', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['made/index.mjs'], stderr: 'ignore' }));
const { tools } = await client.listTools();
console.log(`fields of the form: ${JSON.stringify(tools.find(({ name }) => name === 'book').inputSchema.properties.requestBody)}`);
for (const [name, given] of [['list', { status: ['open', 'moved'] }], ['list', { ids: ['a', 'b'] }], ['list', { limit: 2.5 }], ['list', { limit: 'all' }], ['book', { requestBody: 'start=2030-01-31' }]]) {
  asked = 'nothing';
  const { isError, content } = await client.callTool({ name, arguments: given });
  console.log(`${name} ${JSON.stringify(given)}: asked for ${asked}; isError ${isError}, ${content[0].text.split('\n')[0].slice(0, 70)}`);
}
await client.close();
service.close();
END
node refusal.mjs > seen 2> npm.log
cat seen
cat > expected <<'END'
fields of the form: {"type":"string","description":"Request body (content type: application/x-www-form-urlencoded)"}
list {"status":["open","moved"]}: asked for /bookings?status=open,moved; isError undefined, API Response (Status: 200):
list {"ids":["a","b"]}: asked for /bookings?ids=a,b; isError undefined, API Response (Status: 200):
list {"limit":2.5}: asked for /bookings?limit=2.5; isError undefined, API Response (Status: 200):
list {"limit":"all"}: asked for nothing; isError undefined, Invalid arguments for tool 'list': limit (invalid_type): Expected numb
book {"requestBody":"start=2030-01-31"}: asked for /bookings; isError undefined, API Error: Status 409 (Conflict). Response: {"message":"taken"}
END
diff expected seen
