import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { nodeHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const deliveries = nodeHandler(receiver);
const parse = bodyParser();
const routes = {
  '/deliveries': (context) => deliveries(context.req, context.res),
  '/context': (context) => deliveries(context, context.res),
  '/text': (context) => parse(context, () => deliveries(context.request, context.res)),
  '/parsed': (context) => parse(context, () => deliveries(context.req, context.res)),
};
const app = new Koa();
app.use(async (context) => {
  context.respond = false;
  await routes[context.path](context);
});
app.listen(port);
