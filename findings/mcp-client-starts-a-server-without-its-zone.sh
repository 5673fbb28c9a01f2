#!/usr/bin/env bash
# Packages: @modelcontextprotocol/client 2.4.0, whose StdioClientTransport starts a server, compared with Node's own spawn.
# The good guess: a child process inherits the environment of its parent, as with spawn, and "env" adds to it.
# What is seen: the server inherits only HOME, LOGNAME, PATH, SHELL, TERM and USER, but not TZ, LANG, HTTPS_PROXY, NODE_EXTRA_CA_CERTS or
#   XDG_CONFIG_HOME. With "env" it gets those six and the variables named there.
# Why it matters: the server reads "tomorrow at nine" in the machine's time zone while its client uses another, cannot use a company's
#   proxy, and looks in another folder for the sign-in made in a terminal. This is deliberate, so that no secrets are passed on. Name what
#   the server needs in "env".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 zod@4.6.7 >> npm.log 2>&1
cat > server.mjs <<'END'
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
const names = ['TZ', 'LANG', 'HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS', 'XDG_CONFIG_HOME'];
const seen = () => `${names.filter((name) => process.env[name] !== undefined).join(' ') || 'none of them'}; nine in the morning is ${new Date(2031, 0, 7, 9).toISOString()}`;
const server = new McpServer({ name: 'bookings', version: '1.0.0' });
server.registerTool('environment', { description: 'Says it.', inputSchema: z.object({}) }, () => ({ content: [{ type: 'text', text: seen() }] }));
if (process.argv[2] === 'say') console.log(seen());
else await server.connect(new StdioServerTransport());
END
cat > client.mjs <<'END'
import { spawnSync } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const ask = async (more) => {
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'], ...more }));
  const { content } = await client.callTool({ name: 'environment', arguments: {} });
  await client.close();
  return content[0].text;
};
console.log(`spawn: ${spawnSync(process.execPath, ['server.mjs', 'say'], { encoding: 'utf8' }).stdout.trim()}`);
const told = await ask({});
const machine = spawnSync(process.execPath, ['-p', 'new Date(2031, 0, 7, 9).toISOString()'], { encoding: 'utf8', env: { PATH: process.env.PATH } }).stdout.trim();
console.log(`the client: ${told.replace(machine, "by the machine's own zone")}`);
console.log(`the client, with env: ${await ask({ env: { TZ: process.env.TZ } })}`);
END
TZ=America/New_York LANG=de_DE.UTF-8 HTTPS_PROXY=http://127.0.0.1:9 NODE_EXTRA_CA_CERTS=/dev/null XDG_CONFIG_HOME="$folder" node client.mjs > seen 2> said
cat seen
cat > expected <<'END'
spawn: TZ LANG HTTPS_PROXY NODE_EXTRA_CA_CERTS XDG_CONFIG_HOME; nine in the morning is 2031-01-07T14:00:00.000Z
the client: none of them; nine in the morning is by the machine's own zone
the client, with env: TZ; nine in the morning is 2031-01-07T14:00:00.000Z
END
diff expected seen
