#!/usr/bin/env bash
# Package: n8n-nodes-mcp 0.1.37, the community node MCP Client of n8n, operation Execute Tool (with n8n-workflow 2.41.0 and
#   @modelcontextprotocol/sdk 1.32.2). The MCP server books, and refuses a taken hour with isError, as the protocol has it for a tool that
#   fails.
# The good guess: like other nodes, it runs once for each item, with the parameters of that item, so three bookings make three calls. A call
#   that failed is an error, which stops the workflow or takes its error path.
# What is seen: whatever comes in, the tool is called once, with the parameters of the first item, and one item comes out. A refusal comes
#   out as a normal item too: only isError inside of it tells.
# Why it matters: of the morning's requests, one is booked, the run is green, and the other guests wait for an appointment that nobody has
#   made. Where the hour was taken, the confirmation is sent all the same. With one item and a free hour, as in a test, all is right. Put
#   the node into a loop, and check isError.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-nodes-mcp@0.1.37 n8n-workflow@2.41.0 zod@3.25.76 @modelcontextprotocol/sdk@1.32.2 \
  >> npm.log 2>&1
cat > client.cjs <<'END'
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
const { z } = require('zod');
const serve = async () => {
  const server = new McpServer({ name: 'server', version: '1.0.0' });
  server.registerTool('book', { description: 'Books', inputSchema: { guest: z.string(), at: z.string() } }, async ({ guest, at }) => {
    appendFileSync('calls', `${guest} `);
    return { isError: at === '12:00', content: [{ type: 'text', text: at === '12:00' ? 'The hour is taken.' : `Booked ${guest}.` }] };
  });
  await server.connect(new StdioServerTransport());
};
const run = async (bookings) => {
  const { McpClient } = require('n8n-nodes-mcp/dist/nodes/McpClient/McpClient.node.js');
  const nothing = () => {};
  const given = { operation: 'executeTool', connectionType: 'cmd', toolName: 'book' };
  rmSync('calls', { force: true });
  const [items] = await new McpClient().execute.call({
    getInputData: () => bookings.map((json) => ({ json })),
    getNode: () => ({ name: 'MCP Client', typeVersion: 1 }),
    getNodeParameter: (name, index) => (name === 'toolParameters' ? bookings[index] : given[name]),
    getCredentials: async () => ({ command: process.execPath, args: 'client.cjs serve' }),
    continueOnFail: () => false,
    logger: { debug: nothing, warn: nothing, error: nothing },
  });
  const called = existsSync('calls') ? readFileSync('calls', 'utf8').trim() : 'nobody';
  return `${bookings.length} items in, called for ${called}, ${items.length} out: ${items.map(({ json }) => json.result.content[0].text).join(' ')}`;
};
const main = async () => {
  const [ada, bob, eve] = [['Ada', '09:00'], ['Bob', '10:00'], ['Eve', '12:00']].map(([guest, at]) => ({ guest, at }));
  const lines = [];
  for (const bookings of [[ada], [ada, bob, eve], [eve]]) lines.push(await run(bookings));
  writeFileSync('seen', `${lines.join('\n')}\n`);
  process.exit(0);
};
void (process.argv[2] === 'serve' ? serve() : main());
END
node client.cjs > said 2>&1 || { cat said; exit 1; }
cat seen
cat > expected <<'END'
1 items in, called for Ada, 1 out: Booked Ada.
3 items in, called for Ada, 1 out: Booked Ada.
1 items in, called for Eve, 1 out: The hour is taken.
END
diff expected seen
