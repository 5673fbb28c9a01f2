import Fastify from 'fastify';
import rawBody from 'fastify-raw-body';
import { nodeHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const deliveries = nodeHandler(receiver);
const app = Fastify();
await app.register(rawBody, { global: false });
app.register(async (plugin) => {
  plugin.removeAllContentTypeParsers();
  plugin.addContentTypeParser('*', (_request, _payload, done) => done(null));
  plugin.all('/deliveries', deliveries);
});
for (const parseAs of ['string', 'buffer'])
  app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers();
    plugin.addContentTypeParser('*', { parseAs }, (_request, body, done) => done(null, body));
    plugin.post(`/${parseAs}`, deliveries);
  });
app.post('/raw', { config: { rawBody: true } }, deliveries);
app.post('/parsed', deliveries);
app.listen({ port });
