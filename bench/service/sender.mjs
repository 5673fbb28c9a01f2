/** Sends signed deliveries one after another from a process of its own, so that the cost of sending is not counted. */
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

const [, , prefix = '', secret = '', bytes = '1000'] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * @param {string} url
 * @returns {Promise<number>} how long it took until the answer was read, in milliseconds
 */
function deliver(url) {
  const notes = 'a'.repeat(Number(bytes));
  const created_at = new Date().toISOString();
  const body = JSON.stringify({ event: 'BOOKING_CREATED', created_at, data: { id: randomUUID(), status: 'CONFIRMED', notes } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    [`${prefix}-Signature`]: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    [`${prefix}-Event`]: 'BOOKING_CREATED',
    [`${prefix}-Delivery-ID`]: randomUUID(),
    [`${prefix}-Timestamp`]: created_at,
  };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`It was answered with ${response.statusCode}.`));
      response.resume().on('end', () => resolve(performance.now() - started));
    })
      .on('error', reject)
      .end(body);
  });
}

process.on('message', (/** @type {{ url: string, count: number }} */ { url, count }) => {
  void (async () => {
    /** @type {number[]} */
    const taken = [];
    for (let sent = 0; sent < count; sent += 1) taken.push(await deliver(url));
    process.send?.(taken);
  })();
});
