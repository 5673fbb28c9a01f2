import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/v4';

const Subscription = z.object({ subscriberUrl: z.string(), triggers: z.array(z.string()), secret: z.string() });

/** As much of Cal.com as n8n's own trigger for it needs: it accepts one webhook subscription, and signs deliveries as Cal.com does. */
export interface CalCom {
  /** The host in n8n's credential for Cal.com. */
  readonly origin: string;
  /** Sends one event about a booking, once. @returns the status of the answer, or 0 if there is none within ten seconds */
  deliver(booking: object, uid: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startCalCom(): Promise<CalCom> {
  let subscription: (z.infer<typeof Subscription> & { id: string }) | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST')
        subscription = { ...Subscription.parse(JSON.parse(Buffer.concat(chunks).toString())), id: randomUUID() };
      if (request.method === 'DELETE') subscription = undefined;
      const data = request.method === 'GET' ? [subscription].filter((each) => each !== undefined) : (subscription ?? {});
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'success', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async deliver(booking, uid) {
      if (subscription === undefined) throw new Error("n8n's Cal.com trigger has not subscribed.");
      const body = JSON.stringify({ triggerEvent: 'BOOKING_CREATED', createdAt: new Date().toISOString(), payload: { ...booking, uid } });
      const signature = createHmac('sha256', subscription.secret).update(body).digest('hex');
      try {
        const response = await fetch(subscription.subscriberUrl, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'x-cal-signature-256': signature },
          signal: AbortSignal.timeout(10_000),
        });
        await response.body?.cancel();
        return response.status;
      } catch (error) {
        // `instanceof` does not work: inside jest, Node's own errors are not instances of the test's `Error`.
        if (typeof error === 'object' && error !== null && 'name' in error) return 0;
        throw error;
      }
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
