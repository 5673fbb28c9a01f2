#!/usr/bin/env bash
# Package: cloudevents 10.0.0, with which services send webhooks as CloudEvents, and receivers read them.
# The good guess: an event has the same content in both HTTP forms of the standard: one JSON document (structured), or attributes in headers
#   (binary). An attribute that is not sent, such as the time, is missing.
# What is seen: an event without a time gets the receiver's current time, so a different one at each delivery. A time with an offset is
#   converted to UTC and loses its microseconds. The data false or 0 is lost in structured form, and is a string in binary form. Data of
#   type application/vnd.x+json is an object in structured form, and a string in binary form.
# Why it matters: code that detects repeats or sorts by time takes a repeat for a new event, and the last to arrive for the last to happen.
#   An event whose data is just false ("not paid") arrives empty. Identify a delivery by source and id alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cloudevents@10.0.0 >> npm.log 2>&1
cat > events.cjs <<'END'
const { HTTP } = require('cloudevents');
const own = { id: 'evt_1', source: '/bookings', type: 'booking.paid', specversion: '1.0' };
const structured = (more) => HTTP.toEvent({ headers: { 'content-type': 'application/cloudevents+json' }, body: JSON.stringify({ ...own, ...more }) });
const binary = ({ data, datacontenttype = 'application/json', ...more }) => {
  const headers = Object.fromEntries(Object.entries({ ...own, ...more }).map(([name, value]) => [`ce-${name}`, value]));
  return HTTP.toEvent({ headers: { ...headers, 'content-type': datacontenttype }, body: JSON.stringify(data) });
};
const forms = { structured, binary };
const shown = (data) => (typeof data === 'string' ? `the text ${data}` : JSON.stringify(data) ?? 'nothing');
const said = (time) => (Math.abs(Date.parse(time) - Date.now()) < 60_000 ? "the receiver's clock" : time);
for (const [name, read] of Object.entries(forms)) {
  console.log(`${name}, no time: ${said(read({ data: {} }).time)}`);
  console.log(`${name}, 18:00:00.123456+09:00: ${said(read({ time: '2030-01-31T18:00:00.123456+09:00', data: {} }).time)}`);
  for (const data of [true, false, 7, 0]) console.log(`${name}, data ${data}: ${shown(read({ data }).data)}`);
  console.log(`${name}, +json: ${shown(read({ data: { id: 1 }, datacontenttype: 'application/vnd.x+json' }).data)}`);
}
END
node events.cjs > seen
cat seen
cat > expected <<'END'
structured, no time: the receiver's clock
structured, 18:00:00.123456+09:00: 2030-01-31T09:00:00.123Z
structured, data true: true
structured, data false: nothing
structured, data 7: 7
structured, data 0: nothing
structured, +json: {"id":1}
binary, no time: the receiver's clock
binary, 18:00:00.123456+09:00: 2030-01-31T09:00:00.123Z
binary, data true: the text true
binary, data false: the text false
binary, data 7: the text 7
binary, data 0: the text 0
binary, +json: the text {"id":1}
END
diff expected seen
