#!/usr/bin/env bash
# Packages: ics 3.12.0, which writes calendar files, compared with ical-generator 11.1.2, and two readers: ical.js 2.2.1 and node-ical
#   0.27.2 (with temporal-polyfill 1.0.8).
# The good guess: input that the writer accepts without an error, and that its documentation lists, is written so that readers get it: a
#   duration of an hour and a half, an attendee with a quoted nickname, a category with a comma.
# What is seen: { hours: 1.5 } is written as PT1.5H, which RFC 5545 (3.3.6) does not allow: ical.js reads one hour, node-ical none.
#   Quotation marks get a backslash instead of ^' (RFC 6868): ical.js reads half of the name, and node-ical loses the attendee. The comma is
#   not escaped (3.3.11), so one category becomes two. ical-generator writes both correctly, but node-ical does not decode its ^'.
# Why it matters: the half hour of such a meeting is offered and booked, and an attendee is on no list. Whole minutes and plain names, as
#   tests have them, pass. Give durations in minutes, and leave quotation marks out of names.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ics@3.12.0 ical-generator@11.1.2 ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > meetings.mjs <<'END'
import ICAL from 'ical.js';
import generator from 'ical-generator';
import { createEvent } from 'ics';
import nodeIcal from 'node-ical';
const byIcs = (more) => createEvent({ start: [2030, 1, 31, 9, 0], startInputType: 'utc', title: 'Review', duration: { hours: 1 }, ...more }).value;
const byGenerator = ({ attendees = [], categories = [] }) => {
  const event = generator().createEvent({ start: new Date('2030-01-31T09:00:00Z'), end: new Date('2030-01-31T10:00:00Z'), summary: 'Review' });
  for (const attendee of attendees) event.createAttendee(attendee);
  for (const name of categories) event.createCategory({ name });
  return event.toString().replace(/^/, 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n').replace(/$/, 'END:VCALENDAR\r\n');
};
const readers = {
  'ical.js': (text) => {
    const event = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
    const categories = event.component.getAllProperties('categories').flatMap((each) => each.getValues());
    return { end: event.endDate.toJSDate(), guest: event.attendees[0]?.getParameter('cn'), categories };
  },
  'node-ical': (text) => {
    const { end, attendee, categories = [] } = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
    return { end, guest: attendee?.params?.CN, categories };
  },
};
const ends = ({ end }) => `ends at ${end.toISOString().slice(11, 16)}`;
const guest = ({ guest: name }) => `guest ${name ?? 'missing'}`;
const list = ({ categories }) => `categories ${categories.map((each) => each.trim()).join(' | ')}`;
for (const [says, more, shown] of [
  ['90 minutes', { duration: { minutes: 90 } }, ends],
  ['1.5 hours', { duration: { hours: 1.5 } }, ends],
  ['Ada Lovelace', { attendees: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] }, guest],
  ['Ada "Countess" Lovelace', { attendees: [{ name: 'Ada "Countess" Lovelace', email: 'ada@example.com' }] }, guest],
  ['two categories', { categories: ['Sales', 'Berlin'] }, list],
  ['one with a comma', { categories: ['Sales, Berlin'] }, list],
])
  for (const [writer, write] of Object.entries({ ics: byIcs, 'ical-generator': byGenerator })) {
    if (writer === 'ical-generator' && more.duration) continue;
    const read = Object.entries(readers).map(([name, reader]) => `${name}: ${shown(reader(write(more)))}`);
    console.log(`${says}, by ${writer}, ${read.join('; ')}`);
  }
END
node meetings.mjs 2> warnings > seen
cat seen
cat > expected <<'END'
90 minutes, by ics, ical.js: ends at 10:30; node-ical: ends at 10:30
1.5 hours, by ics, ical.js: ends at 10:00; node-ical: ends at 09:00
Ada Lovelace, by ics, ical.js: guest Ada Lovelace; node-ical: guest Ada Lovelace
Ada Lovelace, by ical-generator, ical.js: guest Ada Lovelace; node-ical: guest Ada Lovelace
Ada "Countess" Lovelace, by ics, ical.js: guest Ada \; node-ical: guest missing
Ada "Countess" Lovelace, by ical-generator, ical.js: guest Ada "Countess" Lovelace; node-ical: guest Ada ^'Countess^' Lovelace
two categories, by ics, ical.js: categories Sales | Berlin; node-ical: categories Sales | Berlin
two categories, by ical-generator, ical.js: categories Sales | Berlin; node-ical: categories Sales | Berlin
one with a comma, by ics, ical.js: categories Sales | Berlin; node-ical: categories Sales | Berlin
one with a comma, by ical-generator, ical.js: categories Sales, Berlin; node-ical: categories Sales, Berlin
END
diff expected seen
