#!/usr/bin/env bash
# Packages: @anthropic-ai/sdk 1.14.0, whose helper mcpTools gives a model the tools of an MCP server (with @modelcontextprotocol/sdk 1.32.2,
#   as client and server). A stand-in for the model retries a failed call once, as models do.
# The good guess: a tool may return text and, beside it, a link to the booking or the record itself; MCP allows both (2025-11-25, "Resource
#   Links", "Embedded Resources"). A part that the helper cannot convert is left out, or mentioned beside the text.
# What is seen: the whole result becomes a tool error that names the part, and the text "Booked: bkg_1" is lost. This happens for a link and
#   for a JSON record, but not for a calendar file. The helper's documentation says that it throws, but not that the tool has already run by
#   then.
# Why it matters: the model reads that booking failed, and books again or tells the user so. A server that adds a link, for clients that
#   show one, gets double bookings from everybody who uses this helper. Put links into the text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @anthropic-ai/sdk@1.14.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7 >> npm.log 2>&1
cat > answers.mjs <<'END'
import Anthropic from '@anthropic-ai/sdk';
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
const embedded = (uri, mimeType, text) => [{ type: 'resource', resource: { uri, mimeType, text } }];
const beside = {
  'words alone': [],
  'words and a link': [{ type: 'resource_link', uri: 'https://example.com/bookings/bkg_1', name: 'The booking' }],
  'words and a record': embedded('booking:bkg_1', 'application/json', '{"id":"bkg_1"}'),
  'words and a calendar file': embedded('booking:bkg_1.ics', 'text/calendar', 'BEGIN:VCALENDAR'),
};
for (const [what, parts] of Object.entries(beside)) {
  let bookings = 0;
  const server = new McpServer({ name: 'server', version: '1.0.0' });
  server.registerTool('book', { description: 'Books', inputSchema: {} }, async () => {
    bookings++;
    return { content: [{ type: 'text', text: 'Booked: bkg_1' }, ...parts] };
  });
  const client = new Client({ name: 'client', version: '1.0.0' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const read = [];
  const model = async (_, { body }) => {
    const [last] = JSON.parse(body).messages.at(-1).content;
    if (last.type === 'tool_result') read.push(last);
    const calls = read.length === 0 || (last.is_error && read.length === 1);
    const content = [calls ? { type: 'tool_use', id: `call_${read.length}`, name: 'book', input: {} } : { type: 'text', text: 'Done.' }];
    const answer = { id: 'm', type: 'message', role: 'assistant', model: 'm', content, stop_reason: calls ? 'tool_use' : 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } };
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
  };
  const tools = mcpTools((await client.listTools()).tools, client);
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Book.' }] }];
  await new Anthropic({ apiKey: 'key', fetch: model }).beta.messages.toolRunner({ model: 'm', max_tokens: 100, tools, messages }).runUntilDone();
  const [{ content, is_error }] = read;
  console.log(`${what}: ${bookings} booked; read${is_error ? ' as an error' : ''}: ${is_error ? content : content.map(({ text, source }) => text ?? source.data).join(' + ')}`);
}
END
node answers.mjs > seen
cat seen
cat > expected <<'END'
words alone: 1 booked; read: Booked: bkg_1
words and a link: 2 booked; read as an error: Error: Unsupported MCP content type: resource_link
words and a record: 2 booked; read as an error: Error: Unsupported MIME type "application/json" for resource: booking:bkg_1
words and a calendar file: 1 booked; read: Booked: bkg_1 + BEGIN:VCALENDAR
END
diff expected seen
