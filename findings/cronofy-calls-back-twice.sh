#!/usr/bin/env bash
# Package: cronofy 3.8.4, the service's own package for Node.js. A local stand-in answers the requests.
# The good guess: a callback is called once, with an error or with the result. An error in the callback itself is thrown, as anywhere else.
# What is seen: if the callback throws after a success, it is called again, with its own error as the error of the request. With promises,
#   each call settles once.
# Why it matters: the event is in the calendar, then a later line of the callback fails, for example by reading a missing field, and the
#   second call says that the request failed. Code that retries on errors sends the event again, with all its invitations; code that reports
#   errors says that nothing was booked. Use promises.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cronofy@3.8.4 >> npm.log 2>&1
cat > events.cjs <<'END'
const http = require('node:http');
const Cronofy = require('cronofy');
let made = 0;
const service = http.createServer((request, response) => {
  if (request.method === 'POST') made += 1;
  request.resume().on('end', () => response.writeHead(202).end());
});
service.listen(0, '127.0.0.1', async () => {
  const client = new Cronofy({ client_id: 'id', client_secret: 'secret', access_token: 'token' });
  client.urls.api = `http://127.0.0.1:${service.address().port}`;
  const event = { calendar_id: 'cal_1', event_id: 'e1', summary: 'Intro call', start: '2030-01-31T09:00:00Z', end: '2030-01-31T09:30:00Z' };
  let tries = 0;
  const book = (done) =>
    client.createEvent(event, (error, result) => {
      console.log(`call ${(tries += 1)} back: ${error ? `the request failed (${error.message})` : 'booked'}`);
      if (error && tries < 4) return book(done);
      if (error) return done();
      if (tries === 1 || tries === 3) throw new Error('there is no mail address to write to');
      done();
    });
  await new Promise(book);
  console.log(`events that the service was sent with callbacks: ${made}`);
  made = 0;
  await client
    .createEvent(event)
    .then(() => {
      throw new Error('there is no mail address to write to');
    })
    .catch((error) => console.log(`promise: ${error.message}`));
  console.log(`events that the service was sent with a promise: ${made}`);
  service.closeAllConnections();
  service.close();
});
END
node events.cjs > seen
cat seen
cat > expected <<'END'
call 1 back: booked
call 2 back: the request failed (there is no mail address to write to)
call 3 back: booked
call 4 back: the request failed (there is no mail address to write to)
events that the service was sent with callbacks: 2
promise: there is no mail address to write to
events that the service was sent with a promise: 1
END
diff expected seen
