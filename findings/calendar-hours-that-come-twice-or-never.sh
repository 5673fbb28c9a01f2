#!/usr/bin/env bash
# Packages: three readers of calendar files, ical.js 2.2.1, node-ical 0.27.2 (with temporal-polyfill 1.0.8, which it asks for) and ts-ics
#   2.4.6.
# The good guess: RFC 5545 defines local times at a clock change: a time that occurs twice is the first one, and a skipped time is read with
#   the offset before the change. All readers do that, or at least each reads a given time in one way.
# What is seen: in New York in autumn, all three read a single event at 01:30 as the second 01:30 (06:30Z); in a recurring event, node-ical
#   reads the same time as the first (05:30Z). In spring, ical.js and ts-ics read the skipped 02:30 an hour early (01:30), and ical.js
#   includes it in a recurring event too, where it must be left out.
# Why it matters: a maintenance window or night shift is an hour off in one program and right in another, and moves within one program when
#   somebody makes it weekly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 ts-ics@2.4.6 >> npm.log 2>&1
cat > nights.mjs <<'JS'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
const zone = 'BEGIN:VTIMEZONE\nTZID:America/New_York\nBEGIN:DAYLIGHT\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\nTZNAME:EDT\nDTSTART:20070311T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\nEND:DAYLIGHT\nBEGIN:STANDARD\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nTZNAME:EST\nDTSTART:20071104T020000\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\nEND:STANDARD\nEND:VTIMEZONE';
const file = (...lines) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...zone.split('\n'), 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', ...lines, 'DURATION:PT30M', 'SUMMARY:Night', 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const read = {
  'ical.js': (text) => {
    const calendar = new ICAL.Component(ICAL.parse(text));
    calendar.getAllSubcomponents('vtimezone').forEach((each) => ICAL.TimezoneService.register(each));
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent'));
    const steps = event.iterator();
    return event.isRecurring() ? [steps.next(), steps.next()].map((time) => time.toJSDate()) : [event.startDate.toJSDate()];
  },
  'node-ical': (text) => {
    const event = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
    const year = { from: new Date('2030-01-01'), to: new Date('2031-01-01') };
    return event.rrule ? nodeIcal.expandRecurringEvent(event, year).map(({ start }) => start) : [event.start];
  },
  'ts-ics': (text) => convertIcsCalendar(undefined, text).events.flatMap(({ start, recurrenceRule }) => (recurrenceRule ? [] : start.date)),
};
for (const [name, ...lines] of [
  ['01:30, which comes twice, first at 05:30Z', 'DTSTART;TZID=America/New_York:20301103T013000'],
  ['01:30 of two nights, of which the second is that one', 'DTSTART;TZID=America/New_York:20301102T013000', 'RRULE:FREQ=DAILY;COUNT=2'],
  ['02:30, which is skipped, 07:30Z by the offset before', 'DTSTART;TZID=America/New_York:20300310T023000'],
  ['02:30 of two nights, of which the second is that one', 'DTSTART;TZID=America/New_York:20300309T023000', 'RRULE:FREQ=DAILY;UNTIL=20300310T120000Z'],
])
  for (const [reader, starts] of Object.entries(read)) {
    const seen = starts(file(...lines)).map((start) => start.toISOString().slice(5, 16));
    if (seen.length > 0) console.log(`${name}: ${reader} ${seen.join(' ')}`);
  }
JS
TZ=UTC node nights.mjs > seen
cat seen
cat > expected <<'TXT'
01:30, which comes twice, first at 05:30Z: ical.js 11-03T06:30
01:30, which comes twice, first at 05:30Z: node-ical 11-03T06:30
01:30, which comes twice, first at 05:30Z: ts-ics 11-03T06:30
01:30 of two nights, of which the second is that one: ical.js 11-02T05:30 11-03T06:30
01:30 of two nights, of which the second is that one: node-ical 11-02T05:30 11-03T05:30
02:30, which is skipped, 07:30Z by the offset before: ical.js 03-10T06:30
02:30, which is skipped, 07:30Z by the offset before: node-ical 03-10T07:30
02:30, which is skipped, 07:30Z by the offset before: ts-ics 03-10T06:30
02:30 of two nights, of which the second is that one: ical.js 03-09T07:30 03-10T06:30
02:30 of two nights, of which the second is that one: node-ical 03-09T07:30
TXT
diff expected seen
