import { fork } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createReceiver, nodeHandler } from '../../sdk/webhooks/index.ts';
import { brand } from '../../shared/brand.ts';
import { root } from '../../tools/root.cjs';
import { compareTotals, costsOfPaths } from '../harness/compare.ts';
import { against, atMost, type Line } from '../harness/lines.ts';
import type { Row } from './index.ts';

const secret = 'whsec_the-secret-of-this-subscription';
const runs = 300;
const most = 1024 * 1024;

/** What somebody writes who does it carefully and without the package: bounded, in constant time, and each delivery once. */
function byHand(): RequestListener {
  // Bounded, because a server that runs for years must not remember for years: the last 10,000 at least.
  let [taken, before] = [new Set<string>(), new Set<string>()];
  const remembered = 10_000;
  const name = `${brand.headerPrefix}-Signature`.toLowerCase();
  const receive = (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    const given = Buffer.from(String(request.headers[name] ?? ''));
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      response.writeHead(401).end();
      return;
    }
    const { event, data } = JSON.parse(body.toString('utf8')) as { event: string; data: { id: string } };
    const key = given.toString('latin1');
    // One address receives all events, and only some of them are waited for.
    if (event === 'BOOKING_CREATED' && !taken.has(key) && !before.has(key)) handled.push(data.id);
    if (taken.size >= remembered) [taken, before] = [new Set(), taken];
    taken.add(key);
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Thank you.');
  };
  return (request, response) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > most) request.destroy();
      else pieces.push(piece);
    });
    request.on('end', () => receive(request, response, Buffer.concat(pieces)));
  };
}

const handled: string[] = [];

function ours(): RequestListener {
  const receiver = createReceiver({ subscription: { id: 'sub_1', signing_secret: secret } }).on('BOOKING_CREATED', ({ record }) => {
    handled.push(record.id);
  });
  const deliveries = nodeHandler(receiver);
  return (request, response) => void deliveries(request, response);
}

async function listening(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/deliveries` };
}

export const deliveries: Row = {
  name: 'deliveries',
  title: 'A delivery through the handler for node:http',
  async run() {
    const lines: Line[] = [];
    for (const bytes of [1_000, 100_000]) {
      const sender = fork(join(root, 'bench', 'service', 'sender.mjs'), [brand.headerPrefix, secret, String(bytes)]);
      const served = [
        { name: 'by hand', ...(await listening(byHand())) },
        { name: 'ours', ...(await listening(ours())) },
      ];
      const deliver = async (url: string): Promise<void> => {
        handled.length = 0;
        sender.send({ url, count: runs });
        await once(sender, 'message');
        if (handled.length !== runs) throw new Error(`Of ${runs} deliveries ${handled.length} were acted on.`);
      };
      try {
        const costs = await costsOfPaths(
          served.map(({ name, url }) => ({ name, run: () => deliver(url) })),
          { rounds: 25, warmUp: 8 },
        );
        const what = `a delivery of ${bytes / 1000} KB, processor time of the server`;
        // Of one delivery, in nanoseconds.
        const each = Object.fromEntries(Object.entries(costs).map(([name, own]) => [name, own.map((cost) => (cost * 1e6) / runs)]));
        lines.push(against({ what, comparison: compareTotals(each), peer: 'by hand', unit: 'us', target: atMost(1.1) }));
      } finally {
        sender.kill();
        for (const { server } of served) server.close();
      }
    }
    return lines;
  },
};
