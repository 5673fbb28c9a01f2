#!/usr/bin/env bash
# Packages: node-ical 0.27.2 (with temporal-polyfill 1.0.8), compared with ical.js 2.2.1 and ts-ics 2.4.6.
# The good guess: a calendar file must define each time zone it names (VTIMEZONE), so a reader uses that definition, and the name can be
#   anything.
# What is seen: node-ical uses the definition only under the name that Outlook makes up ("Customized Time Zone"). With a name that it does
#   not know ("Head Office"), 09:00 is 09:00 in the server's own zone. For a name that it knows, it uses its own rules: "EST", defined with
#   summer time, is an hour off in July. The other two are right.
# Why it matters: room calendars and rotas name their zone after the office. The same file gives different times on a laptop and on a
#   server, and no error says that the zone was not found.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 ts-ics@2.4.6 >> npm.log 2>&1
cat > defined.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
const season = (kind, start, from, to, month, week) =>
  [`BEGIN:${kind}`, `DTSTART:${start}T020000`, `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${week}SU`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${kind}`];
const zone = (name) => ['BEGIN:VTIMEZONE', `TZID:${name}`, ...season('DAYLIGHT', '20070311', '-0500', '-0400', 3, 2), ...season('STANDARD', '20071104', '-0400', '-0500', 11, 1), 'END:VTIMEZONE'];
const show = (date) => date.toISOString().slice(11, 16) + 'Z';
for (const name of ['America/New_York', 'Head Office', 'Customized Time Zone', 'EST']) {
  const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Call', `DTSTART;TZID=${name}:20300715T090000`, 'DURATION:PT1H', 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...zone(name), ...event, 'END:VCALENDAR', ''].join('\r\n');
  const one = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
  const two = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
  const [three] = convertIcsCalendar(undefined, text).events;
  console.log(`${process.env.TZ}, 09:00 in "${name}": ical.js ${show(one.startDate.toJSDate())}, ts-ics ${show(three.start.date)}, node-ical ${show(two.start)}`);
}
END
for machine in UTC Asia/Tokyo; do TZ=$machine node defined.mjs; done > seen
cat seen
cat > expected <<'END'
UTC, 09:00 in "America/New_York": ical.js 13:00Z, ts-ics 13:00Z, node-ical 13:00Z
UTC, 09:00 in "Head Office": ical.js 13:00Z, ts-ics 13:00Z, node-ical 09:00Z
UTC, 09:00 in "Customized Time Zone": ical.js 13:00Z, ts-ics 13:00Z, node-ical 13:00Z
UTC, 09:00 in "EST": ical.js 13:00Z, ts-ics 13:00Z, node-ical 14:00Z
Asia/Tokyo, 09:00 in "America/New_York": ical.js 13:00Z, ts-ics 13:00Z, node-ical 13:00Z
Asia/Tokyo, 09:00 in "Head Office": ical.js 13:00Z, ts-ics 13:00Z, node-ical 00:00Z
Asia/Tokyo, 09:00 in "Customized Time Zone": ical.js 13:00Z, ts-ics 13:00Z, node-ical 13:00Z
Asia/Tokyo, 09:00 in "EST": ical.js 13:00Z, ts-ics 13:00Z, node-ical 14:00Z
END
diff expected seen
