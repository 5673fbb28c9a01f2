#!/usr/bin/env bash
# Package: ics-to-json 2.0.2, which turns calendar files into JSON, compared with ical.js 2.2.1.
# The good guess: the value of a line is everything after the first colon outside quotation marks, and may itself contain colons (RFC 5545,
#   3.1). A time keeps what identifies its instant: its time zone (TZID), or the Z.
# What is seen: descriptions, locations and titles are cut at their first colon: of https://x.example/room, "https" is left, and "Talk: part
#   two" becomes "Talk". The time zone is dropped, so 09:00 in New York and 09:00 in Berlin are the same. Escapes stay as they are (Talk\,
#   with tea).
# Why it matters: the meeting link is what people look for five minutes before a call. A list sorted by start puts meetings in two cities in
#   the wrong order.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ics-to-json@2.0.2 ical.js@2.2.1 >> npm.log 2>&1
cat > events.mjs <<'END'
import ICAL from 'ical.js';
import { icsToJson } from 'ics-to-json';
const event = (...lines) => ['BEGIN:VEVENT', 'UID:1@x', 'DTSTAMP:20300101T000000Z', ...lines, 'END:VEVENT'];
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//x//EN', ...event(...lines), 'END:VCALENDAR', ''].join('\r\n');
for (const lines of [
  ['DTSTART:20300131T090000Z', 'DTEND:20300131T093000Z', 'SUMMARY:Talk'],
  ['DTSTART;TZID=America/New_York:20300131T090000', 'DTEND;TZID=America/New_York:20300131T093000', 'SUMMARY:Talk: part two'],
  ['DTSTART;TZID=Europe/Berlin:20300131T090000', 'DTEND;TZID=Europe/Berlin:20300131T093000', 'SUMMARY:Talk\\, with tea'],
  ['DTSTART:20300131T090000Z', 'DTEND:20300131T093000Z', 'DESCRIPTION:Join at https://x.example/room', 'LOCATION:https://x.example/room'],
]) {
  const text = file(...lines);
  const plain = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
  console.log(lines.slice(0, 1).concat(lines.slice(2)).join(' | '));
  console.log(`  ics-to-json: ${Object.values(icsToJson(text)[0]).join(' | ')}`);
  console.log(`  ical.js: ${['dtstart', 'dtend', 'summary', 'description', 'location'].filter((name) => plain.hasProperty(name)).map((name) => [plain.getFirstProperty(name).getParameter('tzid'), plain.getFirstPropertyValue(name)].filter(Boolean).join(' ')).join(' | ')}`);
}
END
node events.mjs > seen
cat seen
cat > expected <<'END'
DTSTART:20300131T090000Z | SUMMARY:Talk
  ics-to-json: 20300131T090000Z | 20300131T093000Z | Talk
  ical.js: 2030-01-31T09:00:00Z | 2030-01-31T09:30:00Z | Talk
DTSTART;TZID=America/New_York:20300131T090000 | SUMMARY:Talk: part two
  ics-to-json: 20300131T090000 | 20300131T093000 | Talk
  ical.js: America/New_York 2030-01-31T09:00:00 | America/New_York 2030-01-31T09:30:00 | Talk: part two
DTSTART;TZID=Europe/Berlin:20300131T090000 | SUMMARY:Talk\, with tea
  ics-to-json: 20300131T090000 | 20300131T093000 | Talk\, with tea
  ical.js: Europe/Berlin 2030-01-31T09:00:00 | Europe/Berlin 2030-01-31T09:30:00 | Talk, with tea
DTSTART:20300131T090000Z | DESCRIPTION:Join at https://x.example/room | LOCATION:https://x.example/room
  ics-to-json: 20300131T090000Z | 20300131T093000Z | Join at https | https
  ical.js: 2030-01-31T09:00:00Z | 2030-01-31T09:30:00Z | Join at https://x.example/room | https://x.example/room
END
diff expected seen
