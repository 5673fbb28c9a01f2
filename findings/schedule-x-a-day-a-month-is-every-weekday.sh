#!/usr/bin/env bash
# Packages: @schedule-x/event-recurrence 4.8.0, which shows recurring events in the Schedule-X calendar (with @schedule-x/calendar 4.9.1,
#   preact 10.29.8, @preact/signals 2.11.4, temporal-polyfill 0.3.2 and jsdom 26.1.0), compared with ical.js 2.2.1.
# The good guess: a rule from a calendar file (RFC 5545) means what it means there, or is rejected, as FREQ=HOURLY is; and a local time that
#   is skipped on one day is back on the next.
# What is seen: a rule part that the library does not know is silently ignored: "the last working day of each month" (BYSETPOS) is every
#   working day, and "daily in January" (BYMONTH) goes on in February. On a machine in California, a daily event at 02:30 is at 03:30 from
#   the clock change on, although the calendar is in Tokyo's time zone.
# Why it matters: the page shows a host as busy every day, or shows guests an event that does not exist, and the calendar that the rule came
#   from shows something else.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @schedule-x/event-recurrence@4.8.0 @schedule-x/calendar@4.9.1 preact@10.29.8 @preact/signals@2.11.4 temporal-polyfill@0.3.2 jsdom@26.1.0 ical.js@2.2.1 >> npm.log 2>&1
cat > series.mjs <<'END'
import ICAL from 'ical.js';
import { JSDOM } from 'jsdom';
import 'temporal-polyfill/global';
const { window } = new JSDOM('<!doctype html><html><body></body></html>');
Object.assign(globalThis, { window, document: window.document });
const { createCalendar, createViewMonthGrid } = await import('@schedule-x/calendar');
const { createEventRecurrencePlugin } = await import('@schedule-x/event-recurrence');
const zone = 'Asia/Tokyo'; // which does not change its clocks
const shown = (start, rrule) => {
  const from = Temporal.ZonedDateTime.from(`${start}[${zone}]`);
  const plugin = createEventRecurrencePlugin();
  const events = [{ id: 1, title: 'Talk', start: from, end: from.add({ minutes: 30 }), rrule }];
  const { $app } = createCalendar({ timezone: zone, views: [createViewMonthGrid()], selectedDate: from.toPlainDate(), events }, [plugin]);
  plugin.beforeRender($app);
  plugin.onRangeUpdate({ start: from.subtract({ days: 1 }), end: from.add({ years: 5 }) });
  return $app.calendarEvents.list.value.map((event) => event._start.toString().slice(0, 16));
};
const expected = (start, rrule) => {
  const times = ICAL.Recur.fromString(rrule).iterator(ICAL.Time.fromDateTimeString(`${start}:00`));
  return Array.from({ length: 4 }, () => times.next()?.toString().slice(0, 16)).filter(Boolean);
};
console.log(`machine in ${process.env.TZ}`);
for (const [start, rrule] of [
  ['2030-01-03T09:00', 'FREQ=WEEKLY;COUNT=4'],
  ['2030-01-31T09:00', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4'],
  ['2030-01-30T09:00', 'FREQ=DAILY;BYMONTH=1;COUNT=4'],
  ['2030-03-09T02:30', 'FREQ=DAILY;COUNT=4'],
])
  console.log(`  ${rrule}: ${shown(start, rrule).join(' ')}${`${shown(start, rrule)}` === `${expected(start, rrule)}` ? '' : `; ical.js ${expected(start, rrule).join(' ')}`}`);
END
for zone in UTC America/Los_Angeles; do TZ=$zone node series.mjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  FREQ=WEEKLY;COUNT=4: 2030-01-03T09:00 2030-01-10T09:00 2030-01-17T09:00 2030-01-24T09:00
  FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 2030-01-31T09:00 2030-02-01T09:00 2030-02-04T09:00 2030-02-05T09:00; ical.js 2030-01-31T09:00 2030-02-28T09:00 2030-03-29T09:00 2030-04-30T09:00
  FREQ=DAILY;BYMONTH=1;COUNT=4: 2030-01-30T09:00 2030-01-31T09:00 2030-02-01T09:00 2030-02-02T09:00; ical.js 2030-01-30T09:00 2030-01-31T09:00 2031-01-01T09:00 2031-01-02T09:00
  FREQ=DAILY;COUNT=4: 2030-03-09T02:30 2030-03-10T02:30 2030-03-11T02:30 2030-03-12T02:30
machine in America/Los_Angeles
  FREQ=WEEKLY;COUNT=4: 2030-01-03T09:00 2030-01-10T09:00 2030-01-17T09:00 2030-01-24T09:00
  FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4: 2030-01-31T09:00 2030-02-01T09:00 2030-02-04T09:00 2030-02-05T09:00; ical.js 2030-01-31T09:00 2030-02-28T09:00 2030-03-29T09:00 2030-04-30T09:00
  FREQ=DAILY;BYMONTH=1;COUNT=4: 2030-01-30T09:00 2030-01-31T09:00 2030-02-01T09:00 2030-02-02T09:00; ical.js 2030-01-30T09:00 2030-01-31T09:00 2031-01-01T09:00 2031-01-02T09:00
  FREQ=DAILY;COUNT=4: 2030-03-09T02:30 2030-03-10T03:30 2030-03-11T03:30 2030-03-12T03:30; ical.js 2030-03-09T02:30 2030-03-10T02:30 2030-03-11T02:30 2030-03-12T02:30
END
diff expected seen
