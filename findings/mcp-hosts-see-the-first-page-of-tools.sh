#!/usr/bin/env bash
# Packages: @mastra/mcp 0.14.5, @langchain/mcp-adapters 1.1.4, @ai-sdk/mcp 1.0.102 and @openai/agents-core 0.20.0, which give agents the
#   tools of MCP servers, and @modelcontextprotocol/sdk 1.32.2 for the server.
# The good guess: a server may list its tools in pages (nextCursor) and name one "bookings.find" (the protocol allows dots, 2025-11-25), and
#   each agent gets all of them under their names.
# What is seen: Mastra silently gets only the tools of the first page. The OpenAI Agents SDK renames "bookings.find" to bookings_find; the
#   other three keep the dot, which the APIs of several models reject. One page, and names of letters and underscores, work everywhere.
# Why it matters: a server whose list outgrows one page loses its newest tools in one host: the assistant says that it cannot cancel, and no
#   error is reported. A text that mentions "bookings.find" names a tool that the model does not have.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 \
  @ai-sdk/mcp@1.0.102 @openai/agents-core@0.20.0 @mastra/mcp@0.14.5 @mastra/core@0.24.9 zod@4.6.7 >> npm.log 2>&1
cat > server.mjs <<'END'
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const names = ['list', 'bookings.find', 'create', 'cancel'];
const server = new Server({ name: 'server', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  const at = Number(params?.cursor ?? 0);
  const tools = names.slice(at, at + 2).map((name) => ({ name, description: name, inputSchema: { type: 'object', properties: {} } }));
  return { tools, ...(at + 2 < names.length ? { nextCursor: String(at + 2) } : {}) };
});
await server.connect(new StdioServerTransport());
END
cat > hosts.mjs <<'END'
import { writeFileSync } from 'node:fs';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { MCPClient } from '@mastra/mcp';
import { Agent, getAllMcpTools, MCPServerStdio, RunContext } from '@openai/agents-core';
const started = { command: process.execPath, args: ['server.mjs'] };
const langchain = await new MultiServerMCPClient({ mcpServers: { server: { transport: 'stdio', ...started } } }).getTools();
const ai = await (await createMCPClient({ transport: new Stdio(started) })).tools();
const server = new MCPServerStdio(started);
await server.connect();
const agents = await getAllMcpTools({ mcpServers: [server], runContext: new RunContext({}), agent: new Agent({ name: 'agent', mcpServers: [server] }) });
const mastra = await new MCPClient({ servers: { server: started } }).getTools();
const names = { LangChain: langchain.map(({ name }) => name), 'AI SDK': Object.keys(ai), 'OpenAI Agents': agents.map(({ name }) => name), Mastra: Object.keys(mastra) };
writeFileSync('seen', Object.entries(names).map(([host, seen]) => `${host}: ${seen.join(', ')}\n`).join(''));
process.exit(0);
END
node hosts.mjs > hosts.log 2>&1 || { cat hosts.log; exit 1; }
cat seen
cat > expected <<'END'
LangChain: list, bookings.find, create, cancel
AI SDK: list, bookings.find, create, cancel
OpenAI Agents: list, bookings_find, create, cancel
Mastra: server_list, server_bookings.find
END
diff expected seen
