#!/usr/bin/env bash
# Package: ts-ics 2.4.6, which parses calendar files, compared with ical.js 2.2.1.
# The good guess: an event may contain components, such as its speaker (PARTICIPANT) and its place (VLOCATION), each with its own UID and
#   text (RFC 9073, sections 7.1 and 7.2). A parser that does not know them ignores them (RFC 5545, 3.6: "MUST be ignored").
# What is seen: the properties of these components are read as the event's own. It has the UID of its room, and the title and description of
#   its speaker. Reminders (VALARM) are handled as components. ical.js keeps them all apart.
# Why it matters: two talks in one room have the same UID, so one replaces the other, and a moved talk is not found under its own. The
#   calendar shows "Ada Lovelace, speaker" instead of the talk. Files from programs that do not know the newer standard are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ts-ics@2.4.6 ical.js@2.2.1 >> npm.log 2>&1
cat > talks.mjs <<'END'
import ICAL from 'ical.js';
import { convertIcsCalendar } from 'ts-ics';
const part = (name, ...lines) => [`BEGIN:${name}`, ...lines, `END:${name}`];
const speaker = part('PARTICIPANT', 'UID:ada@example.com', 'PARTICIPANT-TYPE:SPEAKER', 'SUMMARY:Ada Lovelace\\, speaker', 'DESCRIPTION:Wrote the first program');
const room = part('VLOCATION', 'UID:room-3@example.com', 'NAME:Room 3');
const reminder = part('VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'DESCRIPTION:Soon');
const talk = (name, hour, ...parts) =>
  part('VEVENT', `UID:${name}@example.com`, 'DTSTAMP:20300101T000000Z', `DTSTART:20300131T${hour}0000Z`, 'DURATION:PT1H', `SUMMARY:The ${name}`, 'DESCRIPTION:A talk', ...parts.flat());
for (const [says, ...parts] of [['no parts'], ['a reminder', reminder], ['a speaker', speaker], ['a speaker and a room', speaker, room]]) {
  const text = part('VCALENDAR', 'VERSION:2.0', 'PRODID:-//example.com//EN', ...talk('opening', '09', ...parts), ...talk('closing', '17', ...parts), '').join('\r\n');
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
  for (const [name, all] of Object.entries({ 'ts-ics': convertIcsCalendar(undefined, text).events, 'ical.js': events }))
    console.log(`${says}, ${name}: ${all.map(({ uid, summary, description }) => `${uid} "${summary}" (${description})`).join(', ')}`);
}
END
node talks.mjs > seen
cat seen
cat > expected <<'END'
no parts, ts-ics: opening@example.com "The opening" (A talk), closing@example.com "The closing" (A talk)
no parts, ical.js: opening@example.com "The opening" (A talk), closing@example.com "The closing" (A talk)
a reminder, ts-ics: opening@example.com "The opening" (A talk), closing@example.com "The closing" (A talk)
a reminder, ical.js: opening@example.com "The opening" (A talk), closing@example.com "The closing" (A talk)
a speaker, ts-ics: ada@example.com "Ada Lovelace, speaker" (Wrote the first program), ada@example.com "Ada Lovelace, speaker" (Wrote the first program)
a speaker, ical.js: opening@example.com "The opening" (A talk), closing@example.com "The closing" (A talk)
a speaker and a room, ts-ics: room-3@example.com "Ada Lovelace, speaker" (Wrote the first program), room-3@example.com "Ada Lovelace, speaker" (Wrote the first program)
a speaker and a room, ical.js: opening@example.com "The opening" (A talk), closing@example.com "The closing" (A talk)
END
diff expected seen
