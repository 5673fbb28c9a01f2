/** The baseline, which uses only the SDK: one server with one tool, which makes the same request for the one account of its environment. */
import { createAdaptorServer } from '@hono/node-server';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';

const { SCHEDULING_BASE_URL: baseUrl, SCHEDULING_ACCESS_TOKEN: token, PORT: port } = process.env;
const inputSchema = fromJsonSchema<{ limit: number }>({ type: 'object', properties: { limit: { type: 'integer' } } });

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool('list_bookings', { description: 'Lists bookings', inputSchema }, async ({ limit }) => {
    const answer = await fetch(`${baseUrl}/bookings?limit=${limit}`, { headers: { authorization: `Bearer ${token}` } });
    const found = z.record(z.string(), z.unknown()).parse(await answer.json());
    return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
  });
  return server;
});

createAdaptorServer({ fetch: (request) => handler.fetch(request), overrideGlobalObjects: false }).listen(Number(port), '127.0.0.1');
