#!/usr/bin/env bash
# Packages: @langchain/mcp-adapters 1.1.4, @ai-sdk/mcp 1.0.102, @openai/agents-core 0.20.0 and @mastra/mcp 0.14.5, with which agents call
#   tools of MCP servers, and @modelcontextprotocol/sdk 1.32.2 for the server.
# The good guess: if a tool returns text and structured data, the model sees both, or at least the text, which the protocol requires.
# What is seen: LangChain passes on both, the AI SDK and OpenAI Agents only the text, Mastra only the data.
# Why it matters: if "the host must still approve it" is in one half, only some assistants learn it. Each half has to say everything.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 \
  @ai-sdk/mcp@1.0.102 @openai/agents-core@0.20.0 @mastra/mcp@0.14.5 @mastra/core@0.24.9 zod@4.6.7 >> npm.log 2>&1
cat > server.mjs <<'END'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const server = new McpServer({ name: 'server', version: '1.0.0' });
const answer = { content: [{ type: 'text', text: 'The host must approve.' }], structuredContent: { id: 'bkg_1' } };
server.registerTool('book', { description: 'Books', inputSchema: {} }, async () => answer);
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
const lines = [];
const say = (name, shown) => {
  const text = JSON.stringify(shown);
  lines.push(`${name}: ${[text.includes('must approve') && 'the words', text.includes('bkg_1') && 'the data'].filter(Boolean).join(' and ')}`);
};
const langchain = new MultiServerMCPClient({ mcpServers: { server: { transport: 'stdio', ...started } } });
const [own] = await langchain.getTools();
say('LangChain', (await own.invoke({ name: own.name, args: {}, id: '1', type: 'tool_call' })).content);
const ai = await createMCPClient({ transport: new Stdio(started) });
const { book } = await ai.tools();
const output = await book.execute({}, { toolCallId: '1', messages: [] });
say('AI SDK', await book.toModelOutput({ output, toolCallId: '1', input: {} }));
const server = new MCPServerStdio(started);
await server.connect();
const runContext = new RunContext({});
const [agents] = await getAllMcpTools({ mcpServers: [server], runContext, agent: new Agent({ name: 'agent', mcpServers: [server] }) });
say('OpenAI Agents', await agents.invoke(runContext, '{}'));
const mastra = new MCPClient({ servers: { server: started } });
const [tool] = Object.values(await mastra.getTools());
say('Mastra', await tool.execute({ context: {} }, {}));
writeFileSync('seen', `${lines.join('\n')}\n`);
process.exit(0);
END
node hosts.mjs > hosts.log 2>&1 || { cat hosts.log; exit 1; }
cat seen
cat > expected <<'END'
LangChain: the words and the data
AI SDK: the words
OpenAI Agents: the words
Mastra: the data
END
diff expected seen
