#!/usr/bin/env bash
# Package: node-ical 0.27.2 (with temporal-polyfill 1.0.8), compared with ical.js 2.2.1 and ts-ics 2.4.6.
# The good guess: all reminders of an event (VALARM) are in the event's "alarms" list, which the parser fills. A reminder may have a UID of
#   its own (RFC 9074, section 4), by which programs know which one a person has snoozed.
# What is seen: node-ical lists only reminders without a UID. Each one with a UID becomes a field of the event, named after the UID. If
#   every reminder has one, there is no list at all. The other two list them all.
# Why it matters: reminders from a calendar program that follows the newer standard are not sent, while those that a test wrote by hand are.
#   Code that loops over the fields of an event meets some that nobody has defined.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node-ical@0.27.2 temporal-polyfill@1.0.8 ical.js@2.2.1 ts-ics@2.4.6 >> npm.log 2>&1
cat > reminders.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
const alarm = (trigger, ...more) => ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Soon', `TRIGGER:${trigger}`, ...more, 'END:VALARM'];
const standard = ['type', 'uid', 'dtstamp', 'start', 'end', 'datetype', 'summary', 'alarms'];
for (const [says, ...alarms] of [
  ['no UID', alarm('-PT1H'), alarm('-PT15M')],
  ['one UID', alarm('-PT1H', 'UID:hour@example.com'), alarm('-PT15M')],
  ['two UIDs', alarm('-PT1H', 'UID:hour@example.com'), alarm('-PT15M', 'UID:quarter@example.com')],
]) {
  const event = ['BEGIN:VEVENT', 'UID:a@example.com', 'DTSTAMP:20300101T000000Z', 'DTSTART:20300131T090000Z', 'DTEND:20300131T100000Z', 'SUMMARY:Review', ...alarms.flat(), 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example.com//EN', ...event, 'END:VCALENDAR', ''].join('\r\n');
  const one = nodeIcal.sync.parseICS(text)['a@example.com'];
  const others = Object.keys(one).filter((name) => !standard.includes(name));
  console.log(`${says}, node-ical: ${one.alarms?.map(({ trigger }) => trigger).join(', ') ?? 'no list'}${others.length > 0 ? `, and the fields ${others.join(', ')}` : ''}`);
  const inIcal = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getAllSubcomponents('valarm');
  console.log(`${says}, ical.js: ${inIcal.map((each) => each.getFirstPropertyValue('trigger')).join(', ')}`);
  console.log(`${says}, ts-ics: ${convertIcsCalendar(undefined, text).events[0].alarms.map(({ trigger: { value } }) => JSON.stringify(value)).join(', ')}`);
}
END
node reminders.mjs > seen
cat seen
cat > expected <<'END'
no UID, node-ical: -PT1H, -PT15M
no UID, ical.js: -PT1H, -PT15M
no UID, ts-ics: {"before":true,"hours":1}, {"before":true,"minutes":15}
one UID, node-ical: -PT15M, and the fields hour@example.com
one UID, ical.js: -PT1H, -PT15M
one UID, ts-ics: {"before":true,"hours":1}, {"before":true,"minutes":15}
two UIDs, node-ical: no list, and the fields hour@example.com, quarter@example.com
two UIDs, ical.js: -PT1H, -PT15M
two UIDs, ts-ics: {"before":true,"hours":1}, {"before":true,"minutes":15}
END
diff expected seen
