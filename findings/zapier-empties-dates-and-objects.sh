#!/usr/bin/env bash
# Package: zapier-platform-core 19.1.0, with whose z.request every integration on Zapier sends its requests.
# The good guess: a Date or an object in a form, or in the parameters of an address, is sent as text, as it is in a JSON body, or refused.
# What is seen: it is sent as an empty value, without an error: "from" is there and says nothing. undefined and null are sent as empty, too,
#   where a JSON body leaves out the one and keeps the other. A list comes through, as its name again and again.
# Why it matters: many services take an empty filter for no filter, so "since yesterday" lists everything, and a form that sets an answer
#   clears it. Write dates and objects as text first, and name no parameter that has no value.
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
