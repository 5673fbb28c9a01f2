#!/usr/bin/env bash
# Package: icalendar 0.7.1, which reads calendar files and lists the times of recurring events, compared with ical.js 2.2.1.
# The good guess: "every second week on Monday and Wednesday" skips the weeks between, BYMONTHDAY=-1 is the last day of a month, and a
#   series of four with one cancelled (EXDATE) has three meetings (RFC 5545, 3.3.10 and 3.8.5.1). What it does not support (BYSETPOS and
#   others, in its list) is refused.
# What is seen: after the first week the Mondays come every week. The last day becomes the day before it, and the first of the next month is
#   added. A cancelled meeting is replaced by one more after the end. Other rules, and every second week with one day, are right.
# Why it matters: a room is blocked, and a reminder is sent, for a Monday without a meeting. Rent that is due on the last day is requested a
#   day early and again a day late, and guests of a course of four are expected a fifth time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts icalendar@0.7.1 ical.js@2.2.1 >> npm.log 2>&1
cat > series.mjs <<'END'
import ICAL from 'ical.js';
import icalendar from 'icalendar';
const read = {
  icalendar: (text) => icalendar.parse_calendar(text).events()[0].rrule().nextOccurences(new Date('2029-12-31T00:00Z'), 6).map((time) => time.toISOString()),
  'ical.js': (text) => {
    const series = new ICAL.Event(ICAL.Component.fromString(text).getFirstSubcomponent('vevent')).iterator();
    return [1, 2, 3, 4, 5, 6].map(() => series.next()).filter(Boolean).map(String);
  },
};
for (const [says, date, ...lines] of [
  ['every second Monday', '20300107', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'],
  ['every second week, Monday and Wednesday', '20300107', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE'],
  ['the 15th of a month', '20300115', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=15'],
  ['the last day of a month', '20300131', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1'],
  ['four Mondays', '20300107', 'RRULE:FREQ=WEEKLY;COUNT=4'],
  ['four Mondays, the second cancelled', '20300107', 'RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20300114T090000Z'],
]) {
  const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20300101T000000Z', `DTSTART:${date}T090000Z`, ...lines, 'END:VEVENT'];
  const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...event, 'END:VCALENDAR', ''].join('\r\n');
  for (const [name, list] of Object.entries(read)) console.log(`${says}, ${name}: ${list(file).map((time) => time.slice(5, 10)).join(' ')}`);
}
END
TZ=UTC node series.mjs > seen
cat seen
cat > expected <<'END'
every second Monday, icalendar: 01-07 01-21 02-04 02-18 03-04 03-18
every second Monday, ical.js: 01-07 01-21 02-04 02-18 03-04 03-18
every second week, Monday and Wednesday, icalendar: 01-07 01-09 01-14 01-21 01-23 01-28
every second week, Monday and Wednesday, ical.js: 01-07 01-09 01-21 01-23 02-04 02-06
the 15th of a month, icalendar: 01-15 02-15 03-15 04-15 05-15 06-15
the 15th of a month, ical.js: 01-15 02-15 03-15 04-15 05-15 06-15
the last day of a month, icalendar: 01-31 02-27 03-01 03-30 04-01 04-29
the last day of a month, ical.js: 01-31 02-28 03-31 04-30 05-31 06-30
four Mondays, icalendar: 01-07 01-14 01-21 01-28
four Mondays, ical.js: 01-07 01-14 01-21 01-28
four Mondays, the second cancelled, icalendar: 01-07 01-21 01-28 02-04
four Mondays, the second cancelled, ical.js: 01-07 01-21 01-28
END
diff expected seen
