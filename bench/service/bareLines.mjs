// The minimum that a second process costs: it reads a line, makes the bare request and writes a line. It does not check the protocol.
import { createInterface } from 'node:readline';

const { BASE_URL, TOKEN } = process.env;

/** @param {{ arguments?: Record<string, unknown> }} params */
async function call(params) {
  const response = await fetch(`${BASE_URL}/bookings/${String(params.arguments?.['booking_id'])}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const text = await response.text();
  return { content: [{ type: 'text', text }], structuredContent: /** @type {unknown} */ (JSON.parse(text)) };
}

/** @param {string} line */
async function answer(line) {
  /** @type {unknown} */
  const read = JSON.parse(line);
  const { id, method, params } = /** @type {{ id?: number; method: string; params: object }} */ (read);
  if (id === undefined) return;
  const result = method === 'tools/call' ? await call(params) : {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => void answer(line));
