#!/usr/bin/env bash
# Package: mcp-framework 0.2.22, in which a tool is a class with a zod schema (with zod 3.25.76), and ajv 8.20.0, with which a client checks
#   a call against the schema it was shown.
# The good guess: the schema that the model is shown describes what the tool accepts: a choice of 30 or 60 minutes, a map of answers, one of
#   two forms of a place.
# What is seen: each kind of zod schema that the framework does not know is shown as text: a union, a record, a discriminated union, a date.
#   A model that follows it sends text, and zod, which checks with the real schema, refuses it. A call that would be accepted is refused by
#   a client that checks against what it was shown. A price above 0 is shown as one of at least 1, in a form of JSON Schema from 2013, with
#   which Ajv can check no call of the tool at all.
# Why it matters: an agent asks the tool for an appointment of "30" minutes, is told that it expected 30, and can never book, or leaves out
#   the guest's answers. With strings, numbers and plain objects, as in the examples, it works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts mcp-framework@0.2.22 zod@3.25.76 ajv@8.20.0 >> npm.log 2>&1
cat > tool.mjs <<'END'
import { writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
const place = z.discriminatedUnion('kind', [z.object({ kind: z.literal('phone'), number: z.string() }), z.object({ kind: z.literal('room'), name: z.string() })]);
const lines = [];
for (const [says, field, right, asShown] of [
  ['text', z.string(), 'Ada', 'Ada'],
  ['a choice of words', z.enum(['phone', 'room']), 'phone', 'phone'],
  ['30 or 60', z.union([z.literal(30), z.literal(60)]), 30, '30'],
  ['a map of answers', z.record(z.string()), { company: 'X' }, '{"company":"X"}'],
  ['a place', place, { kind: 'room', name: 'Blue' }, 'Blue'],
  ['a price above 0', z.number().positive(), 0.5, 1],
]) {
  class Book extends MCPTool {
    name = 'book';
    description = 'Books';
    schema = z.object({ field: field.describe(says) });
    async execute() {
      return 'booked';
    }
  }
  const tool = new Book();
  const { description, ...shown } = tool.inputSchema.properties.field;
  const call = async (value) => ((await tool.toolCall({ params: { name: 'book', arguments: { field: value } } })).isError ? 'refused' : 'accepted');
  const client = new Ajv({ strict: false, logger: false, validateSchema: false });
  let passes;
  try {
    const allows = client.compile(tool.inputSchema);
    passes = (value) => (allows({ field: value }) ? 'allowed' : 'refused');
  } catch {
    passes = () => 'no check possible';
  }
  lines.push(`${says}, shown as ${JSON.stringify(shown)}`);
  for (const value of JSON.stringify(right) === JSON.stringify(asShown) ? [right] : [asShown, right])
    lines.push(`  ${JSON.stringify(value)}: ${passes(value)} by the client, ${await call(value)} by the tool`);
}
writeFileSync('seen', `${lines.join('\n')}\n`);
process.exit(0);
END
node tool.mjs > said 2>&1 || { cat said; exit 1; }
cat seen
cat > expected <<'END'
text, shown as {"type":"string"}
  "Ada": allowed by the client, accepted by the tool
a choice of words, shown as {"type":"string","enum":["phone","room"]}
  "phone": allowed by the client, accepted by the tool
30 or 60, shown as {"type":"string"}
  "30": allowed by the client, refused by the tool
  30: refused by the client, accepted by the tool
a map of answers, shown as {"type":"string"}
  "{\"company\":\"X\"}": allowed by the client, refused by the tool
  {"company":"X"}: refused by the client, accepted by the tool
a place, shown as {"type":"string"}
  "Blue": allowed by the client, refused by the tool
  {"kind":"room","name":"Blue"}: refused by the client, accepted by the tool
a price above 0, shown as {"type":"number","minimum":1,"exclusiveMinimum":true}
  1: no check possible by the client, accepted by the tool
  0.5: no check possible by the client, accepted by the tool
END
diff expected seen
