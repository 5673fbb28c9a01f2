#!/usr/bin/env bash
# Package: tsdav 2.3.4, a client for calendar servers (CalDAV).
# The good guess: a client reads the events of a calendar that the server lists. CalDAV (RFC 4791) leaves their URLs to the server.
# What is seen: without a urlFilter, an event whose URL does not contain ".ics" is skipped in every way of reading, even if its URL is given
#   in objectUrls. It is never requested, and there is no error.
# Why it matters: many servers use such URLs, but some keep the name that a client chose. Part or all of a calendar on such a server seems
#   empty, so slots that are taken are offered. Pass a urlFilter that excludes only the calendar's own URL.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts tsdav@2.3.4 >> npm.log 2>&1
cat > calendar.mjs <<'END'
import http from 'node:http';
import { fetchCalendarObjects } from 'tsdav';
const names = ['one.ics', '2F1D-88A0', 'three'];
const event = (name) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'BEGIN:VEVENT', `UID:${name}`, 'DTSTAMP:20290101T000000Z', 'DTSTART:20300131T090000Z', 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const asked = body.includes('multiget') ? names.filter((name) => body.includes(`/calendar/${name}<`)) : names;
  const answer = (name) =>
    `<d:response><d:href>/calendar/${name}</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>${event(name)}</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
  response.writeHead(207, { 'Content-Type': 'application/xml; charset=utf-8' });
  response.end(`<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${asked.map(answer).join('')}</d:multistatus>`);
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/calendar/`;
  for (const [says, options] of [
    ['all', {}],
    ['of a month', { timeRange: { start: '2030-01-01T00:00:00Z', end: '2030-02-01T00:00:00Z' }, expand: true }],
    ['by address', { objectUrls: names.map((name) => `/calendar/${name}`) }],
    ['with an urlFilter', { urlFilter: (address) => address !== url }],
  ]) {
    const found = await fetchCalendarObjects({ calendar: { url }, ...options });
    console.log(`${says}: ${found.map((one) => one.url.replace(url, '')).join(' ')}`);
  }
  server.close();
  server.closeAllConnections();
});
END
node calendar.mjs > seen
cat seen
cat > expected <<'END'
all: one.ics
of a month: one.ics
by address: one.ics
with an urlFilter: one.ics 2F1D-88A0 three
END
diff expected seen
