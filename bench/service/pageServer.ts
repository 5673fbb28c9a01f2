/**
 * A list of bookings that is almost free to serve, in a process of its own, so that only the client is measured. Two processors are often
 * two halves of one core, so any work that the server did at the same time would slow the client down.
 * `http://127.0.0.1:PORT/<pages>/api/v1/bookings` has that many pages of a hundred.
 */
import { createServer } from 'node:http';
import { bookingOf } from './bookings.ts';

const pageSize = 100;
const place = '#page#';
const records = Array.from({ length: pageSize }, (_, index) => bookingOf(index * 7, `bkg_${String(index).padStart(3, '0')}${place}`));
const [before = '', ...after] = JSON.stringify(records).split(place);

const bodies = new Map<string, Buffer>();

function bodyOf(pages: number, page: number): Buffer {
  const next = page + 1 < pages ? `"${page + 1}"` : 'null';
  const key = `${page} ${next}`;
  const known = bodies.get(key);
  if (known !== undefined) return known;
  const body = Buffer.from(`{"data":${before}${after.map((text) => String(page).padStart(6, '0') + text).join('')},"next_cursor":${next}}`);
  bodies.set(key, body);
  return body;
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const body = bodyOf(Number(pathname.split('/')[1]), Number(searchParams.get('cursor') ?? 0));
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.once('disconnect', () => process.exit());
