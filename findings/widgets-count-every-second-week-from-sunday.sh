#!/usr/bin/env bash
# Packages: two with which calendars on web pages show recurring events, @progress/kendo-recurrence 1.0.5 (with @progress/kendo-date-math
#   1.5.17 and -intl 3.2.1, and tslib 2.9.1) and @syncfusion/ej2-schedule 34.2.8 (with jsdom 26.1.0), compared with rrule 2.8.1 and ical.js
#   2.2.1.
# The good guess: a recurrence rule from a calendar file means what it means there. By default a week begins on Monday (RFC 5545, 3.3.10:
#   "the default value is MO"), so every second weekend is a Saturday and the Sunday after it.
# What is seen: both begin the week on Sunday. The Sundays come a week late (5 and 13 January instead of 5 and 6), so the Saturday is of one
#   weekend and the Sunday of the next. With WKST=MO in the rule both are right.
# Why it matters: for a calendar that omits the default, an on-call rota shows the wrong person every Sunday, and a free person as busy.
#   Rules without a Sunday, and weekly ones, are the same, so tests on working days pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @progress/kendo-recurrence@1.0.5 @progress/kendo-date-math@1.5.17 @progress/kendo-intl@3.2.1 tslib@2.9.1 @syncfusion/ej2-schedule@34.2.8 jsdom@26.1.0 rrule@2.8.1 ical.js@2.2.1 >> npm.log 2>&1
cat > weeks.cjs <<'END'
const { JSDOM } = require('jsdom');
const { window } = new JSDOM('');
Object.assign(globalThis, { window, document: window.document, Element: window.Element, HTMLElement: window.HTMLElement, NodeList: window.NodeList });
Object.defineProperty(globalThis, 'navigator', { value: window.navigator, configurable: true });
require('@progress/kendo-date-math/tz/all');
const { ZonedDate } = require('@progress/kendo-date-math');
const kendo = require('@progress/kendo-recurrence');
const { generate } = require('@syncfusion/ej2-schedule');
const { rrulestr } = require('rrule');
const utc = (text) => ZonedDate.fromUTCDate(new Date(text), 'Etc/UTC');
const day = (date) => date.toISOString().slice(5, 10);
const readers = {
  rrule: (start, rule) => rrulestr(`DTSTART:${start.replace(/\W|\.000/g, '')}\nRRULE:${rule}`).all(),
  'ical.js': (start, rule) => {
    const series = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(start));
    return [1, 2, 3, 4].map(() => new Date(`${series.next()}`));
  },
  kendo: (start, rule) => {
    const series = { ...kendo.parseRule({ recurrenceRule: `RRULE:${rule}`, timezone: 'Etc/UTC' }), start: utc(start), end: utc(start.replace('T09', 'T10')) };
    return kendo.expand(series, { rangeStart: utc('2030-01-01T00:00Z'), rangeEnd: utc('2030-04-01T00:00Z') }).events.map(({ start }) => start.toUTCDate());
  },
  syncfusion: (start, rule) => generate(new Date(start), rule).map((time) => new Date(time)),
};
let ICAL;
import('ical.js').then((module) => {
  ICAL = module.default;
  for (const rule of ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4;WKST=MO', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;COUNT=4'])
    for (const [name, read] of Object.entries(readers)) {
      const start = rule.includes('SA') ? '2030-01-05T09:00:00Z' : '2030-01-07T09:00:00Z';
      console.log(`${rule}, ${name}: ${read(start, rule).map(day).join(' ')}`);
    }
});
END
TZ=UTC node weeks.cjs > seen
cat seen
cat > expected <<'END'
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4, rrule: 01-05 01-06 01-19 01-20
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4, ical.js: 01-05 01-06 01-19 01-20
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4, kendo: 01-05 01-13 01-19 01-27
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4, syncfusion: 01-05 01-13 01-19 01-27
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4;WKST=MO, rrule: 01-05 01-06 01-19 01-20
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4;WKST=MO, ical.js: 01-05 01-06 01-19 01-20
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4;WKST=MO, kendo: 01-05 01-06 01-19 01-20
FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4;WKST=MO, syncfusion: 01-05 01-06 01-19 01-20
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;COUNT=4, rrule: 01-07 01-08 01-21 01-22
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;COUNT=4, ical.js: 01-07 01-08 01-21 01-22
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;COUNT=4, kendo: 01-07 01-08 01-21 01-22
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;COUNT=4, syncfusion: 01-07 01-08 01-21 01-22
END
diff expected seen
