#!/usr/bin/env bash
# Packages: timezones-ical-library 2.3.2, which returns the definition of a time zone (VTIMEZONE) for a calendar file; ical.js 2.2.1, which
#   parses it; and moment-timezone 0.6.6 for the history.
# The good guess: the definition gives the zone's offset at the times in the file. Its first rule is dated 1970, so it holds for all times
#   since then.
# What is seen: it contains only today's rule, dated back to 1970. By it, Vancouver, which gave up winter time in 2026, never had it, nor
#   did Jordan, and Mexico never had summer time.
# Why it matters: a file with last winter's meetings, or a series that began then, is an hour off in every program that uses the definition,
#   as it must, and right in those that go by the zone's name. Only zones that changed their law show it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts timezones-ical-library@2.3.2 ical.js@2.2.1 moment-timezone@0.6.6 >> npm.log 2>&1
cat > history.mjs <<'END'
import ICAL from 'ical.js';
import moment from 'moment-timezone';
import { tzlib_get_ical_block as blockOf } from 'timezones-ical-library';
for (const [zone, start] of [
  ['America/New_York', '2026-01-15T09:00:00'],
  ['America/Vancouver', '2026-01-15T09:00:00'],
  ['America/Mexico_City', '2022-07-15T09:00:00'],
  ['Asia/Amman', '2022-01-15T09:00:00'],
]) {
  const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20220101T000000Z', 'SUMMARY:Meeting', `DTSTART;TZID=${zone}:${start.replace(/[-:]/g, '')}`, 'DURATION:PT1H', 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', blockOf(zone)[0], ...event, 'END:VCALENDAR', ''].join('\r\n');
  const read = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')).startDate.toJSDate();
  const was = moment.tz(start, zone).toDate();
  console.log(`${start} in ${zone}: by the definition ${read.toISOString().slice(11, 16)}Z, by the history ${was.toISOString().slice(11, 16)}Z`);
}
END
TZ=UTC node history.mjs > seen
cat seen
cat > expected <<'END'
2026-01-15T09:00:00 in America/New_York: by the definition 14:00Z, by the history 14:00Z
2026-01-15T09:00:00 in America/Vancouver: by the definition 16:00Z, by the history 17:00Z
2022-07-15T09:00:00 in America/Mexico_City: by the definition 15:00Z, by the history 14:00Z
2022-01-15T09:00:00 in Asia/Amman: by the definition 06:00Z, by the history 07:00Z
END
diff expected seen
