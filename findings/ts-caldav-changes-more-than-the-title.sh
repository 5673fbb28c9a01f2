#!/usr/bin/env bash
# Package: ts-caldav 0.3.7, a client for calendar servers (CalDAV); a small local server stands in for one, and the script shows what it
#   stores.
# The good guess: an event that is read, given another title and saved is the same event with another title.
# What is seen: a time in a zone is written as a UTC time that also names the zone (09:00 in New York is "14:00Z in New York", which RFC
#   5545, 3.2.19, forbids; a program that goes by the name reads another hour than one that goes by the Z). An all-day event is a day longer
#   with every change. "The last weekday of the month" becomes every weekday, and a moved occurrence of the series is lost.
# Why it matters: a program that corrects a typo moves a meeting by five hours for half of its attendees, shows somebody as absent for
#   another day, and puts a monthly meeting on every weekday. Single events in UTC are right, so tests pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ts-caldav@0.3.7 >> npm.log 2>&1
cat > title.mjs <<'END'
import { createServer } from 'node:http';
import { CalDAVClient } from 'ts-caldav';
let stored;
const xml = (href, props) => `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;
const home = '<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/me/</d:href></c:calendar-home-set><d:resourcetype><d:collection/></d:resourcetype><d:getetag>"1"</d:getetag>';
const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  if (request.method === 'PUT') stored = text;
  response.writeHead(request.method === 'PUT' ? 204 : 207, { 'content-type': 'application/xml', etag: '"1"' });
  response.end(request.method === 'REPORT' ? xml('/me/1.ics', `<d:getetag>"1"</d:getetag><c:calendar-data>${stored}</c:calendar-data>`) : xml('/me/', home));
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const client = await CalDAVClient.create({ baseUrl: `http://127.0.0.1:${server.address().port}`, auth: { type: 'basic', username: 'me', password: 'me' } });
const zone = ['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0500', 'END:STANDARD', 'END:VTIMEZONE'];
const event = (...lines) => ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Taxes', ...lines, 'END:VEVENT'];
const hour = (name, clock) => `${name};TZID=America/New_York:203001${clock}0000`;
for (const [name, ...events] of [
  ['in UTC', event('DTSTART:20300131T140000Z', 'DTEND:20300131T150000Z')],
  ['in a zone', event(hour('DTSTART', '31T09'), hour('DTEND', '31T10'))],
  ['a whole day', event('DTSTART;VALUE=DATE:20300131', 'DTEND;VALUE=DATE:20300201')],
  ['a series', event('DTSTART:20300131T140000Z', 'DTEND:20300131T150000Z', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'), event('RECURRENCE-ID:20300228T140000Z', 'DTSTART:20300227T140000Z', 'DTEND:20300227T150000Z')],
]) {
  stored = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...zone, ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
  for (const title of ['Taxis', 'Taxes']) {
    const [read] = await client.getEvents('/me/', { all: true });
    await client.updateEvent('/me/', { ...read, summary: title });
    const lines = stored.split(/\r?\n/).filter((line) => /^(DTSTART|DTEND|RRULE|RECURRENCE)/.test(line));
    console.log(`${name}, as ${title}: ${lines.join(' ')}`);
  }
}
server.close();
END
TZ=UTC node title.mjs > seen
cat seen
cat > expected <<'END'
in UTC, as Taxis: DTSTART:20300131T140000Z DTEND:20300131T150000Z
in UTC, as Taxes: DTSTART:20300131T140000Z DTEND:20300131T150000Z
in a zone, as Taxis: DTSTART;TZID=America/New_York:20300131T140000Z DTEND;TZID=America/New_York:20300131T150000Z
in a zone, as Taxes: DTSTART;TZID=America/New_York:20300131T140000Z DTEND;TZID=America/New_York:20300131T150000Z
a whole day, as Taxis: DTSTART;VALUE=DATE:20300131 DTEND;VALUE=DATE:20300202
a whole day, as Taxes: DTSTART;VALUE=DATE:20300131 DTEND;VALUE=DATE:20300203
a series, as Taxis: DTSTART:20300131T140000Z DTEND:20300131T150000Z RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR
a series, as Taxes: DTSTART:20300131T140000Z DTEND:20300131T150000Z RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR
END
diff expected seen
