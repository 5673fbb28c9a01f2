// The minimum that could replace our server: a server with the same SDK, whose only tool makes the bare request and passes on its answer.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const { BASE_URL, TOKEN } = process.env;

serveStdio(() => {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'get_booking', inputSchema: { type: 'object' } }] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const response = await fetch(`${BASE_URL}/bookings/${String(params.arguments?.['booking_id'])}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const text = await response.text();
    return { content: [{ type: 'text', text }], structuredContent: /** @type {Record<string, unknown>} */ (JSON.parse(text)) };
  });
  return server;
});
