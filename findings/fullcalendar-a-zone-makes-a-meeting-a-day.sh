#!/usr/bin/env bash
# Packages: fullcalendar 7.1.0 and its plugin @fullcalendar/rrule 7.1.0 (with rrule 2.8.1 and temporal-polyfill 1.0.8), bundled by esbuild
#   0.28.2 as for a web page, and run in jsdom 26.1.0.
# The good guess: a recurring event in the form of a calendar file (DTSTART;TZID=..., RFC 5545, 3.2.19), which the plugin's library reads,
#   appears at its time in a calendar of any zone, or is refused. Whether it ends by COUNT or UNTIL makes no difference.
# What is seen: with TZID and COUNT, each one-hour meeting becomes an all-day event. With UNTIL it has a time, which is right on a machine
#   in UTC. With allDay: false it has the same local time (14:00) in every zone, which is right only in UTC. On a machine in Berlin, both
#   are an hour later. A start in UTC is right everywhere.
# Why it matters: the nine o'clock stand-up is shown above each day and blocks no hour, so its hour is booked. Users who fix it with allDay:
#   false find it at another hour in each office. A test series ends by UNTIL, and passes. Expand the series yourself, and pass instants.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fullcalendar@7.1.0 @fullcalendar/rrule@7.1.0 rrule@2.8.1 temporal-polyfill@1.0.8 esbuild@0.28.2 jsdom@26.1.0 >> npm.log 2>&1
cat > page.mjs <<'END'
import rrule from '@fullcalendar/rrule';
import { Calendar } from 'fullcalendar';
import dayGrid from 'fullcalendar/daygrid';
const start = 'DTSTART;TZID=America/New_York:20300307T090000';
for (const [says, event] of [
  ['a start in UTC', { rrule: 'DTSTART:20300307T140000Z\nRRULE:FREQ=DAILY;COUNT=2' }],
  ['with its zone, ended by COUNT', { rrule: `${start}\nRRULE:FREQ=DAILY;COUNT=2` }],
  ['with its zone, ended by UNTIL', { rrule: `${start}\nRRULE:FREQ=DAILY;UNTIL=20300308T140000Z` }],
  ['with its zone, and allDay: false', { rrule: `${start}\nRRULE:FREQ=DAILY;COUNT=2`, allDay: false }],
])
  for (const timeZone of ['UTC', 'America/New_York']) {
    const events = [{ title: 'Stand-up', duration: '01:00', ...event }];
    const calendar = new Calendar(document.body, { plugins: [dayGrid, rrule], initialView: 'dayGridMonth', initialDate: '2030-03-01', timeZone, events });
    calendar.render();
    const shown = calendar.getEvents().map(({ startStr, allDay }) => `${startStr}${allDay ? ' (whole day)' : ''}`);
    console.log(`machine in ${process.env.TZ}, calendar in ${timeZone}, ${says}: ${shown.join(' ')}`);
    calendar.destroy();
  }
process.exit();
END
cat > browser.mjs <<'END'
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('', { pretendToBeVisual: true });
for (const name of ['document', 'Document', 'DocumentFragment', 'Element', 'Event', 'HTMLElement', 'MutationObserver', 'Node', 'SVGElement', 'ShadowRoot', 'getComputedStyle'])
  globalThis[name] = window[name];
Object.assign(globalThis, { window, requestAnimationFrame: (run) => setTimeout(run), ResizeObserver: class { observe() {} unobserve() {} disconnect() {} } });
await import('./built.mjs');
END
npx esbuild page.mjs --bundle --platform=node --main-fields=module,main --format=esm --outfile=built.mjs --log-level=error
for zone in UTC Europe/Berlin; do TZ=$zone node browser.mjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC, calendar in UTC, a start in UTC: 2030-03-07T14:00:00Z 2030-03-08T14:00:00Z
machine in UTC, calendar in America/New_York, a start in UTC: 2030-03-07T09:00:00-05:00 2030-03-08T09:00:00-05:00
machine in UTC, calendar in UTC, with its zone, ended by COUNT: 2030-03-07 (whole day) 2030-03-08 (whole day)
machine in UTC, calendar in America/New_York, with its zone, ended by COUNT: 2030-03-07 (whole day) 2030-03-08 (whole day)
machine in UTC, calendar in UTC, with its zone, ended by UNTIL: 2030-03-07T14:00:00Z 2030-03-08T14:00:00Z
machine in UTC, calendar in America/New_York, with its zone, ended by UNTIL: 2030-03-07T09:00:00-05:00 2030-03-08T09:00:00-05:00
machine in UTC, calendar in UTC, with its zone, and allDay: false: 2030-03-07T14:00:00Z 2030-03-08T14:00:00Z
machine in UTC, calendar in America/New_York, with its zone, and allDay: false: 2030-03-07T14:00:00-05:00 2030-03-08T14:00:00-05:00
machine in Europe/Berlin, calendar in UTC, a start in UTC: 2030-03-07T14:00:00Z 2030-03-08T14:00:00Z
machine in Europe/Berlin, calendar in America/New_York, a start in UTC: 2030-03-07T09:00:00-05:00 2030-03-08T09:00:00-05:00
machine in Europe/Berlin, calendar in UTC, with its zone, ended by COUNT: 2030-03-07 (whole day) 2030-03-08 (whole day)
machine in Europe/Berlin, calendar in America/New_York, with its zone, ended by COUNT: 2030-03-07 (whole day) 2030-03-08 (whole day)
machine in Europe/Berlin, calendar in UTC, with its zone, ended by UNTIL: 2030-03-07T15:00:00Z 2030-03-08T15:00:00Z
machine in Europe/Berlin, calendar in America/New_York, with its zone, ended by UNTIL: 2030-03-07T10:00:00-05:00 2030-03-08T10:00:00-05:00
machine in Europe/Berlin, calendar in UTC, with its zone, and allDay: false: 2030-03-07T15:00:00Z 2030-03-08T15:00:00Z
machine in Europe/Berlin, calendar in America/New_York, with its zone, and allDay: false: 2030-03-07T15:00:00-05:00 2030-03-08T15:00:00-05:00
END
diff expected seen
