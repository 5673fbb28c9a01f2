#!/usr/bin/env bash
# Packages: two readers of calendar files, node-ical 0.27.2 (with temporal-polyfill 1.0.8) and ts-ics 2.4.6, compared with ical.js 2.2.1.
# The good guess: a quoted parameter of an attendee is text (RFC 5545), even with a semicolon in it. ^' in it is a quotation mark (RFC 6868;
#   ical-generator writes it). An attendee invited through two groups (MEMBER) is an attendee.
# What is seen: both cut the name at the semicolon and keep the opening quotation mark (`"Room 3`), and both leave ^' as it is. With two
#   groups, ts-ics returns one group with quotation marks inside it, and node-ical loses the attendee.
# Why it matters: nobody can find the room named "Room 3; second floor" by half of its name. A list of who declined lacks people who were
#   invited through their teams, so somebody who will not come is counted on. Commas are read correctly, so most names pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 ts-ics@2.4.6 >> npm.log 2>&1
cat > guests.mjs <<'JS'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
const file = (guest) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'DTSTART:20300107T200000Z', 'DURATION:PT1H', 'SUMMARY:Meeting', guest, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const read = {
  'ical.js': (text) => {
    const guest = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getFirstProperty('attendee');
    return [guest.getParameter('cn'), guest.getParameter('member'), guest.getParameter('partstat')];
  },
  'node-ical': (text) => {
    const { attendee } = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
    return attendee === undefined ? [] : [attendee.params.CN, attendee.params.MEMBER, attendee.params.PARTSTAT];
  },
  'ts-ics': (text) => (convertIcsCalendar(undefined, text).events[0].attendees ?? []).flatMap(({ name, member, partstat }) => [name, member, partstat]),
};
for (const guest of [
  'CN="Lovelace, Ada"',
  'CN="Room 3; second floor"',
  `CN="Ada ^'Countess^' Lovelace"`,
  'MEMBER="mailto:red@example.com","mailto:blue@example.com";PARTSTAT=DECLINED',
])
  for (const [reader, readIt] of Object.entries(read)) {
    const seen = readIt(file(`ATTENDEE;${guest}:mailto:ada@example.com`)).filter((each) => each !== undefined);
    console.log(`${guest}: ${reader} ${seen.length === 0 ? 'nobody' : JSON.stringify(seen.flat())}`);
  }
JS
node guests.mjs > seen
cat seen
cat > expected <<'TXT'
CN="Lovelace, Ada": ical.js ["Lovelace, Ada"]
CN="Lovelace, Ada": node-ical ["Lovelace, Ada"]
CN="Lovelace, Ada": ts-ics ["Lovelace, Ada"]
CN="Room 3; second floor": ical.js ["Room 3; second floor"]
CN="Room 3; second floor": node-ical ["\"Room 3"]
CN="Room 3; second floor": ts-ics ["\"Room 3"]
CN="Ada ^'Countess^' Lovelace": ical.js ["Ada \"Countess\" Lovelace"]
CN="Ada ^'Countess^' Lovelace": node-ical ["Ada ^'Countess^' Lovelace"]
CN="Ada ^'Countess^' Lovelace": ts-ics ["Ada ^'Countess^' Lovelace"]
MEMBER="mailto:red@example.com","mailto:blue@example.com";PARTSTAT=DECLINED: ical.js ["mailto:red@example.com","mailto:blue@example.com","DECLINED"]
MEMBER="mailto:red@example.com","mailto:blue@example.com";PARTSTAT=DECLINED: node-ical nobody
MEMBER="mailto:red@example.com","mailto:blue@example.com";PARTSTAT=DECLINED: ts-ics ["red@example.com\",\"blue@example.com","DECLINED"]
TXT
diff expected seen
