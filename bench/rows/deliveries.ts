import { fork } from 'node:child_process';
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createReceiver, nodeHandler } from '../../sdk/webhooks/index.ts';
import { brand } from '../../shared/brand.ts';
import { root } from '../../tools/root.cjs';
import { compareRounds, compareTotals, costsOfPaths } from '../harness/compare.ts';
import { against, atMost, type Line } from '../harness/lines.ts';
import { median } from '../harness/statistics.ts';
import type { Row } from './index.ts';

const secret = 'whsec_the-secret-of-this-subscription';
const runs = 300;
const rounds = 80;

const same = 'by hand, the same promises';
const least = 'by hand, the least';
const keeps =
  'This server bounds the length and the time of the body, verifies, remembers the last 10,000 deliveries under a key that may be stored, waits for the code, and lets the service try again if the code fails. Its code gets the same event: a record whose fields have their types, with the fields for people, and the key of the change. Only ours also reads other forms of the body and of the headers.';
const leavesOut =
  'This server waits minutes for a slow body, loses a delivery if the code fails, and stops if a signed body is not JSON. So the line has no target.';
const most = 1024 * 1024;
const more =
  'Reading the request, the HMAC, the keys and the answer cost the same on both sides. The rest costs a few microseconds more, because ours reads every form of the body and of the headers.';

/** The last deliveries, at least 10,000: a server that runs for years must not remember for years. */
function memory(): { has: (key: string) => boolean; add: (key: string) => void } {
  let [taken, before] = [new Set<string>(), new Set<string>()];
  return {
    has: (key) => taken.has(key) || before.has(key),
    add: (key) => {
      if (taken.size >= 10_000) [taken, before] = [new Set(), taken];
      taken.add(key);
    },
  };
}

const signatureHeader = `${brand.headerPrefix}-Signature`.toLowerCase();

