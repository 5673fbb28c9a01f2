#!/usr/bin/env bash
# Package: node-ical 0.27.2 (with temporal-polyfill 1.0.8, which it requires).
# The good guess: somebody invited to two occurrences of a series, but not to the series, has a file with only those two (RECURRENCE-ID
#   without the rule, which RFC 4791 and 5546 allow), and expanding it gives both.
# What is seen: expandRecurringEvent returns only one of them. The other is in the event passed to it, but not in the result. If the file
#   contains the series itself, all are returned.
# Why it matters: an interviewer who takes part in two of five rounds is shown as free in one of them, and gets booked. A test with one
#   invitation passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > invited.mjs <<'JS'
import nodeIcal from 'node-ical';
const event = (...lines) => ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', ...lines, 'DURATION:PT1H', 'END:VEVENT'];
const series = event('DTSTART:20300107T090000Z', 'RRULE:FREQ=WEEKLY;COUNT=3');
const invited = (day, moved) => event(`RECURRENCE-ID:203001${day}T090000Z`, `DTSTART:203001${moved}T110000Z`);
const file = (...events) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
const year = { from: new Date('2030-01-01'), to: new Date('2031-01-01') };
for (const [name, ...events] of [
  ['the series, with two meetings moved', series, invited('14', '15'), invited('21', '22')],
  ['one meeting of it', invited('14', '15')],
  ['two meetings of it', invited('14', '15'), invited('21', '22')],
]) {
  const found = Object.values(nodeIcal.sync.parseICS(file(...events))).filter(({ type }) => type === 'VEVENT');
  const starts = found.flatMap((each) => nodeIcal.expandRecurringEvent(each, year)).map(({ start }) => start.toISOString().slice(5, 16));
  console.log(`${name}: ${starts.join(' ')}`);
}
JS
TZ=UTC node invited.mjs > seen
cat seen
cat > expected <<'TXT'
the series, with two meetings moved: 01-07T09:00 01-15T11:00 01-22T11:00
one meeting of it: 01-15T11:00
two meetings of it: 01-15T11:00
TXT
diff expected seen
