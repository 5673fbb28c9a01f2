#!/usr/bin/env bash
# Packages: node-ical 0.27.2 (with temporal-polyfill 1.0.8), compared with ical.js 2.2.1.
# The good guess: a reader that applies moved meetings of a recurring event (RECURRENCE-ID) also supports "this and all later ones"
#   (RANGE=THISANDFUTURE, the only value left in RFC 5545).
# What is seen: node-ical moves only that one meeting, and leaves all later ones at the old time. ical.js moves them all.
# Why it matters: "from the 14th on, Tuesdays at eleven" is read as a single exception. From the following week on, the old hour is shown as
#   taken, and the new one is offered and booked.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > later.mjs <<'END'
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
const event = (...lines) => ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20290101T000000Z', 'SUMMARY:Weekly', ...lines, 'DURATION:PT1H', 'END:VEVENT'];
const text = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN'],
  ...event('DTSTART:20300107T090000Z', 'RRULE:FREQ=WEEKLY;COUNT=4'),
  ...event('RECURRENCE-ID;RANGE=THISANDFUTURE:20300114T090000Z', 'DTSTART:20300115T110000Z'),
  ...['END:VCALENDAR', ''],
].join('\r\n');
const show = (date) => date.toISOString().slice(5, 16);
const [series, change] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
series.relateException(change);
const steps = series.iterator();
const one = [];
for (let next = steps.next(); next; next = steps.next()) one.push(show(series.getOccurrenceDetails(next).startDate.toJSDate()));
console.log('ical.js:  ', ...one);
const read = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
console.log('node-ical:', ...nodeIcal.expandRecurringEvent(read, { from: new Date('2030-01-01'), to: new Date('2030-03-01') }).map(({ start }) => show(start)));
END
TZ=UTC node later.mjs > seen
cat seen
cat > expected <<'END'
ical.js:   01-07T09:00 01-15T11:00 01-22T11:00 01-29T11:00
node-ical: 01-07T09:00 01-15T11:00 01-21T09:00 01-28T09:00
END
diff expected seen
