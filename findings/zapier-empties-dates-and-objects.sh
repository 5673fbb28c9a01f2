#!/usr/bin/env bash
# Package: zapier-platform-core 19.1.0, whose z.request sends the requests of every integration on Zapier.
# The good guess: a Date or an object in a form, or in the query parameters, is sent as text, as in a JSON body, or rejected.
# What is seen: it is sent as an empty value, without an error: "from=". undefined and null are also sent as empty, where a JSON body omits
#   the first and keeps the second. A list works: its name is repeated for each value.
# Why it matters: many services treat an empty filter as no filter, so "since yesterday" lists everything, and a form that sets an answer
#   clears it. Convert dates and objects to text first, and pass no parameter without a value.
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
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ sent: decodeURIComponent(body || request.url) }));
});
const values = { from: new Date('2030-01-31T09:00:00Z'), where: { type: 'phone' }, tag: ['a', 'b'], note: null, until: undefined };
const perform = async (z, { inputData: { options } }) => (await z.request({ url: `http://127.0.0.1:${service.address().port}/`, ...options() })).data;
const App = { version: '1.0.0', platformVersion: zapier.version, creates: { send: { key: 'send', noun: 'It', display: { label: 'Send', description: 'Sends.' }, operation: { perform } } } };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
service.listen(0, '127.0.0.1', async () => {
  for (const [says, options] of [
    ['JSON', () => ({ method: 'POST', body: values })],
    ['form', () => ({ method: 'POST', headers: form, body: values })],
    ['parameters', () => ({ params: values })],
  ]) {
    const { sent } = await zapier.createAppTester(App)((z, bundle) => perform(z, { ...bundle, inputData: { options } }), {});
    console.log(`seen by the service, ${says}: ${sent}`);
  }
  service.close();
  service.closeAllConnections();
});
END
node app.cjs > said 2>&1
grep '^seen' said > seen
cat seen
cat > expected <<'END'
seen by the service, JSON: {"from":"2030-01-31T09:00:00.000Z","where":{"type":"phone"},"tag":["a","b"],"note":null}
seen by the service, form: from=&where=&tag=a&tag=b&note=&until=
seen by the service, parameters: /?from=&where=&tag=a&tag=b&note=&until=
END
diff expected seen
