#!/usr/bin/env bash
# Packages: node-ical 0.27.2 (with temporal-polyfill 1.0.8), compared with ical.js 2.2.1 and ts-ics 2.4.6.
# The good guess: a file may hold several calendars, one after the other (RFC 5545, 3.4: "sequentially grouped together"), as when a person
#   exports all their calendars. A parser returns the events of all of them, or rejects the file.
# What is seen: node-ical silently returns only the events of the last calendar, in its asynchronous form as well. The other two return all.
# Why it matters: of work, family and travel, only travel blocks time; slots that clash with the rest are offered and booked. If the last
#   calendar has no events, the person is always free. A file with one calendar works. Split the file at END:VCALENDAR first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node-ical@0.27.2 temporal-polyfill@1.0.8 ical.js@2.2.1 ts-ics@2.4.6 >> npm.log 2>&1
cat > calendars.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
const event = (name, hour) => ['BEGIN:VEVENT', `UID:${name}@example.com`, 'DTSTAMP:20300101T000000Z', `DTSTART:20300131T${hour}0000Z`, 'DURATION:PT1H', `SUMMARY:${name}`, 'END:VEVENT'];
const calendar = (...events) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example.com//EN', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
const readers = {
  'node-ical': (text) => Object.values(nodeIcal.sync.parseICS(text)).filter(({ type }) => type === 'VEVENT'),
  'node-ical, async': async (text) => Object.values(await nodeIcal.async.parseICS(text)).filter(({ type }) => type === 'VEVENT'),
  'ical.js': (text) => {
    const parsed = ICAL.parse(text);
    return (typeof parsed[0] === 'string' ? [parsed] : parsed).flatMap((one) => new ICAL.Component(one).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each)));
  },
  'ts-ics': (text) => convertIcsCalendar(undefined, text).events ?? [],
};
const [work, family, travel] = [event('work', '09'), event('family', '17'), event('travel', '20')];
for (const [says, text] of [
  ['one calendar', calendar(work, family, travel)],
  ['three calendars', calendar(work) + calendar(family) + calendar(travel)],
  ['two, of which the last is empty', calendar(work, family) + calendar(['BEGIN:VTODO', 'UID:t@example.com', 'DTSTAMP:20300101T000000Z', 'END:VTODO'])],
])
  for (const [name, read] of Object.entries(readers)) console.log(`${says}, ${name}: ${(await read(text)).map(({ summary }) => summary).join(', ') || 'nothing'}`);
END
node calendars.mjs > seen
cat seen
cat > expected <<'END'
one calendar, node-ical: work, family, travel
one calendar, node-ical, async: work, family, travel
one calendar, ical.js: work, family, travel
one calendar, ts-ics: work, family, travel
three calendars, node-ical: travel
three calendars, node-ical, async: travel
three calendars, ical.js: work, family, travel
three calendars, ts-ics: work, family, travel
two, of which the last is empty, node-ical: nothing
two, of which the last is empty, node-ical, async: nothing
two, of which the last is empty, ical.js: work, family
two, of which the last is empty, ts-ics: work, family
END
diff expected seen
