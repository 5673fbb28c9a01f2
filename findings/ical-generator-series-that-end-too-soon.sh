#!/usr/bin/env bash
# Packages: ical-generator 11.1.2 (with luxon 3.7.2), which writes calendar files, and two readers: ical.js 2.2.1 and node-ical 0.27.2 (with
#   temporal-polyfill 1.0.8).
# The good guess: a recurring event whose until is the start of its last meeting includes that meeting in every reader. If the start names a
#   zone, RFC 5545 requires UNTIL in UTC, so the writer does that.
# What is seen: UNTIL is written as local time without a zone (20300121T200000). ical.js reads it as UTC and drops the last meeting in New
#   York; node-ical keeps it. In Berlin, which is ahead of UTC, both keep it.
# Why it matters: one program offers the last evening of a New York course to others, and another shows it as taken. A test in Europe finds
#   all three meetings in both. Use a count, or an until that is later by the offset.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical-generator@11.1.2 luxon@3.7.2 ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > series.mjs <<'JS'
import ICAL from 'ical.js';
import generator from 'ical-generator';
import { DateTime } from 'luxon';
import nodeIcal from 'node-ical';
const definition = { 'America/New_York': '-0500', 'Europe/Berlin': '+0100' };
const year = { from: new Date('2030-01-01'), to: new Date('2031-01-01') };
const text = (start) => start.toISOString().slice(5, 16);
for (const zone of Object.keys(definition)) {
  const start = DateTime.fromISO('2030-01-07T20:00', { zone });
  const offset = definition[zone];
  // In winter alone, so that the definition of the zone is one line.
  const timezone = { name: zone, generator: () => `BEGIN:VTIMEZONE\r\nTZID:${zone}\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:${offset}\r\nTZOFFSETTO:${offset}\r\nDTSTART:19700101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE` };
  const calendar = generator({ timezone });
  calendar.createEvent({ id: '1', start, end: start.plus({ hours: 1 }), timezone: zone, summary: 'Course', repeating: { freq: 'WEEKLY', until: start.plus({ weeks: 2 }) } });
  const file = calendar.toString();
  console.log(`${zone}, the last at ${text(start.plus({ weeks: 2 }).toJSDate())}: ${/RRULE.*/.exec(file)[0]}`);
  const parsed = new ICAL.Component(ICAL.parse(file));
  ICAL.TimezoneService.register(parsed.getFirstSubcomponent('vtimezone'));
  const steps = new ICAL.Event(parsed.getFirstSubcomponent('vevent')).iterator();
  const byIcalJs = [];
  for (let next = steps.next(); next; next = steps.next()) byIcalJs.push(text(next.toJSDate()));
  const event = Object.values(nodeIcal.sync.parseICS(file)).find(({ type }) => type === 'VEVENT');
  console.log(`${zone}: ical.js ${byIcalJs.join(' ')}`);
  console.log(`${zone}: node-ical ${nodeIcal.expandRecurringEvent(event, year).map(({ start: at }) => text(at)).join(' ')}`);
}
JS
TZ=UTC node series.mjs > seen
cat seen
cat > expected <<'TXT'
America/New_York, the last at 01-22T01:00: RRULE:FREQ=WEEKLY;UNTIL=20300121T200000
America/New_York: ical.js 01-08T01:00 01-15T01:00
America/New_York: node-ical 01-08T01:00 01-15T01:00 01-22T01:00
Europe/Berlin, the last at 01-21T19:00: RRULE:FREQ=WEEKLY;UNTIL=20300121T200000
Europe/Berlin: ical.js 01-07T19:00 01-14T19:00 01-21T19:00
Europe/Berlin: node-ical 01-07T19:00 01-14T19:00 01-21T19:00
TXT
diff expected seen
