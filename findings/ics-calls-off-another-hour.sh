#!/usr/bin/env bash
# Packages: ics 3.12.0, which writes calendar files, compared with ical.js 2.2.1, which reads them.
# The good guess: the cancelled meetings of a recurring event (exclusionDates) are given like its start, as five numbers, so they are read
#   and written in the same way: in UTC if startInputType says so, or as local time if startOutputType is local.
# What is seen: the numbers are always read on the machine's clock and written in UTC. With a start at 09:00Z, the exclusion is 08:00Z in
#   Berlin and 14:00Z in New York; no meeting starts then, so nothing is excluded. On a machine in UTC it is right.
# Why it matters: if a laptop writes the file, a cancelled session stays in everybody's calendar; if a server in UTC writes it, it is gone,
#   so tests there pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ics@3.12.0 ical.js@2.2.1 >> npm.log 2>&1
cat > called-off.mjs <<'JS'
import ICAL from 'ical.js';
import { createEvent } from 'ics';
const start = [2030, 1, 7, 9, 0];
const calledOff = [2030, 1, 14, 9, 0];
for (const type of ['utc', 'local']) {
  const { value } = createEvent({ title: 'Course', start, startInputType: type, startOutputType: type, duration: { hours: 1 }, recurrenceRule: 'FREQ=WEEKLY;COUNT=3', exclusionDates: [calledOff] });
  const event = new ICAL.Event(new ICAL.Component(ICAL.parse(value)).getFirstSubcomponent('vevent'));
  const steps = event.iterator();
  const days = [];
  for (let next = steps.next(); next; next = steps.next()) days.push(next.day);
  console.log(`${process.env.TZ}: ${/DTSTART.*/.exec(value)[0]} ${/EXDATE.*/.exec(value)[0]}, meetings on ${days.join(', ')} January`);
}
JS
for zone in UTC Europe/Berlin America/New_York; do TZ=$zone node called-off.mjs; done | tr -d '\r' > seen
cat seen
cat > expected <<'TXT'
UTC: DTSTART:20300107T090000Z EXDATE:20300114T090000Z, meetings on 7, 21 January
UTC: DTSTART:20300107T090000 EXDATE:20300114T090000Z, meetings on 7, 21 January
Europe/Berlin: DTSTART:20300107T090000Z EXDATE:20300114T080000Z, meetings on 7, 14, 21 January
Europe/Berlin: DTSTART:20300107T090000 EXDATE:20300114T080000Z, meetings on 7, 14, 21 January
America/New_York: DTSTART:20300107T090000Z EXDATE:20300114T140000Z, meetings on 7, 14, 21 January
America/New_York: DTSTART:20300107T090000 EXDATE:20300114T140000Z, meetings on 7, 14, 21 January
TXT
diff expected seen
