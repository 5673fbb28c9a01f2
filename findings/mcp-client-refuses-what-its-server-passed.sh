#!/usr/bin/env bash
# Packages: @modelcontextprotocol/server and @modelcontextprotocol/client 2.4.0, with zod 4.6.7.
# The good guess: a zod object accepts unknown fields and drops them. So a tool with such an outputSchema can return an extra field, and
#   what the server accepts, the client of the same SDK accepts too.
# What is seen: the server validates with zod and sends the extra field. The schema that it lists says "additionalProperties": false, and
#   the client, which has only that, rejects the whole result with an error if it has listed the tools before. With z.looseObject it accepts
#   the result.
# Why it matters: once the API behind a tool adds a field to its records, every call fails after its work is done. The booking exists, but
#   the assistant gets an error and tries again. The server's own tests see nothing, because the client rejects it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7 >> npm.log 2>&1
cat > fields.mjs <<'END'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
const shape = { id: z.string() };
let booked = 0;
const server = new McpServer({ name: 'bookings', version: '1.0.0' });
for (const [name, outputSchema] of Object.entries({ object: z.object(shape), looseObject: z.looseObject(shape) }))
  server.registerTool(name, { description: 'Books.', inputSchema: z.object({}), outputSchema }, () => {
    booked += 1;
    return { content: [], structuredContent: { id: 'bkg_1', seats: 2 } };
  });
const [one, other] = InMemoryTransport.createLinkedPair();
await server.connect(one);
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(other);
const call = (name) => client.callTool({ name, arguments: {} }).then(({ structuredContent }) => JSON.stringify(structuredContent), ({ message }) => message);
console.log(`z.object, before the tools are listed: ${await call('object')}`);
const { tools } = await client.listTools();
for (const { name, outputSchema } of tools) console.log(`z.${name}, additionalProperties ${JSON.stringify(outputSchema.additionalProperties)}: ${await call(name)}`);
console.log(`booked: ${booked}`);
await client.close();
END
node fields.mjs > seen
cat seen
cat > expected <<'END'
z.object, before the tools are listed: {"id":"bkg_1","seats":2}
z.object, additionalProperties false: Structured content does not match the tool's output schema: data must NOT have additional properties
z.looseObject, additionalProperties {}: {"id":"bkg_1","seats":2}
booked: 3
END
diff expected seen
