#!/usr/bin/env bash
# Packages: ical-generator 10.2.0 (with luxon 3.7.2), which writes calendar files, and three readers: ical.js 2.2.1, node-ical 0.26.1 and
#   ts-ics 2.4.6.
# The good guess: an event written in its attendees' time zone is read back by every reader as the instant that was given.
# What is seen: the writer names the zone, but does not define it (no VTIMEZONE, unless it is given a generator from another package).
#   ical.js then silently reads the time as the machine's local time: 13:00Z becomes 09:00Z on a machine in UTC, and 07:00Z in Berlin.
#   node-ical and ts-ics know the zone by its name and are right. When the clocks go back, nobody is: 05:30Z to 06:30Z in New York is
#   written as 01:30 to 01:30, with no length.
# Why it matters: the same invitation shows different times in different programs, and a booking across the clock change blocks nothing.
#   Written in UTC (no zone for the event), all three readers return what was given.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical-generator@10.2.0 luxon@3.7.2 ical.js@2.2.1 node-ical@0.26.1 ts-ics@2.4.6 >> npm.log 2>&1
cat > roundtrip.mjs <<'END'
import ICAL from 'ical.js';
import ical from 'ical-generator';
import { DateTime } from 'luxon';
import nodeIcal from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
const clock = (start, end) => `${start.toISOString().slice(11, 16)}Z-${end.toISOString().slice(11, 16)}Z`;
const inZone = (time, zone) => DateTime.fromISO(time, { zone: zone ?? 'utc' });
const readAll = (start, end, timezone) => {
  const file = ical({ name: 'Bookings' });
  file.createEvent({ id: '1', summary: 'Meeting', start: inZone(start, timezone), end: inZone(end, timezone), ...(timezone && { timezone }) });
  const text = file.toString();
  const one = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
  const two = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
  const [three] = convertIcsCalendar(undefined, text).events;
  return `ical.js ${clock(one.startDate.toJSDate(), one.endDate.toJSDate())}, node-ical ${clock(two.start, two.end)}, ts-ics ${clock(three.start.date, three.end.date)}`;
};
const machine = process.env.TZ;
console.log(`summer, in its zone, read in ${machine}:`, readAll('2026-07-01T13:00:00Z', '2026-07-01T14:00:00Z', 'America/New_York'));
console.log(`summer, in UTC, read in ${machine}:`, readAll('2026-07-01T13:00:00Z', '2026-07-01T14:00:00Z'));
console.log(`05:30Z-06:30Z of the change, in its zone, read in ${machine}:`, readAll('2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', 'America/New_York'));
END
for zone in UTC Europe/Berlin; do TZ=$zone node roundtrip.mjs; done > seen
cat seen
cat > expected <<'END'
summer, in its zone, read in UTC: ical.js 09:00Z-10:00Z, node-ical 13:00Z-14:00Z, ts-ics 13:00Z-14:00Z
summer, in UTC, read in UTC: ical.js 13:00Z-14:00Z, node-ical 13:00Z-14:00Z, ts-ics 13:00Z-14:00Z
05:30Z-06:30Z of the change, in its zone, read in UTC: ical.js 01:30Z-01:30Z, node-ical 06:30Z-06:30Z, ts-ics 05:30Z-05:30Z
summer, in its zone, read in Europe/Berlin: ical.js 07:00Z-08:00Z, node-ical 13:00Z-14:00Z, ts-ics 13:00Z-14:00Z
summer, in UTC, read in Europe/Berlin: ical.js 13:00Z-14:00Z, node-ical 13:00Z-14:00Z, ts-ics 13:00Z-14:00Z
05:30Z-06:30Z of the change, in its zone, read in Europe/Berlin: ical.js 00:30Z-00:30Z, node-ical 06:30Z-06:30Z, ts-ics 05:30Z-05:30Z
END
diff expected seen