function isGenuine(body: Buffer, signature: string): boolean {
  const given = Buffer.from(signature);
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The least that is safe against strangers: bounded, in constant time, and each delivery once. Nothing that it calls may fail or wait. */
function barest(): RequestListener {
  const taken = memory();
  const receive = (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    const signature = String(request.headers[signatureHeader] ?? '');
    if (!isGenuine(body, signature)) {
      response.writeHead(401).end();
      return;
    }
    const { event, data } = JSON.parse(body.toString('utf8')) as { event: string; data: { id: string } };
    // One address receives all events, and only some of them are waited for.
    if (event === 'BOOKING_CREATED' && !taken.has(signature)) handled.push(data.id);
    taken.add(signature);
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

/**
 * A delivery as code by hand passes it on: a record whose fields have their types, with the invitee's names and the list of answers; a key
 * that may be stored, because it is not the signature itself; and the key of the change, which a poll gives, too.
 */
interface HandMade {
  event: string;
  record: Record<string, unknown> & { id: string };
  key: string;
  change: string;
}

function recordByHand(data: Record<string, unknown>, id: string): HandMade['record'] {
  const record: HandMade['record'] = { ...data, id };
  for (const field of Object.keys(data)) {
    const value = data[field];
    if (value !== null && typeof value !== 'string' && field !== 'question_responses') record[field] = JSON.stringify(value);
  }
  const { invitee_name: name, question_responses: responses } = record;
  if (typeof name === 'string') [record['invitee_first_name'], record['invitee_last_name']] = name.split(' ', 2);
  record['answers'] = Object.entries(responses ?? {}).map(([question, answer]: [string, unknown]) => ({ question, answer }));
  return record;
}

/**
 * The same promises as the handler, written by hand for one subscription and its bookings: a body that is too long, too slow, broken off,
 * compressed or not JSON is refused, each with its status. The code is waited for. If it fails, the service sends again, and a repeat
 * during the first try is told to come later.
 */
function samePromises(): RequestListener {
  const taken = memory();
  const busy = new Set<string>();
  const handle = async ({ event, record }: HandMade): Promise<void> => {
    if (event === 'BOOKING_CREATED') handled.push(record.id);
  };
  const opened = (signature: string, body: Buffer): HandMade | undefined => {
    try {
      const { event, data } = JSON.parse(body.toString('utf8')) as { event?: unknown; data?: Record<string, unknown> };
      const id = data?.['id'];
      if (typeof event !== 'string' || data === undefined || typeof id !== 'string') return undefined;
      const key = hash('sha256', `sub_1 ${signature}`);
      const change = hash('sha256', `${event} ${id}`);
      return { event, record: recordByHand(data, id), key, change };
    } catch {
      return undefined;
    }
  };
  const receive = async (signature: string, body: Buffer): Promise<number> => {
    if (!isGenuine(body, signature)) return 401;
    const delivery = opened(signature, body);
    if (delivery === undefined) return 400;
    const { key } = delivery;
    if (busy.has(key)) return 503;
    if (taken.has(key)) return 200;
    busy.add(key);
    try {
      await handle(delivery);
      taken.add(key);
      return 200;
    } catch (error) {
      console.error(error);
      return 500;
    } finally {
      busy.delete(key);
    }
  };
  return (request, response) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const answer = (status: number): void => {
      isOver = true;
      clearTimeout(timer);
      const text = STATUS_CODES[status] ?? '';
      response.writeHead(status, { 'content-type': 'text/plain', 'content-length': text.length, 'cache-control': 'no-store' }).end(text);
    };
    const timer = setTimeout(() => answer(408), 10_000);
    if (request.method !== 'POST') return answer(405);
    if (request.headers['content-encoding'] !== undefined) return answer(415);
    request.on('data', (piece: Buffer) => {
      if (isOver) return;
      size += piece.length;
      if (size > most) answer(413);
      else pieces.push(piece);
    });
    request.on('error', () => clearTimeout(timer));
    request.on('close', () => clearTimeout(timer));
    request.on('end', () => {
      if (isOver) return;
      clearTimeout(timer);
      void receive(String(request.headers[signatureHeader] ?? ''), Buffer.concat(pieces)).then(answer);
    });
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
        { name: same, ...(await listening(samePromises())) },
        { name: least, ...(await listening(barest())) },
        { name: 'ours', ...(await listening(ours())) },
      ];
      const waited: Record<string, number[]> = {};
      const deliver = async (name: string, url: string): Promise<void> => {
        handled.length = 0;
        sender.send({ url, count: runs });
        const [taken] = (await once(sender, 'message')) as [number[]];
        (waited[name] ??= []).push(median(taken) * 1e6);
        if (handled.length !== runs) throw new Error(`Of ${runs} deliveries ${handled.length} were acted on.`);
      };
      try {
        const costs = await costsOfPaths(
          served.map(({ name, url }) => ({ name, run: () => deliver(name, url) })),
          // Only after some ten thousand deliveries has the engine compiled all ways; until then it is the compiler that is compared.
          { rounds, warmUp: 60 },
        );
        const sent = Object.fromEntries(Object.entries(waited).map(([name, all]) => [name, all.slice(-rounds)]));
        lines.push(
          against({
            what: `a delivery of ${bytes / 1000} KB, from sending to the answer`,
            comparison: compareRounds(sent),
            peer: same,
            unit: 'us',
            target: atMost(1.1),
          }),
        );
        const what = `a delivery of ${bytes / 1000} KB, processor time of the server`;
        const judged = { what, unit: 'us' } as const;
        // Of one delivery, in nanoseconds.
        const each = Object.fromEntries(Object.entries(costs).map(([name, own]) => [name, own.map((cost) => (cost * 1e6) / runs)]));
        const comparison = compareTotals(each);
        lines.push(
          against({ ...judged, comparison, peer: same, target: atMost(1.1), note: keeps, limit: more }),
          against({ ...judged, comparison, peer: least, note: leavesOut }),
        );
      } finally {
        sender.kill();
        for (const { server } of served) server.close();
      }
    }
    return lines;
  },
};
