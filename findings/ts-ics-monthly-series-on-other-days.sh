#!/usr/bin/env bash
# Packages: ts-ics 2.4.6, compared with ical.js 2.2.1, both of which expand recurrence rules.
# The good guess: both read the same days from a monthly rule, and an event keeps its time of day, in UTC, where no clock changes.
# What is seen: ts-ics moves an event on the 31st to 28 February, and leaves it on the 28th from then on; RFC 5545 skips months without that
#   day. "The last Friday" and "the first Monday" are at midnight instead of 14:00, and "the last day" is the last but one; all three lose
#   the first occurrence. "The 15th" is right.
# Why it matters: the payroll meeting of the 31st blocks the 28th and leaves the 31st free, and a monthly hour on Mondays blocks the night.
#   Most series are weekly, or on a day that every month has, so it is noticed late.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ts-ics@2.4.6 ical.js@2.2.1 >> npm.log 2>&1
cat > series.mjs <<'JS'
import ICAL from 'ical.js';
import { convertIcsCalendar, extendByRecurrenceRule } from 'ts-ics';
const shown = (dates) => dates.slice(0, 4).map((date) => date.toISOString().slice(5, 16)).join(' ');
const byIcalJs = (rule, start) => {
  const steps = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(start));
  return Array.from({ length: 4 }, () => steps.next().toJSDate());
};
const byTsIcs = (rule, start) => {
  const stamp = start.replaceAll(/[-:]/g, '');
  const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', `DTSTART:${stamp}`, 'DURATION:PT1H', `RRULE:${rule}`, 'SUMMARY:Monthly', 'END:VEVENT', 'END:VCALENDAR', ''];
  const [event] = convertIcsCalendar(undefined, file.join('\r\n')).events;
  return extendByRecurrenceRule(event.recurrenceRule, { start: event.start.date, end: new Date('2031-01-01') });
};
for (const [name, rule, start] of [
  ['the 15th', 'FREQ=MONTHLY;BYMONTHDAY=15', '2030-01-15T14:00:00Z'],
  ['the 31st', 'FREQ=MONTHLY', '2030-01-31T14:00:00Z'],
  ['the last day', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2030-01-31T14:00:00Z'],
  ['the first Monday', 'FREQ=MONTHLY;BYDAY=1MO', '2030-01-07T14:00:00Z'],
  ['the last Friday', 'FREQ=MONTHLY;BYDAY=-1FR', '2030-01-25T14:00:00Z'],
]) {
  console.log(`${name}: ical.js ${shown(byIcalJs(rule, start))}`);
  console.log(`${name}: ts-ics ${shown(byTsIcs(rule, start))}`);
}
JS
TZ=UTC node series.mjs > seen
cat seen
cat > expected <<'TXT'
the 15th: ical.js 01-15T14:00 02-15T14:00 03-15T14:00 04-15T14:00
the 15th: ts-ics 01-15T14:00 02-15T14:00 03-15T14:00 04-15T14:00
the 31st: ical.js 01-31T14:00 03-31T14:00 05-31T14:00 07-31T14:00
the 31st: ts-ics 01-31T14:00 02-28T14:00 03-28T14:00 04-28T14:00
the last day: ical.js 01-31T14:00 02-28T14:00 03-31T14:00 04-30T14:00
the last day: ts-ics 02-27T14:00 03-30T14:00 04-29T14:00 05-30T14:00
the first Monday: ical.js 01-07T14:00 02-04T14:00 03-04T14:00 04-01T14:00
the first Monday: ts-ics 02-04T00:00 03-04T00:00 04-01T00:00 05-06T00:00
the last Friday: ical.js 01-25T14:00 02-22T14:00 03-29T14:00 04-26T14:00
the last Friday: ts-ics 02-22T00:00 03-29T00:00 04-26T00:00 05-31T00:00
TXT
diff expected seen
