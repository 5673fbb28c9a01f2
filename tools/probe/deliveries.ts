import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assumptions, deliveryBody } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { readRecord } from '../../shared/records/records.ts';
import { isObject } from '../../shared/values.ts';
import { verifyDelivery } from '../../shared/webhooks/delivery.ts';
import type { Findings } from './findings.ts';
import type { Probing } from './wire.ts';

const WITHIN_MS = 20_000;
const STEP_MS = 500;

const headerOf = ({ headers }: Received, name: string): string =>
  [headers[`${brand.headerPrefix}-${name}`.toLowerCase()] ?? ''].flat()[0] ?? '';

/** Waits for a matching delivery; `undefined` if none arrives within twenty seconds. */
export async function awaitDelivery(
  receiver: Receiver,
  { sleep }: Probing,
  fits: (received: Received) => boolean,
): Promise<Received | undefined> {
  for (let waited = 0; waited <= WITHIN_MS; waited += STEP_MS) {
    const found = receiver.received.find(fits);
    if (found !== undefined) return found;
    await sleep(STEP_MS);
  }
  return undefined;
}

export const isEvent =
  (event: string) =>
  (received: Received): boolean =>
    headerOf(received, 'Event') === event || bodyOf(received)?.[deliveryBody.eventKey] === event;

/** Where a delivery has its record, how it names its event (G13), and whether its signature is valid, which is documented. */
export function judgeDelivery(findings: Findings, received: Received, secret: string): void {
  const opened = verifyDelivery(
    { rawBody: received.body, headers: received.headers },
    { secret, events: eventRows.map(({ name }) => name), subscriptionId: 'probe', now: 0 },
  );
  if (opened.outcome !== 'accepted') {
    findings.note('deliveryBody', 'differs', `a delivery was not accepted: ${opened.message}`);
    return;
  }
  findings.note('secretEncoding', 'as assumed', 'deliveries are signed with the secret as it came');
  const body = bodyOf(received) ?? {};
  const key = [...deliveryBody.recordKeys, 'booking'].find((each) => readRecord('booking', body[each]) !== undefined);
  findings.judge(
    'deliveryBody',
    key === deliveryBody.recordKeys[0],
    key === undefined ? 'the record is the body itself' : `the record is under "${key}"`,
  );
  const named = body[deliveryBody.eventKey];
  if (named === opened.event) findings.note('deliveryBody', 'as assumed', 'the body names the event');
  else
    findings.note(
      'deliveryBody',
      'also read',
      named === undefined ? 'only the header names the event' : `the body names the event ${JSON.stringify(named).slice(0, 60)}`,
    );
}

/** Whether a delivery that was answered with 500 is sent again unchanged (G20). */
export async function judgeRetry(probing: Probing, receiver: Receiver, first: Received): Promise<void> {
  const { findings } = probing;
  const again = await awaitDelivery(
    receiver,
    probing,
    (each) => each !== first && headerOf(each, 'Delivery-ID') === headerOf(first, 'Delivery-ID'),
  );
  if (again === undefined)
    findings.note(
      'deliveryRetries',
      'differs',
      `a delivery that was answered with 500 did not come again within ${WITHIN_MS / 1000} seconds: ${assumptions.deliveryRetries.restsOn} cannot rely on it`,
    );
  else if (again.body.equals(first.body))
    findings.note('deliveryRetries', 'as assumed', 'a delivery that was answered with 500 came again with the same id and body');
  else findings.note('deliveryRetries', 'differs', 'a delivery came again with the same id and another body');
  if (again === undefined) return;
  const isSame = headerOf(again, 'Timestamp') === headerOf(first, 'Timestamp');
  findings.judge('timestampHeader', isSame, 'a repeated delivery has the same timestamp', 'a repeated delivery has a new timestamp');
}

function bodyOf({ body }: Received): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The status that it was answered with. */
  status: 200 | 500;
}

/** A server that receives deliveries. */
export interface Receiver {
  /** The port on this machine that it listens on. */
  port: number;
  received: Received[];
  /** Answers the next delivery with 500, to see whether it is sent again. */
  failNext(): void;
  close(): Promise<void>;
}

/** @param port 0 uses any free port */
export async function startReceiver(port: number): Promise<Receiver> {
  const received: Received[] = [];
  let failing = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = failing ? 500 : 200;
      failing = false;
      received.push({ headers: request.headersDistinct, body: Buffer.concat(chunks), status });
      response.writeHead(status, { connection: 'close' }).end();
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    failNext: () => {
      failing = true;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
