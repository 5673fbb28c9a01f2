import { createServer } from 'node:http';
import { createApp, eventHandler, readBody, toNodeListener, toWebRequest } from 'h3-1';
import { fetchHandler, nodeHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const deliveries = nodeHandler(receiver);
const app = createApp();
app.use(
  '/deliveries',
  eventHandler((event) => deliveries(event.node.req, event.node.res)),
);
app.use(
  '/web',
  eventHandler((event) => fetchHandler(receiver)(toWebRequest(event))),
);
app.use(
  '/parsed',
  eventHandler(async (event) => {
    await readBody(event);
    await deliveries(event.node.req, event.node.res);
  }),
);
app.use(
  '/event-parsed',
  eventHandler(async (event) => {
    await readBody(event);
    await deliveries(event, event.node.res);
  }),
);
createServer(toNodeListener(app)).listen(port);
