#!/usr/bin/env bash
# Packages: two readers of calendar files, ical.js 2.2.1 and node-ical 0.27.2 (with temporal-polyfill 1.0.8, which it asks for).
# The good guess: in a DURATION, RFC 5545 counts days and weeks on the clock, and hours as elapsed time. Across a clock change, P1D ends at
#   the same local time, and PT24H ends 24 hours later. A reader gets both right, or neither.
# What is seen: across a clock change, each is right where the other is wrong. ical.js counts hours on the clock: PT24H lasts 23 hours in
#   spring, and PT2H lasts 3 hours in autumn. node-ical counts a day as 24 hours: P1D and P2W end an hour late on the clock.
# Why it matters: the end of a shift or a stay is an hour off on two nights a year, so a slot next to it is wrongly offered or withheld.
#   Changing the reader moves the fault to other files. With DTEND instead of DURATION both agree.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > lengths.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
const season = (kind, start, from, to, month, week) =>
  [`BEGIN:${kind}`, `DTSTART:${start}T020000`, `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${week}SU`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${kind}`];
const zone = ['BEGIN:VTIMEZONE', 'TZID:America/New_York', ...season('DAYLIGHT', '20070311', '-0500', '-0400', 3, 2), ...season('STANDARD', '20071104', '-0400', '-0500', 11, 1), 'END:VTIMEZONE'];
const calendar = (lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...zone, 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Shift', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const show = (date) => date.toISOString().slice(5, 16) + 'Z';
for (const [start, end] of [
  ['20300309T090000', 'DURATION:P1D'],
  ['20300309T090000', 'DURATION:P2W'],
  ['20300309T090000', 'DURATION:PT24H'],
  ['20301103T003000', 'DURATION:PT2H'],
  ['20300309T090000', 'DTEND;TZID=America/New_York:20300310T090000'],
]) {
  const text = calendar([`DTSTART;TZID=America/New_York:${start}`, end]);
  const parsed = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.register(parsed.getFirstSubcomponent('vtimezone'));
  const one = new ICAL.Event(parsed.getFirstSubcomponent('vevent'));
  const two = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
  console.log(`${show(two.start)} ${end.replace(/.*:/, '')}: ical.js ${show(one.endDate.toJSDate())}, node-ical ${show(two.end)}`);
}
END
TZ=UTC node lengths.mjs > seen
cat seen
cat > expected <<'END'
03-09T14:00Z P1D: ical.js 03-10T13:00Z, node-ical 03-10T14:00Z
03-09T14:00Z P2W: ical.js 03-23T13:00Z, node-ical 03-23T14:00Z
03-09T14:00Z PT24H: ical.js 03-10T13:00Z, node-ical 03-10T14:00Z
11-03T04:30Z PT2H: ical.js 11-03T07:30Z, node-ical 11-03T06:30Z
03-09T14:00Z 20300310T090000: ical.js 03-10T13:00Z, node-ical 03-10T13:00Z
END
diff expected seen
