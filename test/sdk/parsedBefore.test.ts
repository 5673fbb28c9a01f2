import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import { Hono } from 'hono';
import { createReceiver, expressHandler, fetchHandler, nodeHandler, type Receiver } from '../../sdk/webhooks/index.ts';
import { bookingBody, deliver, subscribed } from './deliveries.ts';
import { listening, loopback, type Serving } from './servers.ts';

let serving: Serving | undefined;
afterEach(async () => serving?.stop());

/** What a developer who installed a body parser first sees, and what the service does. */
async function delivered(
  start: (receiver: Receiver) => Server,
): Promise<{ status: number; text: string; acted: number; failures: string[] }> {
  let acted = 0;
  const failures: string[] = [];
  const receiver = createReceiver({ subscription: subscribed, onError: (error) => failures.push(String(error)) }).on(
    'BOOKING_CREATED',
    () => (acted += 1),
  );
  serving = await listening(start(receiver));
  const { status, text } = await deliver(serving.url, { body: bookingBody() });
  return { status, text, acted, failures };
}

const expressBehind =
  (before: RequestHandler) =>
  (receiver: Receiver): Server => {
    const app = express();
    app.use(before);
    app.post('/deliveries', expressHandler(receiver));
    return app.listen(0, '127.0.0.1');
  };

describe('a body that was read before', () => {
  it.each([
    ['express.json()', express.json()],
    ['express.text()', express.text({ type: '*/*' })],
    ['express.urlencoded() after express.json()', express.json({ strict: false })],
  ])('by %s ends in an error here that names the parser, and is sent again', async (_, before) => {
    const { status, text, acted, failures } = await delivered(expressBehind(before));
    expect([status, text, acted]).toEqual([500, 'The delivery could not be received here. Send it again.', 0]);
    expect(failures).toEqual([expect.stringMatching(/was read before .* express\.json\(\) .* Put the delivery route before it/)]);
  });

  it('on Hono by json() ends in an error that names it', async () => {
    const { status, failures } = await delivered((receiver) => {
      const deliveries = fetchHandler(receiver);
      const app = new Hono().post('/deliveries', async (context) => {
        await context.req.raw.json();
        return deliveries(context.req.raw);
      });
      return serve({ fetch: app.fetch, ...loopback }) as Server;
    });
    expect(status).toBe(500);
    expect(failures).toEqual([expect.stringMatching(/was read before .* json\(\), text\(\) or formData\(\)/)]);
  });

  it('on Hono through a clone does no harm', async () => {
    const { status, acted } = await delivered((receiver) => {
      const deliveries = fetchHandler(receiver);
      const app = new Hono().post('/deliveries', async (context) => {
        await context.req.raw.clone().json();
        return deliveries(context.req.raw);
      });
      return serve({ fetch: app.fetch, ...loopback }) as Server;
    });
    expect([status, acted]).toEqual([200, 1]);
  });

  it('on node:http as text ends in an error that names setEncoding()', async () => {
    const { status, failures } = await delivered((receiver) => {
      const deliveries = nodeHandler(receiver);
      return createServer((request, response) => void deliveries(request.setEncoding('utf8'), response)).listen(0, '127.0.0.1');
    });
    expect(status).toBe(500);
    expect(failures).toEqual([expect.stringContaining('setEncoding()')]);
  });
});

describe('a body whose bytes were kept', () => {
  it.each<[string, RequestHandler]>([
    ['express.raw()', express.raw({ type: '*/*' })],
    [
      'express.json() with verify',
      express.json({ verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }) }),
    ],
  ])('by %s is verified', async (_, before) => {
    expect(await delivered(expressBehind(before))).toEqual({ status: 200, text: 'Thank you.', acted: 1, failures: [] });
  });
});
