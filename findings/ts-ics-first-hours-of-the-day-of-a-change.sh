#!/usr/bin/env bash
# Package: ts-ics 2.4.6, compared with ical.js 2.2.1; both read one calendar file that defines its time zone.
# The good guess: the clocks of New York change at 02:00, so a time before that has the old offset.
# What is seen: ts-ics uses the new offset for the whole day of the change. 00:30 is an hour late in autumn and an hour early in spring;
#   from 03:00 on it is right. An event that ends at midnight on the evening before is an hour too long: 90 minutes instead of 30.
# Why it matters: night shifts, and calls with people in other parts of the world, block an hour that is free and leave free one that is
#   taken. Tests at office hours of that day pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ts-ics@2.4.6 ical.js@2.2.1 >> npm.log 2>&1
cat > change.mjs <<'END'
import ICAL from 'ical.js';
import { convertIcsCalendar } from 'ts-ics';
const season = (kind, start, from, to, month, week) =>
  [`BEGIN:${kind}`, `DTSTART:${start}T020000`, `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${week}SU`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${kind}`];
const zone = ['BEGIN:VTIMEZONE', 'TZID:America/New_York', ...season('DAYLIGHT', '20070311', '-0500', '-0400', 3, 2), ...season('STANDARD', '20071104', '-0400', '-0500', 11, 1), 'END:VTIMEZONE'];
const at = (name, clock) => `${name};TZID=America/New_York:${clock}00`;
const show = (start, end) => `${start.toISOString().slice(5, 16)}Z for ${(end - start) / 60_000} minutes`;
for (const [start, end] of [
  ['20301102T2330', '20301103T0000'],
  ['20301103T0030', '20301103T0100'],
  ['20301103T0030', '20301103T0300'],
  ['20300310T0030', '20300310T0130'],
  ['20300310T0300', '20300310T0400'],
]) {
  const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Shift', at('DTSTART', start), at('DTEND', end), 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...zone, ...event, 'END:VCALENDAR', ''].join('\r\n');
  const one = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
  const [two] = convertIcsCalendar(undefined, text).events;
  console.log(`${start} to ${end}: ical.js ${show(one.startDate.toJSDate(), one.endDate.toJSDate())}, ts-ics ${show(two.start.date, two.end.date)}`);
}
END
TZ=UTC node change.mjs > seen
cat seen
cat > expected <<'END'
20301102T2330 to 20301103T0000: ical.js 11-03T03:30Z for 30 minutes, ts-ics 11-03T03:30Z for 90 minutes
20301103T0030 to 20301103T0100: ical.js 11-03T04:30Z for 90 minutes, ts-ics 11-03T05:30Z for 30 minutes
20301103T0030 to 20301103T0300: ical.js 11-03T04:30Z for 210 minutes, ts-ics 11-03T05:30Z for 150 minutes
20300310T0030 to 20300310T0130: ical.js 03-10T05:30Z for 60 minutes, ts-ics 03-10T04:30Z for 60 minutes
20300310T0300 to 20300310T0400: ical.js 03-10T07:00Z for 60 minutes, ts-ics 03-10T07:00Z for 60 minutes
END
diff expected seen
