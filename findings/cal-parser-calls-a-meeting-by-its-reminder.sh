#!/usr/bin/env bash
# Packages: cal-parser 1.0.2, which reads calendar files and lists the events of a day, compared with ical.js 2.2.1.
# The good guess: properties of a reminder (VALARM) inside an event belong to the reminder. All attendees of an event are returned, and an
#   event of three days is listed on each of them.
# What is seen: an email reminder must have a SUMMARY and an ATTENDEE of its own (RFC 5545, 3.6.6). Its SUMMARY replaces the event's, and
#   its recipient is returned as an attendee. Of two attendees, only the last is returned. An event of three days is listed on the first day
#   only.
# Why it matters: the host's page calls each meeting "Reminder", and shows the second and third day of a fair as free.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cal-parser@1.0.2 ical.js@2.2.1 >> npm.log 2>&1
cat > calendar.cjs <<'END'
const calendar = require('cal-parser');
const event = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20300101T000000Z', 'SUMMARY:Talk', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const start = 'DTSTART:20300131T140000Z';
const end = 'DTEND:20300131T150000Z';
const reminder = ['BEGIN:VALARM', 'ACTION:EMAIL', 'TRIGGER:-PT15M', 'SUMMARY:Reminder', 'DESCRIPTION:It is time', 'ATTENDEE:mailto:me@x.example', 'END:VALARM'];
(async () => {
  const { default: ICAL } = await import('ical.js');
  for (const [name, text] of [
    ['alone', event(start, end)],
    ['with a reminder', event(start, end, ...reminder)],
    ['two guests', event(start, end, 'ATTENDEE:mailto:a@x.example', 'ATTENDEE:mailto:b@x.example')],
  ]) {
    const [{ summary, dtstart, attendee }] = calendar.parseString(text).events;
    const other = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
    const guests = [attendee ?? []].flat().map(({ value }) => value);
    console.log(`${name}: ${summary.value}, ${dtstart.value.toISOString()}, guests ${guests}; ical.js ${other.summary}, ${other.startDate}, guests ${other.attendees.map((guest) => guest.getFirstValue())}`);
  }
  const fair = calendar.parseString(event('DTSTART:20300131T090000Z', 'DTEND:20300202T170000Z'));
  for (const day of ['2030-01-31', '2030-02-01', '2030-02-02']) console.log(`${day}, of a fair from 31 January to 2 February: ${fair.getEventsOnDate(new Date(`${day}T12:00Z`)).length}`);
})();
END
TZ=UTC node calendar.cjs > seen
cat seen
cat > expected <<'END'
alone: Talk, 2030-01-31T14:00:00.000Z, guests ; ical.js Talk, 2030-01-31T14:00:00Z, guests 
with a reminder: Reminder, 2030-01-31T14:00:00.000Z, guests mailto:me@x.example; ical.js Talk, 2030-01-31T14:00:00Z, guests 
two guests: Talk, 2030-01-31T14:00:00.000Z, guests mailto:b@x.example; ical.js Talk, 2030-01-31T14:00:00Z, guests mailto:a@x.example,mailto:b@x.example
2030-01-31, of a fair from 31 January to 2 February: 1
2030-02-01, of a fair from 31 January to 2 February: 0
2030-02-02, of a fair from 31 January to 2 February: 0
END
diff expected seen
