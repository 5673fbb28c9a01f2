#!/usr/bin/env bash
# Packages: @modelcontextprotocol/client and @modelcontextprotocol/server 2.4.0, with zod 4.6.7.
# The good guess: a client that asks for progress and receives it keeps waiting: the timeout is for a server that sends nothing.
# What is seen: progress arrives, and the call still times out (after a second here, a minute by default). The tool goes on and finishes.
#   Only with resetTimeoutOnProgress: true does progress extend the wait.
# Why it matters: a server gains nothing by reporting progress on long work. The work is done, but the assistant sees a timeout and tries
#   again. A slow tool should answer early and let the client ask again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7 >> npm.log 2>&1
cat > progress.mjs <<'END'
import { setTimeout as wait } from 'node:timers/promises';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
let finished = 0;
const server = new McpServer({ name: 'bookings', version: '1.0.0' });
server.registerTool('import', { description: 'Imports bookings.', inputSchema: z.object({}) }, async (_input, { mcpReq }) => {
  for (let progress = 1; progress <= 5; progress += 1) {
    await wait(400);
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: mcpReq._meta.progressToken, progress, total: 5 } });
  }
  finished += 1;
  return { content: [{ type: 'text', text: 'imported' }] };
});
const [one, other] = InMemoryTransport.createLinkedPair();
await server.connect(one);
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(other);
for (const options of [{}, { resetTimeoutOnProgress: true }]) {
  let heard = 0;
  const call = client.callTool({ name: 'import', arguments: {} }, { timeout: 1_000, onprogress: () => (heard += 1), ...options });
  const told = await call.then(({ content }) => content[0].text, ({ message }) => message);
  console.log(`${JSON.stringify(options)}: ${told}, ${heard >= 2 ? 'after progress' : 'without progress'}`);
  await wait(1_500);
}
console.log(`finished: ${finished}`);
await client.close();
END
node progress.mjs > seen
cat seen
cat > expected <<'END'
{}: Request timed out, after progress
{"resetTimeoutOnProgress":true}: imported, after progress
finished: 2
END
diff expected seen
