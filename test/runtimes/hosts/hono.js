import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { fetchHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const deliveries = fetchHandler(receiver);
const app = new Hono();
app.all('/deliveries', (context) => deliveries(context.req.raw));
app.all('/context', (context) => deliveries(context));
app.all('/parsed', async (context) => {
  await context.req.json();
  return deliveries(context.req.raw);
});
app.all('/context-parsed', async (context) => {
  await context.req.json();
  return deliveries(context);
});
serve({ fetch: app.fetch, port });
