import { fetchHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const deliveries = fetchHandler(receiver);
const fetch = async (request) => {
  if (new URL(request.url).pathname === '/parsed') await request.json();
  return deliveries(request);
};
if (globalThis.Deno) Deno.serve({ port, hostname: '127.0.0.1', onListen: () => undefined }, fetch);
else Bun.serve({ port, hostname: '127.0.0.1', fetch });
