#!/usr/bin/env bash
# Packages: mcp-proxy 6.7.19 and supergateway 4.0.0, which make a local MCP server available at a URL, with @modelcontextprotocol/sdk 1.32.2
#   for the client and the server.
# The good guess: a gateway passes the client's name and capabilities on to the server. So a tool that asks the user before it acts
#   (elicitation) can ask through a client that supports it, as it can without a gateway.
# What is seen: both gateways introduce themselves instead of the client, with no capabilities, so the tool is told that the client does not
#   support elicitation. Only supergateway with --stateful passes on what the client declared.
# Why it matters: a server that asks before it cancels a booking has to refuse, or to act without asking, for everybody who connects through
#   the gateway. And data that it keeps per client is shared by all of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts mcp-proxy@6.7.19 supergateway@4.0.0 @modelcontextprotocol/sdk@1.32.2 >> npm.log 2>&1
cat > server.mjs <<'END'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const mcp = new McpServer({ name: 'bookings', version: '1.0.0' });
const say = (text) => ({ content: [{ type: 'text', text }] });
mcp.registerTool('who', {}, () => say(`${mcp.server.getClientVersion().name} ${JSON.stringify(mcp.server.getClientCapabilities())}`));
mcp.registerTool('cancel', {}, async () => {
  const asked = mcp.server.elicitInput({ message: 'Cancel it?', requestedSchema: { type: 'object', properties: {} } });
  return say(await asked.then(({ action }) => action, (error) => error.message));
});
await mcp.connect(new StdioServerTransport());
END
cat > client.mjs <<'END'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const freePort = async () => {
  const one = createServer().listen(0, '127.0.0.1');
  await once(one, 'listening');
  const { port } = one.address();
  return new Promise((found) => one.close(() => found(String(port))));
};
const connect = async (transport) => {
  const client = new Client({ name: 'ada', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
  await client.connect(transport);
  return client;
};
const gateways = {
  'no gateway': undefined,
  'mcp-proxy': (port) => ['mcp-proxy', '--host', '127.0.0.1', '--port', port, 'node', 'server.mjs'],
  supergateway: (port) => ['supergateway', '--stdio', 'node server.mjs', '--outputTransport', 'streamableHttp', '--port', port],
  'supergateway --stateful': (port) => ['supergateway', '--stdio', 'node server.mjs', '--outputTransport', 'streamableHttp', '--stateful', '--port', port],
};
for (const [name, start] of Object.entries(gateways)) {
  const port = await freePort();
  const [program, ...args] = start?.(port) ?? [];
  const gateway = program && spawn(`node_modules/.bin/${program}`, args, { stdio: 'ignore', detached: true });
  const address = new URL(`http://127.0.0.1:${port}/mcp`);
  for (let tries = 0; gateway && tries < 100 && !(await fetch(address).catch(() => false)); tries++) await wait(200);
  const client = await connect(gateway ? new StreamableHTTPClientTransport(address) : new StdioClientTransport({ command: 'node', args: ['server.mjs'] }));
  const call = async (tool) => (await client.callTool({ name: tool, arguments: {} })).content[0].text;
  console.log(`${name}: the client is ${await call('who')}; asked: ${await call('cancel')}`);
  await client.close();
  if (gateway) {
    process.kill(-gateway.pid);
    await once(gateway, 'exit');
  }
}
process.exit();
END
node client.mjs > seen
cat seen
cat > expected <<'END'
no gateway: the client is ada {"elicitation":{"form":{}}}; asked: accept
mcp-proxy: the client is mcp-proxy {}; asked: Client does not support form elicitation.
supergateway: the client is supergateway {}; asked: Client does not support form elicitation.
supergateway --stateful: the client is ada {"elicitation":{"form":{}}}; asked: accept
END
diff expected seen
