#!/usr/bin/env bash
# Package: @nextcloud/calendar-js 8.1.6 (with ical.js 2.2.1 and @nextcloud/timezones 1.0.2), with which Nextcloud's calendar changes an
#   event "and all future" ones.
# The good guess: after a recurring event is split at a day, the second half has the occurrences that were left: without the cancelled ones
#   (EXDATE), with the moved (RECURRENCE-ID) and added (RDATE) ones, and as many as before (COUNT includes cancelled ones, RFC 5545,
#   3.3.10).
# What is seen: the second half loses all of this. Cancelled occurrences take place, moved ones are back at their old time and gone at the
#   new one, and added ones are gone. For each one cancelled in the first half, there is one more at the end.
# Why it matters: giving a course another room from next week on invites guests to an evening that is cancelled, and blocks another's old
#   time. No error is reported, and a series that nobody has edited is split correctly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @nextcloud/calendar-js@8.1.6 ical.js@2.2.1 @nextcloud/timezones@1.0.2 >> npm.log 2>&1
cat > split.mjs <<'END'
globalThis.window = globalThis; // the package is made for pages
const { DateTimeValue, getParserManager } = await import('@nextcloud/calendar-js');
const times = { DTSTART: '20300107T090000Z', DTEND: '20300107T100000Z' };
const event = (more) => ['BEGIN:VEVENT', 'UID:course', 'DTSTAMP:20300101T000000Z', ...Object.entries({ ...times, ...more }).map(([name, value]) => `${name}:${value}`), 'END:VEVENT'];
const weekly = 'FREQ=WEEKLY;COUNT=6'; // on Mondays, from 7 January to 11 February
const day = new Date('2030-01-21T09:00:00Z');
function meetings(calendar) {
  const [series] = calendar.getVObjectIterator();
  const [from, to] = ['2030-01-01', '2030-04-01'].map((date) => DateTimeValue.fromJSDate(new Date(date), true));
  return series.recurrenceManager.getAllOccurrencesBetween(from, to).map(({ startDate }) => startDate.jsDate.toISOString().slice(5, 13));
}
for (const [what, lines] of [
  ['untouched', event({ RRULE: weekly })],
  ['4 February is off', event({ RRULE: weekly, EXDATE: '20300204T090000Z' })],
  ['14 January was off', event({ RRULE: weekly, EXDATE: '20300114T090000Z' })],
  ['4 February is moved to the 5th at 11', [...event({ RRULE: weekly }), ...event({ 'RECURRENCE-ID': '20300204T090000Z', DTSTART: '20300205T110000Z', DTEND: '20300205T120000Z' })]],
  ['7 February is added', event({ RRULE: weekly, RDATE: '20300207T090000Z' })],
]) {
  const parser = getParserManager().getParserForFileType('text/calendar');
  parser.parse(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
  const [calendar] = parser.getItemIterator();
  console.log(`${what}: ${meetings(calendar).join(' ')}`);
  const [series] = calendar.getVObjectIterator();
  const halves = series.recurrenceManager.getOccurrenceAtExactly(DateTimeValue.fromJSDate(day, true)).createRecurrenceException(true);
  console.log(`  split on 21 January: ${halves.map(({ root }) => meetings(root).join(' ')).join(' | ')}`);
}
END
node split.mjs > seen
cat seen
cat > expected <<'END'
untouched: 01-07T09 01-14T09 01-21T09 01-28T09 02-04T09 02-11T09
  split on 21 January: 01-07T09 01-14T09 | 01-21T09 01-28T09 02-04T09 02-11T09
4 February is off: 01-07T09 01-14T09 01-21T09 01-28T09 02-11T09
  split on 21 January: 01-07T09 01-14T09 | 01-21T09 01-28T09 02-04T09 02-11T09
14 January was off: 01-07T09 01-21T09 01-28T09 02-04T09 02-11T09
  split on 21 January: 01-07T09 | 01-21T09 01-28T09 02-04T09 02-11T09 02-18T09
4 February is moved to the 5th at 11: 01-07T09 01-14T09 01-21T09 01-28T09 02-05T11 02-11T09
  split on 21 January: 01-07T09 01-14T09 | 01-21T09 01-28T09 02-04T09 02-11T09
7 February is added: 01-07T09 01-14T09 01-21T09 01-28T09 02-04T09 02-07T09 02-11T09
  split on 21 January: 01-07T09 01-14T09 | 01-21T09 01-28T09 02-04T09 02-11T09
END
diff expected seen
