#!/usr/bin/env bash
# Packages: two readers of calendar files that expand recurring events, ical.js 2.2.1 and node-ical 0.27.2 (with temporal-polyfill 1.0.8).
# The good guess: RDATE adds dates to a recurring event, as EXDATE removes them: either to a rule (RRULE), or without one as a list of dates
#   after the first. A reader that expands recurring events supports both.
# What is seen: node-ical silently ignores every RDATE. ical.js reads them, but if there is no rule it drops the first meeting, DTSTART,
#   which RFC 5545 counts as part of the set.
# Why it matters: of three sessions in a list, one reader sees only the first, and the other all but the first. The missing hours count as
#   free and get booked.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > added.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
const calendar = (lines) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Course', 'DTSTART:20300107T140000Z', 'DURATION:PT1H', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const day = (date) => date.toISOString().slice(5, 10);
for (const [name, lines] of [
  ['a rule and a date more', ['RRULE:FREQ=WEEKLY;COUNT=3', 'RDATE:20300110T140000Z']],
  ['a list of dates', ['RDATE:20300110T140000Z,20300112T140000Z']],
]) {
  const text = calendar(lines);
  const steps = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')).iterator();
  const one = [];
  for (let next = steps.next(); next; next = steps.next()) one.push(day(next.toJSDate()));
  const event = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
  const two = nodeIcal.expandRecurringEvent(event, { from: new Date('2030-01-01'), to: new Date('2030-02-01') }).map(({ start }) => day(start));
  console.log(`${name}: ical.js ${one.join(' ')}; node-ical ${two.join(' ')}`);
}
END
TZ=UTC node added.mjs > seen
cat seen
cat > expected <<'END'
a rule and a date more: ical.js 01-07 01-10 01-14 01-21; node-ical 01-07 01-14 01-21
a list of dates: ical.js 01-10 01-12; node-ical 01-07
END
diff expected seen
