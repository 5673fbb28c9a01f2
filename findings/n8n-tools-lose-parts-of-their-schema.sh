#!/usr/bin/env bash
# Packages: @n8n/json-schema-to-zod 1.16.0, on which n8n's AI nodes 2.41.1 depend, and zod-to-json-schema 3.23.3 (with zod 3.25.76), on
#   which they depend as well; compared with @modelcontextprotocol/server 2.4.0, whose validator checks the same call on the server.
# The good guess: a tool's schema reaches the model as the server wrote it, and both sides accept the same calls.
# What is seen: a oneOf of two types and a reference ($ref into $defs) become {}, which allows anything. The rule "an ID, or an email with a
#   start" is lost, and the schema is no longer of type object. Two fields that require each other (dependentRequired) lose that rule. And
#   r&d@example.com, which the server accepts, is rejected before it is sent.
# Why it matters: a model calls a tool with arguments that it was never told are wrong, and some invitees can be booked from every client
#   but this one. Flat objects with single types are kept whole.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @n8n/json-schema-to-zod@1.16.0 zod@3.25.76 zod-to-json-schema@3.23.3 @modelcontextprotocol/server@2.4.0 >> npm.log 2>&1
cat > schemas.cjs <<'END'
const { AjvJsonSchemaValidator } = require('@modelcontextprotocol/server/validators/ajv');
const { jsonSchemaToZod } = require('@n8n/json-schema-to-zod');
const { zodToJsonSchema } = require('zod-to-json-schema');
const text = { type: 'string' };
const schemas = {
  flat: { type: 'object', properties: { id: text, limit: { type: 'integer', minimum: 1 } }, required: ['id'] },
  'one of two kinds': { type: 'object', properties: { id: { oneOf: [text, { type: 'integer' }] } } },
  reference: { type: 'object', properties: { start: { $ref: '#/$defs/time' } }, $defs: { time: { type: 'string', format: 'date-time' } } },
  'ID, or email and start': { type: 'object', properties: { id: text, email: text, start: text }, oneOf: [{ required: ['id'] }, { required: ['email', 'start'] }] },
  'both or none': { type: 'object', properties: { from: text, to: text }, dependentRequired: { from: ['to'], to: ['from'] } },
};
for (const [name, schema] of Object.entries(schemas)) {
  const { $schema, additionalProperties, ...shown } = zodToJsonSchema(jsonSchemaToZod(schema), { $refStrategy: 'none' });
  console.log(`${name}: ${JSON.stringify(shown)}`);
}
const email = { type: 'string', format: 'email' };
for (const address of ['jane@example.com', 'r&d@example.com']) {
  const { valid } = new AjvJsonSchemaValidator().getValidator(email)(address);
  console.log(`${address}: the server ${valid ? 'takes' : 'refuses'} it, the client ${jsonSchemaToZod(email).safeParse(address).success ? 'takes' : 'refuses'} it`);
}
END
node schemas.cjs > seen
cat seen
cat > expected <<'END'
flat: {"type":"object","properties":{"id":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["id"]}
one of two kinds: {"type":"object","properties":{"id":{}}}
reference: {"type":"object","properties":{"start":{}}}
ID, or email and start: {"allOf":[{"type":"object","properties":{"id":{"type":"string"},"email":{"type":"string"},"start":{"type":"string"}}},{}]}
both or none: {"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}}}
jane@example.com: the server takes it, the client takes it
r&d@example.com: the server takes it, the client refuses it
END
diff expected seen
