/**
 * An application that receives deliveries and has the habit that the address of a request names. Run by `handlerHosts.test.ts`, because some
 * habits could end it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createReceiver, expressHandler, nodeHandler } from '../../sdk/webhooks/index.ts';
import { subscribed } from './deliveries.ts';

const [, , kind = ''] = process.argv;
const say = (what: object): void => void process.send?.(what);

const receiver = createReceiver({
  subscription: subscribed,
  bodyMs: 400,
  onRefused: ({ check }) => say({ refused: check }),
  onError: (error) => say({ error: String(error) }),
}).on('BOOKING_CREATED', async ({ record }) => {
  say({ handling: true });
  await new Promise((resolve) => setTimeout(resolve, Number(record.notes ?? 0)));
});

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;
const habits: Record<string, (handle: Handle) => Handle> = {
  'has a timeout that answers': (handle) => (request, response) => {
    response.setTimeout(100, () => response.writeHead(503).end('too slow'));
    return handle(request, response);
  },
  'has a timer that answers': (handle) => (request, response) => {
    setTimeout(() => response.headersSent || response.writeHead(503).end('too slow'), 100);
    return handle(request, response);
  },
  'has a timeout that closes the connection': (handle) => (request, response) => {
    response.setTimeout(100);
    return handle(request, response);
  },
  'answers before': (handle) => (request, response) => {
    response.writeHead(202).end('mine');
    return handle(request, response);
  },
  'has begun to answer': (handle) => (request, response) => {
    response.writeHead(202).write('mine');
    setTimeout(() => response.end(), 500);
    return handle(request, response);
  },
  'gives up responses': (handle) => (request, response) => {
    setTimeout(() => response.destroy(), 100);
    return handle(request, response);
  },
};

const behind =
  (handle: Handle): Handle =>
  (request, response) => {
    const [, habit = ''] = decodeURIComponent(request.url ?? '').split('?');
    return (habits[habit]?.(handle) ?? handle)(request, response);
  };

function serverOf(): Server {
  if (kind === 'Express') {
    const app = express();
    const handle = expressHandler(receiver);
    app.all('/deliveries', behind(handle as Handle) as express.RequestHandler);
    return app.listen(0, '127.0.0.1');
  }
  const handle = nodeHandler(receiver);
  if (kind === 'node:http') return createServer(behind(handle)).listen(0, '127.0.0.1');
  const over2 = createHttp2Server((request, response) => {
    // Without a cast: the types of both fit.
    const own = (): Promise<void> => handle(request, response);
    void behind(own)(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  return over2.listen(0, '127.0.0.1') as unknown as Server;
}

const server = serverOf();
server.once('listening', () => say({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/deliveries` }));
