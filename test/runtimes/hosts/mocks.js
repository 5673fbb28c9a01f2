import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createRequest, createResponse } from 'node-mocks-http';
import { nodeHandler } from 'acme-scheduling/webhooks';
import { port, receiver } from './receiver.js';

const bodies = { '/deliveries': (bytes) => bytes, '/text': (bytes) => bytes.toString(), '/parsed': (bytes) => JSON.parse(bytes) };

createServer(async (request, response) => {
  const { method, headers, url } = request;
  const double = createResponse();
  await nodeHandler(receiver)(createRequest({ method, headers, url, body: bodies[url](await buffer(request)) }), double);
  response.writeHead(double.statusCode).end(double._getData());
}).listen(port);
