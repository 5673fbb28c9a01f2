#!/usr/bin/env bash
# Packages: two command-line tools that call the tools of an MCP server, @modelcontextprotocol/inspector 2.12.0 (--cli) and mcporter 0.12.3,
#   both on a server made with @modelcontextprotocol/server 2.4.0.
# The good guess: a value typed for an argument that the tool declares as a string is sent as a string, because both have read its schema.
# What is seen: the inspector parses each value as JSON: 2031 is sent as a number, true as a boolean and null as null. mcporter keeps 2031
#   as a string, as declared, but sends true and null like the inspector. Both send 00123 as a string.
# Why it matters: a company called True, a note that says 2031 and a person called Null are rejected by the server with "expected string",
#   although a string was typed. Other text is sent correctly. With mcporter, write the call with quotes: 'server.tool(name: "null")'.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/inspector@2.12.0 mcporter@0.12.3 @modelcontextprotocol/server@2.4.0 zod@4.6.7 >> npm.log 2>&1
cat > server.mjs <<'END'
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
const text = { type: 'string' };
const inputSchema = { type: 'object', properties: { note: text, company: text, name: text, id: text } };
const server = new Server({ name: 'bookings', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'book', description: 'Books.', inputSchema }] }));
server.setRequestHandler('tools/call', ({ params }) => {
  const got = Object.entries(params.arguments).map(([name, value]) => `${name} as ${value === null ? 'nothing' : typeof value}`);
  return { content: [{ type: 'text', text: `got ${got.join(', ')}` }] };
});
await server.connect(new StdioServerTransport());
END
echo '{"mcpServers":{"bookings":{"command":"node","args":["server.mjs"]}}}' > mcporter.json
export HOME="$folder" XDG_CONFIG_HOME="$folder"
got() { grep -o 'got [a-z, ]*' | head -1; }
{
  echo "inspector: $(npx mcp-inspector --cli node server.mjs --method tools/call --tool-name book --tool-arg note=2031 --tool-arg company=true --tool-arg name=null --tool-arg id=00123 2>> npm.log | got)"
  echo "mcporter: $(npx mcporter --config mcporter.json call bookings.book note:2031 company:true name:null id:00123 2>> npm.log | got)"
  echo "mcporter, quoted: $(npx mcporter --config mcporter.json call 'bookings.book(note: "2031", company: "true", name: "null", id: "00123")' 2>> npm.log | got)"
} > seen
cat seen
cat > expected <<'END'
inspector: got note as number, company as boolean, name as nothing, id as string
mcporter: got note as string, company as boolean, name as nothing, id as string
mcporter, quoted: got note as string, company as string, name as string, id as string
END
diff expected seen
