#!/usr/bin/env bash
# Package: zapier-platform-core 19.1.0, through which every integration on Zapier sends its requests.
# The good guess: z.request sends a body as the integration gives it. When a service answers 429 with Retry-After, Zapier waits as long as
#   that says, in seconds or as a date (HTTP allows both). And the flag throwForThrottlingEarly does what its description says: if true, it
#   passes 429 responses to the integration's own afterResponse.
# What is seen: if a body is an object, text in double braces is removed from every string in it: "Hello !" is sent for "Hello
#   {{first_name}}!". The same body as JSON text is sent unchanged. A date in Retry-After is lost (the delay is null). And the flag does the
#   same if true as if not set; only false passes on a 429.
# Why it matters: a note, a template or an answer to a question is booked with gaps, without an error. And requests are repeated during the
#   pause that the service has asked for.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts zapier-platform-core@19.1.0 >> npm.log 2>&1
cat > app.cjs <<'END'
const http = require('node:http');
const zapier = require('zapier-platform-core');
const waits = { '/seconds': () => '60', '/date': () => new Date(Date.now() + 60_000).toUTCString() };
const service = http.createServer((request, response) => {
  const wait = waits[request.url];
  if (wait) response.writeHead(429, { 'Retry-After': wait() });
  else response.writeHead(200, { 'Content-Type': 'application/json' });
  if (wait) response.end('{}');
  else request.pipe(response);
});
const call = async (path, body, flags) => {
  let handed = false;
  const perform = async (z) => (await z.request({ url: `http://127.0.0.1:${service.address().port}${path}`, method: 'POST', body, skipThrowForStatus: true })).data;
  const app = {
    version: '1.0.0',
    platformVersion: zapier.version,
    flags,
    afterResponse: [(response) => ((handed = true), response)],
    creates: { book: { key: 'book', noun: 'Booking', display: { label: 'Book', description: 'Books a time.' }, operation: { perform, sample: { id: 1 } } } },
  };
  try {
    const data = await zapier.createAppTester(app)(app.creates.book.operation.perform, {});
    return { handed, data };
  } catch (error) {
    return { handed, error: `${error.name}, delay ${JSON.parse(error.message).delay}` };
  }
};
const say = (line) => process.stderr.write(`${line}\n`);
service.listen(0, '127.0.0.1', async () => {
  const note = 'Hello {{first_name}}!';
  say(`an object with ${note}: ${(await call('/echo', { note })).data.note}`);
  say(`JSON text with ${note}: ${(await call('/echo', JSON.stringify({ note }))).data.note}`);
  for (const [path, throwForThrottlingEarly] of [['/seconds'], ['/date'], ['/seconds', true], ['/seconds', false]]) {
    const { handed, error = 'no error' } = await call(path, {}, throwForThrottlingEarly === undefined ? {} : { throwForThrottlingEarly });
    say(`429 with ${path.slice(1)}, flag ${throwForThrottlingEarly ?? 'not set'}: ${error}, afterResponse ${handed ? 'sees it' : 'is not asked'}`);
  }
  service.close();
});
END
# The library prints its own memory figures to standard output.
node app.cjs 2> seen > /dev/null
cat seen
cat > expected <<'END'
an object with Hello {{first_name}}!: Hello !
JSON text with Hello {{first_name}}!: Hello {{first_name}}!
429 with seconds, flag not set: ThrottledError, delay 60, afterResponse is not asked
429 with date, flag not set: ThrottledError, delay null, afterResponse is not asked
429 with seconds, flag true: ThrottledError, delay 60, afterResponse is not asked
429 with seconds, flag false: no error, afterResponse sees it
END
diff expected seen
