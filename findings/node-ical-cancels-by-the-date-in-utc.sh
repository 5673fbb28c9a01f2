#!/usr/bin/env bash
# Package: node-ical 0.27.2 (with temporal-polyfill 1.0.8), compared with ical.js 2.2.1.
# The good guess: a recurring event that excludes a date (EXDATE;VALUE=DATE) loses the occurrence on that date in the event's time zone.
# What is seen: node-ical compares the date with the UTC date. At noon in New York it is right. At 20:00 it drops the evening before, the
#   7th, and keeps the cancelled 8th; at 07:00 in Tokyo it drops the 9th. ical.js drops the right one.
# Why it matters: the cancelled evening is shown as busy, and the one that takes place as free, so it gets booked. East of London, this
#   happens in the early morning.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node-ical@0.27.2 temporal-polyfill@1.0.8 ical.js@2.2.1 >> npm.log 2>&1
cat > cancelled.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
// The series is in January alone, so winter is all that the zones need.
const zone = (name, offset) => ['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE'];
for (const [name, offset, clock] of [
  ['America/New_York', '-0500', '120000'],
  ['America/New_York', '-0500', '200000'],
  ['Asia/Tokyo', '+0900', '070000'],
]) {
  const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Course', `DTSTART;TZID=${name}:20300107T${clock}`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE;VALUE=DATE:20300108', 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...zone(name, offset), ...event, 'END:VCALENDAR', ''].join('\r\n');
  const day = new Intl.DateTimeFormat('en', { timeZone: name, day: 'numeric' });
  const parsed = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.register(parsed.getFirstSubcomponent('vtimezone'));
  const steps = new ICAL.Event(parsed.getFirstSubcomponent('vevent')).iterator();
  const one = [];
  for (let next = steps.next(); next; next = steps.next()) one.push(day.format(next.toJSDate()));
  const read = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
  const two = nodeIcal.expandRecurringEvent(read, { from: new Date('2030-01-01'), to: new Date('2030-02-01') }).map(({ start }) => day.format(start));
  console.log(`without the 8th, ${clock.slice(0, 2)}:00 in ${name}: ical.js ${one.join(' ')}; node-ical ${two.join(' ')}`);
}
END
TZ=UTC node cancelled.mjs > seen
cat seen
cat > expected <<'END'
without the 8th, 12:00 in America/New_York: ical.js 7 9 10; node-ical 7 9 10
without the 8th, 20:00 in America/New_York: ical.js 7 9 10; node-ical 8 9 10
without the 8th, 07:00 in Asia/Tokyo: ical.js 7 9 10; node-ical 7 8 10
END
diff expected seen
