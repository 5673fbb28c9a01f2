#!/usr/bin/env bash
# Package: ical-expander 3.2.0 (with ical.js 2.2.1), which lists the meetings of a calendar file between two dates.
# The good guess: a range of dates shows every meeting that the calendar has in it, or an error says that it could not be searched.
# What is seen: a meeting that was moved to an earlier date is missing if the range ends before its original date. In a wider range it is
#   found, and so is one moved to a later date. A recurring event is followed for only 1,000 meetings: a daily one that began in January
#   2027 has none in January 2030. Neither raises an error.
# Why it matters: "is this week free?" is answered with yes, although the month view shows a meeting in that week. And after some years, a
#   daily stand-up no longer blocks its hour.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical-expander@3.2.0 ical.js@2.2.1 >> npm.log 2>&1
cat > window.mjs <<'END'
import IcalExpander from 'ical-expander';
const event = (...lines) => ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260101T000000Z', 'SUMMARY:Meeting', ...lines, 'DURATION:PT1H', 'END:VEVENT'];
const show = (events, from, to) => {
  const ics = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
  const { events: single, occurrences } = new IcalExpander({ ics }).between(new Date(from), new Date(to));
  return [...single, ...occurrences].map(({ startDate }) => startDate.toString().slice(5, 10)).sort().join(' ') || 'none';
};
const series = event('DTSTART:20300107T090000Z', 'RRULE:FREQ=WEEKLY;COUNT=4');
const forward = [series, event('RECURRENCE-ID:20300128T090000Z', 'DTSTART:20300110T090000Z')];
const back = [series, event('RECURRENCE-ID:20300107T090000Z', 'DTSTART:20300124T090000Z')];
console.log('28th moved to the 10th, from the 9th to the 12th:', show(forward, '2030-01-09', '2030-01-12'));
console.log('28th moved to the 10th, all of January:', show(forward, '2030-01-01', '2030-02-01'));
console.log('7th moved to the 24th, from the 23rd to the 26th:', show(back, '2030-01-23', '2030-01-26'));
for (const year of [2027, 2028]) console.log(`daily since ${year}, from the 7th to the 9th:`, show([event(`DTSTART:${year}0106T090000Z`, 'RRULE:FREQ=DAILY')], '2030-01-07', '2030-01-09'));
END
TZ=UTC node window.mjs > seen
cat seen
cat > expected <<'END'
28th moved to the 10th, from the 9th to the 12th: none
28th moved to the 10th, all of January: 01-07 01-10 01-14 01-21
7th moved to the 24th, from the 23rd to the 26th: 01-24
daily since 2027, from the 7th to the 9th: none
daily since 2028, from the 7th to the 9th: 01-07 01-08
END
diff expected seen
