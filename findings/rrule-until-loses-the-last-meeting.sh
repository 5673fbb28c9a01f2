#!/usr/bin/env bash
# Packages: rrule 2.8.1, compared with rrule-temporal 2.2.8 and node-ical 0.26.1.
# The good guess: the end of a series (UNTIL, which RFC 5545 requires in UTC if the start has a zone) is an instant, and an event at that
#   instant is the last one. The library knows the zone (TZID), and returns the right instants for the others.
# What is seen: rrule compares UNTIL, in UTC, with the local times of the events. East of UTC (Tokyo), the last event is missing. West of it
#   (New York), there is one too many if UNTIL is before that event by less than the zone's offset.
# Why it matters: a calendar's weekly hour in Tokyo that ends by UNTIL loses its last event, so that slot is offered and booked. The other
#   two libraries have it, so two programs that read the same file disagree.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts rrule@2.8.1 rrule-temporal@2.2.8 temporal-polyfill@1.0.8 node-ical@0.26.1 >> npm.log 2>&1
cat > series.mjs <<'END'
import nodeIcal from 'node-ical';
import rrule from 'rrule';
import { RRuleTemporal } from 'rrule-temporal';
const all = { from: new Date('2030-01-01'), to: new Date('2030-03-01') };
const calendar = (rule) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', ...rule.split('\n'), 'DURATION:PT1H', 'SUMMARY:Weekly', 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const series = [
  ['Tokyo, the last at 2030-01-21T00:00Z', 'DTSTART;TZID=Asia/Tokyo:20300107T090000\nRRULE:FREQ=WEEKLY;UNTIL=20300121T000000Z'],
  ['New York, over before 2030-01-29T01:00Z', 'DTSTART;TZID=America/New_York:20300107T200000\nRRULE:FREQ=WEEKLY;UNTIL=20300129T005959Z'],
];
for (const [name, rule] of series) {
  const event = Object.values(nodeIcal.sync.parseICS(calendar(rule))).find(({ type }) => type === 'VEVENT');
  const read = {
    rrule: rrule.rrulestr(rule).all().map((start) => start.toISOString()),
    'rrule-temporal': new RRuleTemporal({ rruleString: rule }).all().map((start) => start.toInstant().toString()),
    'node-ical': nodeIcal.expandRecurringEvent(event, all).map(({ start }) => start.toISOString()),
  };
  for (const [library, starts] of Object.entries(read)) console.log(`${name}: ${library} ${starts.map((start) => start.slice(5, 16)).join(' ')}`);
}
END
TZ=UTC node series.mjs > seen
cat seen
cat > expected <<'END'
Tokyo, the last at 2030-01-21T00:00Z: rrule 01-07T00:00 01-14T00:00
Tokyo, the last at 2030-01-21T00:00Z: rrule-temporal 01-07T00:00 01-14T00:00 01-21T00:00
Tokyo, the last at 2030-01-21T00:00Z: node-ical 01-07T00:00 01-14T00:00 01-21T00:00
New York, over before 2030-01-29T01:00Z: rrule 01-08T01:00 01-15T01:00 01-22T01:00 01-29T01:00
New York, over before 2030-01-29T01:00Z: rrule-temporal 01-08T01:00 01-15T01:00 01-22T01:00
New York, over before 2030-01-29T01:00Z: node-ical 01-08T01:00 01-15T01:00 01-22T01:00
END
diff expected seen
