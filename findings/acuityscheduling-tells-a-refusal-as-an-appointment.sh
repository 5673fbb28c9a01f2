#!/usr/bin/env bash
# Package: acuityscheduling 0.1.9, the service's own package for Node.js. A local stand-in answers the requests.
# The good guess: when the service refuses a request, the callback receives an error. The package's readme does `if (err) return
#   console.error(err)` and then uses the result.
# What is seen: for every HTTP response tested, the error is null. If the time is taken (400), the key is wrong (401) or the service fails
#   (500), the error body is passed where the appointment should be; a proxy's 502 page is passed there as a string.
# Why it matters: "your appointment is booked" goes out for an appointment that does not exist, with "undefined" as its number. A list of
#   appointments that the key may not read counts as a day without any. Check the status of the second argument first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts acuityscheduling@0.1.9 >> npm.log 2>&1
cat > book.cjs <<'END'
const http = require('node:http');
const Acuity = require('acuityscheduling');
const answers = [
  ['booked', 200, { id: 54321, datetime: '2030-01-31T09:00:00-0500' }],
  ['taken by another', 400, { status_code: 400, message: 'The time "2030-01-31 09:00" is not available.', error: 'not_available' }],
  ['a wrong key', 401, { status_code: 401, message: 'Unauthorized', error: 'unauthorized' }],
  ['a fault of the service', 500, { status_code: 500, message: 'Internal Server Error', error: 'internal_server_error' }],
  ['a page of a proxy', 502, '<h1>Bad gateway</h1>'],
];
let at = 0;
const service = http.createServer((request, response) => {
  const [, status, body] = answers[at];
  request.resume().on('end', () => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)));
});
service.listen(0, '127.0.0.1', async () => {
  const acuity = Acuity.basic({ userId: 1, apiKey: 'key', base: `http://127.0.0.1:${service.address().port}` });
  const body = { datetime: '2030-01-31T09:00:00-0500', appointmentTypeID: 1, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  for (const [what] of answers) {
    await new Promise((done) =>
      acuity.request('/appointments', { method: 'POST', body }, (error, _, appointment) => {
        console.log(`${what}: error ${error}, ${error ? 'not booked' : `booked as ${appointment.id}`} (${typeof appointment})`);
        done();
      }),
    );
    at += 1;
  }
  service.closeAllConnections();
  service.close();
});
END
node book.cjs 2> complaints.log > seen
cat seen
cat > expected <<'END'
booked: error null, booked as 54321 (object)
taken by another: error null, booked as undefined (object)
a wrong key: error null, booked as undefined (object)
a fault of the service: error null, booked as undefined (object)
a page of a proxy: error null, booked as undefined (string)
END
diff expected seen
