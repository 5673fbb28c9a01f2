#!/usr/bin/env bash
# Packages: got 14.6.6 (which caches with cacheable-request) and axios-cache-interceptor 1.12.3 (with axios 1.21.1), compared with
#   make-fetch-happen 15.0.6 and undici 7.30.2.
# The good guess: a client that caches responses as long as the service allows (Cache-Control: max-age) drops those for a URL after changing
#   the resource there itself. Every cache must (RFC 9111, 4.4: after a successful POST, PUT or DELETE it "MUST invalidate").
# What is seen: the first two keep answering from the cache (max-age=60): the list lacks the booking that the same client has just made, and
#   the booking that it cancelled is still "confirmed". The other two ask the service again.
# Why it matters: an assistant or job books, checks, does not see the booking and books again; a cancelled booking is taken for valid. It
#   happens only with services that allow a minute of caching, and has passed when somebody looks for the fault.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts got@14.6.6 axios@1.21.1 axios-cache-interceptor@1.12.3 make-fetch-happen@15.0.6 undici@7.30.2 >> npm.log 2>&1
cat > caches.mjs <<'END'
import http from 'node:http';
import axios from 'axios';
import { setupCache } from 'axios-cache-interceptor';
import got from 'got';
import fetcher from 'make-fetch-happen';
import { Agent, fetch, interceptors } from 'undici';
let bookings;
const service = http.createServer((request, response) => {
  request.resume();
  const id = request.url.split('/')[2];
  if (request.method === 'POST') bookings.push('confirmed');
  if (request.method === 'DELETE') bookings[id] = 'cancelled';
  const answer = { says: id ? bookings[id] : `${bookings.length} bookings` };
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=60' }).end(JSON.stringify(answer));
});
await new Promise((ready) => service.listen(0, '127.0.0.1', ready));
const list = `http://127.0.0.1:${service.address().port}/bookings`;
const cached = got.extend({ cache: new Map(), responseType: 'json' });
const client = setupCache(axios.create());
const fetched = fetcher.defaults({ cachePath: 'kept' });
const dispatcher = new Agent().compose(interceptors.cache());
const clients = {
  got: async (method, url) => (await cached(url, { method })).body,
  'axios-cache-interceptor': async (method, url) => (await client({ method, url })).data,
  'make-fetch-happen': async (method, url) => (await fetched(url, { method })).json(),
  undici: async (method, url) => (await fetch(url, { method, dispatcher })).json(),
};
for (const [name, send] of Object.entries(clients)) {
  bookings = ['confirmed'];
  const look = async () => `${(await send('GET', list)).says}, the first is ${(await send('GET', `${list}/0`)).says}`;
  const before = await look();
  await send('POST', list);
  await send('DELETE', `${list}/0`);
  console.log(`${name}: ${before}; after one more and a cancellation: ${await look()}`);
}
service.close();
service.closeAllConnections();
END
node caches.mjs > seen
cat seen
cat > expected <<'END'
got: 1 bookings, the first is confirmed; after one more and a cancellation: 1 bookings, the first is confirmed
axios-cache-interceptor: 1 bookings, the first is confirmed; after one more and a cancellation: 1 bookings, the first is confirmed
make-fetch-happen: 1 bookings, the first is confirmed; after one more and a cancellation: 2 bookings, the first is cancelled
undici: 1 bookings, the first is confirmed; after one more and a cancellation: 2 bookings, the first is cancelled
END
diff expected seen
