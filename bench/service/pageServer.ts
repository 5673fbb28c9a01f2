/**
 * A list of bookings that costs its server next to nothing, in a process of its own, so that what is measured is the client alone:
 * `http://127.0.0.1:PORT/<pages>/api/v1/bookings` has that many pages of a hundred.
 */
import { createServer } from 'node:http';
import { bookingOf } from './bookings.ts';

const pageSize = 100;
const place = '#page#';
const records = Array.from({ length: pageSize }, (_, index) => bookingOf(index * 7, `bkg_${String(index).padStart(3, '0')}${place}`));
const [before = '', ...after] = JSON.stringify(records).split(place);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const pages = Number(pathname.split('/')[1]);
  const page = Number(searchParams.get('cursor') ?? 0);
  const next = page + 1 < pages ? `"${page + 1}"` : 'null';
  const body = `{"data":${before}${after.map((text) => String(page).padStart(6, '0') + text).join('')},"next_cursor":${next}}`;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.once('disconnect', () => process.exit());
