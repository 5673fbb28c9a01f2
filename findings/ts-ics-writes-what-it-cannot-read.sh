#!/usr/bin/env bash
# Package: ts-ics 2.4.6, which reads and writes calendar files, compared with ical.js 2.2.1.
# The good guess: an event that is read and written unchanged is the same event for this package and for others.
# What is seen: a parameter value with a colon, such as an address or a name, is written without its quotation marks (RFC 5545, 3.2). So the
#   address of an organizer whose office sends for them (SENT-BY) becomes "office@example.com:MAILTO:bob@example.com". A reminder at a fixed
#   time loses its VALUE=DATE-TIME (3.8.6.3): ts-ics then reads a reminder with no time ({}), and ical.js throws an error. Of two CATEGORIES
#   lines only the last is kept.
# Why it matters: an attendee's reply goes to an address that does not exist, nobody is reminded, and another program may reject the whole
#   event. An event that an assistant sends for somebody has SENT-BY, so this hits the meetings of people with an office. Names without a
#   colon and reminders relative to the start are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ts-ics@2.4.6 ical.js@2.2.1 >> npm.log 2>&1
cat > again.mjs <<'END'
import ICAL from 'ical.js';
import { convertIcsCalendar, generateIcsCalendar } from 'ts-ics';
const calendar = (...lines) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example.com//EN', 'BEGIN:VEVENT', 'UID:a@example.com', 'DTSTAMP:20300101T000000Z', 'DTSTART:20300131T090000Z', 'DURATION:PT1H', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const alarm = (trigger) => ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Soon', trigger, 'END:VALARM'];
const readers = {
  'ts-ics': (text) => {
    const [{ organizer, attendees, alarms, categories }] = convertIcsCalendar(undefined, text).events;
    const trigger = alarms?.[0].trigger;
    return { organizer: organizer?.email, guest: attendees?.[0].name && `${attendees[0].name} at ${attendees[0].email}`, reminder: trigger && JSON.stringify(trigger.value.date ?? trigger.value), categories };
  },
  'ical.js': (text) => {
    const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
    const guest = event.getFirstProperty('attendee');
    const categories = event.getAllProperties('categories').flatMap((each) => each.getValues());
    return {
      organizer: event.getFirstPropertyValue('organizer')?.replace(/^mailto:/i, ''),
      guest: guest && `${guest.getParameter('cn')} at ${guest.getFirstValue().replace(/^mailto:/i, '')}`,
      reminder: event.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger').toString(),
      categories,
    };
  },
};
for (const [says, ...lines] of [
  ['an organizer', 'ORGANIZER;CN=Bob:mailto:bob@example.com'],
  ['an organizer with an office', 'ORGANIZER;CN=Bob;SENT-BY="mailto:office@example.com":mailto:bob@example.com'],
  ['a guest', 'ATTENDEE;CN=Ada:mailto:ada@example.com'],
  ['a guest with a colon', 'ATTENDEE;CN="Berlin: Ada":mailto:ada@example.com'],
  ['a reminder before', ...alarm('TRIGGER:-PT15M')],
  ['a reminder at a time', ...alarm('TRIGGER;VALUE=DATE-TIME:20300131T080000Z')],
  ['categories in a line', 'CATEGORIES:Sales,Berlin'],
  ['categories in two lines', 'CATEGORIES:Sales', 'CATEGORIES:Berlin'],
]) {
  const text = calendar(...lines);
  const written = generateIcsCalendar(convertIcsCalendar(undefined, text));
  for (const [name, read] of Object.entries(readers)) {
    const told = (of) => {
      try {
        return Object.values(read(of)).filter((value) => value?.length > 0).join();
      } catch ({ message }) {
        return `an error, ${message}`;
      }
    };
    console.log(`${says}, by ${name}: ${told(text)}${told(written) === told(text) ? ', and the same again' : ` becomes ${told(written)}`}`);
  }
}
END
node again.mjs > seen
cat seen
cat > expected <<'END'
an organizer, by ts-ics: bob@example.com, and the same again
an organizer, by ical.js: bob@example.com, and the same again
an organizer with an office, by ts-ics: bob@example.com becomes office@example.com:bob@example.com
an organizer with an office, by ical.js: bob@example.com becomes office@example.com:MAILTO:bob@example.com
a guest, by ts-ics: Ada at ada@example.com, and the same again
a guest, by ical.js: Ada at ada@example.com, and the same again
a guest with a colon, by ts-ics: Berlin: Ada at ada@example.com becomes Berlin at  Ada:ada@example.com
a guest with a colon, by ical.js: Berlin: Ada at ada@example.com becomes Berlin at  Ada:MAILTO:ada@example.com
a reminder before, by ts-ics: {"before":true,"minutes":15}, and the same again
a reminder before, by ical.js: -PT15M, and the same again
a reminder at a time, by ts-ics: "2030-01-31T08:00:00.000Z" becomes {}
a reminder at a time, by ical.js: 2030-01-31T08:00:00Z becomes an error, invalid duration value: Not enough duration components in "080000Z"
categories in a line, by ts-ics: Sales,Berlin, and the same again
categories in a line, by ical.js: Sales,Berlin, and the same again
categories in two lines, by ts-ics: Berlin, and the same again
categories in two lines, by ical.js: Sales,Berlin becomes Berlin
END
diff expected seen
