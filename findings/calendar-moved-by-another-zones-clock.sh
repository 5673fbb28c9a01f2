#!/usr/bin/env bash
# Packages: ical.js 2.2.1, compared with node-ical 0.27.2 (with temporal-polyfill 1.0.8).
# The good guess: the meeting of a series that was moved (RECURRENCE-ID) or cancelled (EXDATE) is identified by its instant, in any time
#   zone. Programs write it in the zone of the person who moved it.
# What is seen: ical.js compares EXDATE as an instant, but RECURRENCE-ID by its local time, unless it is in UTC. If somebody in Tokyo moves
#   a New York meeting, it stays where it was, and the new time is missing. Both zones are defined in the file and registered.
# Why it matters: the old hour, which is free now, stays blocked, and the new hour is offered and booked. As long as everybody is in one
#   time zone, it works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > moved.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
// The series is in January alone, so winter is all that the zones need.
const zone = (name, offset) => ['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE'];
const event = (...lines) => ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Weekly', ...lines, 'DURATION:PT1H', 'END:VEVENT'];
const start = (clock) => `DTSTART;TZID=America/New_York:${clock}`;
const rule = 'RRULE:FREQ=WEEKLY;COUNT=3';
const moved = (which) => [...event(start('20300107T200000'), rule), ...event(`RECURRENCE-ID${which}`, start('20300116T100000'))];
const show = (date) => date.toISOString().slice(5, 16) + 'Z';
for (const [name, lines] of [
  ['moved, said in New York', moved(';TZID=America/New_York:20300114T200000')],
  ['moved, said in UTC', moved(':20300115T010000Z')],
  ['moved, said in Tokyo', moved(';TZID=Asia/Tokyo:20300115T100000')],
  ['cancelled, said in Tokyo', event(start('20300107T200000'), rule, 'EXDATE;TZID=Asia/Tokyo:20300115T100000')],
]) {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...zone('America/New_York', '-0500'), ...zone('Asia/Tokyo', '+0900'), ...lines, 'END:VCALENDAR', ''].join('\r\n');
  const parsed = new ICAL.Component(ICAL.parse(text));
  for (const one of parsed.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(one);
  const [series, change] = parsed.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  if (change) series.relateException(change);
  const steps = series.iterator();
  const one = [];
  for (let next = steps.next(); next; next = steps.next()) one.push(show(series.getOccurrenceDetails(next).startDate.toJSDate()));
  const read = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
  const two = nodeIcal.expandRecurringEvent(read, { from: new Date('2030-01-01'), to: new Date('2030-03-01') }).map(({ start: at }) => show(at));
  console.log(`${name}: ical.js ${one.join(' ')}; node-ical ${two.join(' ')}`);
}
END
TZ=UTC node moved.mjs > seen
cat seen
cat > expected <<'END'
moved, said in New York: ical.js 01-08T01:00Z 01-16T15:00Z 01-22T01:00Z; node-ical 01-08T01:00Z 01-16T15:00Z 01-22T01:00Z
moved, said in UTC: ical.js 01-08T01:00Z 01-16T15:00Z 01-22T01:00Z; node-ical 01-08T01:00Z 01-16T15:00Z 01-22T01:00Z
moved, said in Tokyo: ical.js 01-08T01:00Z 01-15T01:00Z 01-22T01:00Z; node-ical 01-08T01:00Z 01-16T15:00Z 01-22T01:00Z
cancelled, said in Tokyo: ical.js 01-08T01:00Z 01-22T01:00Z; node-ical 01-08T01:00Z 01-22T01:00Z
END
diff expected seen
