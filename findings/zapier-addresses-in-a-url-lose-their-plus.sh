#!/usr/bin/env bash
# Package: zapier-platform-core 19.1.0, through which every integration on Zapier sends its requests.
# The good guess: {{bundle.inputData.email}} in the URL of a request, or in a form body given as text, is inserted as a value:
#   percent-encoded, as it is under "params".
# What is seen: it is inserted unencoded, and the URL is parsed afterwards. "ada+work@example.com" arrives with a space instead of the plus,
#   a time loses the plus sign of its offset, and "a&b@example.com" becomes "a" and another parameter. With params, all values arrive.
# Why it matters: a search for a person finds nobody, so "find or create" creates another one at every run, or it finds somebody else; a
#   filter by time is rejected, or ignored by services that skip what they cannot parse. Ordinary addresses work, so no test shows it. Use
#   params.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts zapier-platform-core@19.1.0 >> npm.log 2>&1
cat > app.cjs <<'END'
const http = require('node:http');
const zapier = require('zapier-platform-core');
const service = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const read = new URLSearchParams(body || new URL(request.url, 'http://any').search);
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify([{ id: 1, read: [...read] }]));
});
service.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${service.address().port}/bookings`;
  const [email, start] = ['{{bundle.inputData.email}}', '{{bundle.inputData.start}}'];
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const ways = {
    'in the address': { url: `${url}?email=${email}&start=${start}` },
    'in a form as text': { method: 'POST', url, headers, body: `email=${email}&start=${start}` },
    'under params': { url, params: { email, start } },
  };
  const searches = Object.fromEntries(
    Object.entries(ways).map(([key, perform]) => [
      key,
      { key, noun: 'Booking', display: { label: 'Find Booking', description: 'Finds a booking.' }, operation: { perform, sample: { id: 1 } } },
    ]),
  );
  const App = { version: '1.0.0', platformVersion: zapier.version, searches };
  const test = zapier.createAppTester(App);
  for (const inputData of [
    { email: 'ada@example.com', start: '2030-01-31T08:00:00Z' },
    { email: 'ada+work@example.com', start: '2030-01-31T09:00:00+01:00' },
    { email: 'a&b@example.com', start: '2030-01-31T08:00:00Z' },
  ])
    for (const [key, { operation }] of Object.entries(App.searches)) {
      const [{ read }] = await test(operation.perform, { inputData });
      console.log(`seen by the service, ${key}: ${read.map(([name, value]) => `${name} "${value}"`).join(', ')}`);
    }
  service.close();
  service.closeAllConnections();
});
END
node app.cjs > said 2>&1
grep '^seen' said > seen
cat seen
cat > expected <<'END'
seen by the service, in the address: email "ada@example.com", start "2030-01-31T08:00:00Z"
seen by the service, in a form as text: email "ada@example.com", start "2030-01-31T08:00:00Z"
seen by the service, under params: email "ada@example.com", start "2030-01-31T08:00:00Z"
seen by the service, in the address: email "ada work@example.com", start "2030-01-31T09:00:00 01:00"
seen by the service, in a form as text: email "ada work@example.com", start "2030-01-31T09:00:00 01:00"
seen by the service, under params: email "ada+work@example.com", start "2030-01-31T09:00:00+01:00"
seen by the service, in the address: email "a", b@example.com "", start "2030-01-31T08:00:00Z"
seen by the service, in a form as text: email "a", b@example.com "", start "2030-01-31T08:00:00Z"
seen by the service, under params: email "a&b@example.com", start "2030-01-31T08:00:00Z"
END
diff expected seen
