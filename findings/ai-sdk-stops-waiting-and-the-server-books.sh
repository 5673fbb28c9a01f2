#!/usr/bin/env bash
# Packages: @ai-sdk/mcp 2.0.99, compared with @langchain/mcp-adapters 1.1.4 (with @langchain/core 1.4.0) and @openai/agents-core 0.20.0:
#   clients through which agents call tools on MCP servers. The server uses @modelcontextprotocol/sdk 1.32.2.
# The good guess: if the user stops an agent during a call (AbortSignal), the client tells the server (notifications/cancelled, MCP
#   2025-11-25, "Cancellation"), as the protocol's own client does. A server that is still asking somebody, or waiting its turn, then does
#   not act.
# What is seen: in all three, the call ends with an error at once. Two of them notify the server, which stops. The AI SDK does not, so the
#   server continues and books.
# Why it matters: "stop, not Thursday!" is answered at once. Soon afterwards Thursday's meeting is in the calendar and its guests have
#   invitations, and the assistant books Friday as well. A server cannot know; it can only act fast, or ask before it acts.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 \
  @ai-sdk/mcp@2.0.99 @openai/agents-core@0.20.0 zod@4.6.7 >> npm.log 2>&1
cat > server.mjs <<'END'
import { appendFileSync, writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const [, , name] = process.argv;
const server = new McpServer({ name: 'server', version: '1.0.0' });
server.registerTool('book', { description: 'Books', inputSchema: {} }, async (_, { signal }) => {
  writeFileSync(`${name}.begun`, '');
  await new Promise((done) => {
    signal.addEventListener('abort', done);
    setTimeout(done, 3_000);
  });
  appendFileSync(`${name}.did`, signal.aborted ? 'stops' : 'books');
  return { content: [{ type: 'text', text: 'Done.' }] };
});
await server.connect(new StdioServerTransport());
END
cat > hosts.mjs <<'END'
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Agent, getAllMcpTools, MCPServerStdio, RunContext } from '@openai/agents-core';
const started = (name) => ({ command: process.execPath, args: ['server.mjs', name] });
const until = async (file) => {
  while (!existsSync(file)) await pause(20);
};
const [own] = await new MultiServerMCPClient({ mcpServers: { server: { transport: 'stdio', ...started('LangChain') } } }).getTools();
const { book } = await (await createMCPClient({ transport: new Stdio(started('AI SDK')) })).tools();
const server = new MCPServerStdio(started('OpenAI Agents'));
await server.connect();
const runContext = new RunContext({});
const [tool] = await getAllMcpTools({ mcpServers: [server], runContext, agent: new Agent({ name: 'agent', mcpServers: [server] }) });
const hosts = {
  'AI SDK': (abortSignal) => book.execute({}, { toolCallId: '1', messages: [], abortSignal }),
  LangChain: (signal) => own.invoke({ name: own.name, args: {}, id: '1', type: 'tool_call' }, { signal }),
  'OpenAI Agents': (signal) => tool.invoke(runContext, '{}', { signal }),
};
const lines = [];
for (const [name, call] of Object.entries(hosts)) {
  const stop = new AbortController();
  const called = call(stop.signal).then(() => 'an answer', () => 'an error');
  await until(`${name}.begun`);
  stop.abort();
  const ends = await called;
  await until(`${name}.did`);
  lines.push(`${name}: the call ends in ${ends}, the server ${readFileSync(`${name}.did`)}`);
}
writeFileSync('seen', `${lines.join('\n')}\n`);
process.exit(0);
END
node hosts.mjs > hosts.log 2>&1 || { cat hosts.log; exit 1; }
cat seen
cat > expected <<'END'
AI SDK: the call ends in an error, the server books
LangChain: the call ends in an error, the server stops
OpenAI Agents: the call ends in an error, the server stops
END
diff expected seen
