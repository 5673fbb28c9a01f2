#!/usr/bin/env bash
# Package: @ivotoby/openapi-mcp-server 1.16.1, which gives an agent one tool for each operation of an OpenAPI document, with
#   @modelcontextprotocol/sdk 1.32.2 for the client.
# The good guess: path and body may each have a field of the same name, such as a contact's current email and the new one. The tool
#   distinguishes them (its page says: by the prefix "body_"), and the request sends each under its own name, as in the document.
# What is seen: the tool asks for email and body_email, and sends the key body_email in the body. The body's field email is never sent, by
#   POST, PUT or PATCH.
# Why it matters: a service that ignores unknown fields returns 200, and nothing has changed; one that rejects them refuses every try, and
#   the assistant cannot correct it. Fields whose names differ arrive.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @ivotoby/openapi-mcp-server@1.16.1 @modelcontextprotocol/sdk@1.32.2 >> npm.log 2>&1
cat > change.mjs <<'END'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
let got = '';
const service = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  got = `${request.method} ${decodeURIComponent(request.url)} ${body}`;
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
});
await new Promise((done) => service.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${service.address().port}`;
const text = { type: 'string' };
const operation = (operationId) => ({
  operationId,
  parameters: [{ name: 'email', in: 'path', required: true, schema: text }],
  requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', properties: { email: text, name: text }, required: ['email'] } } } },
  responses: { 200: { description: 'Done' } },
});
const paths = { '/contacts/{email}': { patch: operation('changeContact'), put: operation('replaceContact') } };
writeFileSync('api.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'Contacts', version: '1.0.0' }, servers: [{ url }], paths }));
const args = ['node_modules/@ivotoby/openapi-mcp-server/bin/mcp-server.js', '--api-base-url', url, '--openapi-spec', './api.json', '--transport', 'stdio'];
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
for (const { name, inputSchema } of (await client.listTools()).tools) {
  const { isError = false } = await client.callTool({ name, arguments: { email: 'old@example.com', body_email: 'new@example.com', name: 'Ada' } });
  console.log(`${name} asks for ${inputSchema.required}, sends ${got}, and ${isError ? 'fails' : 'says that it is done'}`);
}
await client.close();
service.close();
service.closeAllConnections();
END
node change.mjs > seen
cat seen
cat > expected <<'END'
change-contact asks for email,body_email, sends PATCH /contacts/old@example.com {"body_email":"new@example.com","name":"Ada"}, and says that it is done
replace-contact asks for email,body_email, sends PUT /contacts/old@example.com {"body_email":"new@example.com","name":"Ada"}, and says that it is done
END
diff expected seen
