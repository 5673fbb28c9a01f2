#!/usr/bin/env bash
# Package: nylas 8.4.0, the client of a calendar and booking service; a local server stands in for the service and records what it receives.
# The good guess: the client converts the service's own field names to its own style (startTime for start_time). Names that a customer
#   chose, such as the keys of a booking page's questions (additional_fields) and of metadata, are data and stay unchanged.
# What is seen: they are converted too, in both directions, and not always back to the original. The answer to address_line_1 is sent as
#   address_line__1, the one to companyName as company_name. Metadata is sent unchanged but read back as bookingId for booking_id. A page
#   that is read and saved again has other question keys.
# Why it matters: an answer has a key that no question has, so the required field is missing, or the answer is stored where nobody looks. A
#   key of one lowercase word is the same in all styles, so a test with "team" passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts nylas@8.4.0 >> npm.log 2>&1
cat > answers.cjs <<'END'
const { createServer } = require('node:http');
const Nylas = require('nylas').default;
const names = ['team', 'companyName', 'address_line_1', 'Q1 2030'];
const questions = Object.fromEntries(names.map((name) => [name, { label: name, type: 'text' }]));
let sent;
const service = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  if (text) sent = JSON.parse(text);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ request_id: '1', data: { id: 'p1', scheduler: { additional_fields: questions }, metadata: { booking_id: 'b1' } } }));
});
service.listen(0, '127.0.0.1', async () => {
  const nylas = new Nylas({ apiKey: 'key', apiUri: `http://127.0.0.1:${service.address().port}` });
  const page = { identifier: 'me', configurationId: 'p1' };
  console.log(`the page asks for: ${names.join(', ')}`);
  const answers = Object.fromEntries(names.map((name) => [name, 'an answer']));
  const guest = { name: 'Ada', email: 'ada@example.com' };
  await nylas.scheduler.bookings.create({ requestBody: { startTime: 1896080400, endTime: 1896084000, guest, additionalFields: answers }, queryParams: { configurationId: 'p1' } });
  console.log(`a booking answers: ${Object.keys(sent.additional_fields).join(', ')}`);
  const { data } = await nylas.scheduler.configurations.find(page);
  console.log(`the page is read as: ${Object.keys(data.scheduler.additionalFields).join(', ')}`);
  await nylas.scheduler.configurations.update({ ...page, requestBody: { scheduler: data.scheduler } });
  console.log(`and saved as: ${Object.keys(sent.scheduler.additional_fields).join(', ')}`);
  const when = { startTime: 1896080400, endTime: 1896084000, startTimezone: 'UTC', endTimezone: 'UTC' };
  const event = await nylas.events.create({ identifier: 'me', requestBody: { when, metadata: { booking_id: 'b1' } }, queryParams: { calendarId: 'c1' } });
  console.log(`metadata is sent as ${Object.keys(sent.metadata)} and read as ${Object.keys(event.data.metadata)}`);
  service.close();
});
END
node answers.cjs > seen
cat seen
cat > expected <<'END'
the page asks for: team, companyName, address_line_1, Q1 2030
a booking answers: team, company_name, address_line__1, q_1__2030
the page is read as: team, companyName, addressLine1, q12030
and saved as: team, company_name, address_line_1, q_12030
metadata is sent as booking_id and read as bookingId
END
diff expected seen
