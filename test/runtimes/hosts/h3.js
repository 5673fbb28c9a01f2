import { H3, serve } from 'h3';
import { fetchHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const deliveries = fetchHandler(receiver);
const app = new H3();
app.all('/deliveries', (event) => deliveries(event.req));
app.all('/parsed', async (event) => {
  await event.req.json();
  return deliveries(event.req);
});
serve(app, { port, silent: true });
