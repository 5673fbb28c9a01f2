#!/usr/bin/env bash
# Package: ical-toolkit 1.0.9, which reads and writes calendar files, compared with ical.js 2.2.1.
# The good guess: an event with a reminder (VALARM) is one event, as in every calendar's files, and the next event follows it. EXDATE may
#   appear once for each cancelled meeting (RFC 5545, 3.8.5.1).
# What is seen: the event after one with a reminder is missing, without an error. If all events have a reminder, only every other one is
#   left. Of several EXDATE lines only the last is kept, and of two attendees as well.
# Why it matters: most calendars add a reminder by default, so half of the meetings are not seen, and their hours can be booked again.
#   Cancelled meetings are back.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical-toolkit@1.0.9 ical.js@2.2.1 >> npm.log 2>&1
cat > calendar.cjs <<'END'
const toolkit = require('ical-toolkit');
const reminder = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Soon', 'TRIGGER:-PT15M', 'END:VALARM'];
const event = (id, ...lines) => ['BEGIN:VEVENT', `UID:${id}`, 'DTSTAMP:20300101T000000Z', 'DTSTART:20300131T090000Z', 'DTEND:20300131T093000Z', ...lines, 'END:VEVENT'];
const file = (...events) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//x//EN', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
(async () => {
  const { default: ICAL } = await import('ical.js');
  const show = (title, text) => {
    const other = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    console.log(title);
    console.log(`  ical.js: ${other.map((one) => [one.getFirstPropertyValue('uid'), ...one.getAllProperties('exdate').concat(one.getAllProperties('attendee')).map((property) => property.getFirstValue())].join(' ')).join(', ')}`);
    const { VEVENT } = toolkit.parseToJSON(text).VCALENDAR[0];
    console.log(`  ical-toolkit: ${VEVENT.map(({ UID, EXDATE, ATTENDEE }) => [UID, EXDATE, ATTENDEE].filter(Boolean).join(' ')).join(', ')}`);
  };
  show('three events', file(event('a'), event('b'), event('c')));
  show('three events, the second with a reminder', file(event('a'), event('b', ...reminder), event('c')));
  show('three events, each with a reminder', file(event('a', ...reminder), event('b', ...reminder), event('c', ...reminder)));
  const series = ['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20300201T090000Z', 'EXDATE:20300202T090000Z'];
  show('a series with two called off', file(event('s', ...series)));
  show('two guests', file(event('g', 'ATTENDEE:mailto:ada@x.example', 'ATTENDEE:mailto:bea@x.example')));
})();
END
node calendar.cjs > seen
cat seen
cat > expected <<'END'
three events
  ical.js: a, b, c
  ical-toolkit: a, b, c
three events, the second with a reminder
  ical.js: a, b, c
  ical-toolkit: a, b
three events, each with a reminder
  ical.js: a, b, c
  ical-toolkit: a, c
a series with two called off
  ical.js: s 2030-02-01T09:00:00Z 2030-02-02T09:00:00Z
  ical-toolkit: s 20300202T090000Z
two guests
  ical.js: g mailto:ada@x.example mailto:bea@x.example
  ical-toolkit: g mailto:bea@x.example
END
diff expected seen
