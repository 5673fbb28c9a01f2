#!/usr/bin/env bash
# Packages: @fullcalendar/icalendar 6.1.20, FullCalendar's plugin for calendar files (with @fullcalendar/core, daygrid and luxon3 6.1.20,
#   luxon 3.7.2 and ical.js 1.5.0), bundled by esbuild 0.28.2 as for a web page, and run in jsdom 26.1.0.
# The good guess: a meeting in a time zone (TZID) that the file defines, as it must (RFC 5545, 3.2.19), appears at its instant in a calendar
#   of any zone. One that the file marks as cancelled (STATUS:CANCELLED, 3.8.1.11) does not look like one that takes place.
# What is seen: the zone is ignored. 09:00 in New York is 09:00 in a calendar of any zone, and a flight from New York to Berlin, with each
#   end in local time, takes 14 hours instead of 8. A cancelled meeting is shown like the others, and the event object has no status. Times
#   in UTC are right.
# Why it matters: a team in two zones opens one feed and sees the meeting at two different times, each of them nine o'clock. In the zone of
#   the person who set it up, it works. Let a server convert the times to UTC and remove what was cancelled.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @fullcalendar/core@6.1.20 @fullcalendar/icalendar@6.1.20 @fullcalendar/daygrid@6.1.20 @fullcalendar/luxon3@6.1.20 luxon@3.7.2 ical.js@1.5.0 esbuild@0.28.2 jsdom@26.1.0 >> npm.log 2>&1
cat > page.mjs <<'END'
import { Calendar } from '@fullcalendar/core';
import dayGrid from '@fullcalendar/daygrid';
import iCalendar from '@fullcalendar/icalendar';
import luxon from '@fullcalendar/luxon3';
const zone = (name, standard, summer) => [
  ...['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', 'DTSTART:20071104T020000', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU', `TZOFFSETFROM:${summer}`, `TZOFFSETTO:${standard}`, 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:20070325T020000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', `TZOFFSETFROM:${standard}`, `TZOFFSETTO:${summer}`, 'END:DAYLIGHT', 'END:VTIMEZONE'],
];
const event = (summary, ...lines) => ['BEGIN:VEVENT', `UID:${summary}@example.com`, 'DTSTAMP:20300101T000000Z', `SUMMARY:${summary}`, ...lines, 'END:VEVENT'];
const file = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example.com//EN', ...zone('America/New_York', '-0500', '-0400'), ...zone('Europe/Berlin', '+0100', '+0200')],
  ...event('in-utc', 'DTSTART:20300107T140000Z', 'DTEND:20300107T150000Z'),
  ...event('in-new-york', 'DTSTART;TZID=America/New_York:20300107T090000', 'DTEND;TZID=America/New_York:20300107T100000'),
  ...event('flight', 'DTSTART;TZID=America/New_York:20300108T090000', 'DTEND;TZID=Europe/Berlin:20300108T230000'),
  ...event('called-off', 'STATUS:CANCELLED', 'DTSTART:20300109T140000Z', 'DTEND:20300109T150000Z'),
  ...['END:VCALENDAR', ''],
].join('\r\n');
globalThis.fetch = async () => new Response(file, { headers: { 'Content-Type': 'text/calendar' } });
for (const timeZone of ['America/New_York', 'Europe/Berlin', 'UTC']) {
  const events = { url: 'http://127.0.0.1/feed.ics', format: 'ics' };
  const calendar = await new Promise((done) => {
    const options = { plugins: [dayGrid, iCalendar, luxon], initialView: 'dayGridMonth', initialDate: '2030-01-01', timeZone, events };
    const made = new Calendar(document.body, { ...options, loading: (loading) => loading || setTimeout(() => done(made)) });
    made.render();
  });
  for (const { title, start, end, startStr, extendedProps } of calendar.getEvents())
    console.log(`calendar in ${timeZone}: ${title} at ${startStr}, ${(end - start) / 3_600_000} hours${'status' in extendedProps ? `, ${extendedProps.status}` : ''}`);
  calendar.destroy();
}
process.exit();
END
cat > browser.mjs <<'END'
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('', { pretendToBeVisual: true });
for (const name of ['document', 'Document', 'DocumentFragment', 'Element', 'Event', 'HTMLElement', 'MutationObserver', 'Node', 'ShadowRoot', 'getComputedStyle']) globalThis[name] = window[name];
Object.assign(globalThis, { window, requestAnimationFrame: (run) => setTimeout(run) });
await import('./built.mjs');
END
npx esbuild page.mjs --bundle --platform=node --main-fields=module,main --format=esm --outfile=built.mjs --log-level=error
TZ=UTC node browser.mjs > seen
cat seen
cat > expected <<'END'
calendar in America/New_York: in-utc at 2030-01-07T09:00:00-05:00, 1 hours
calendar in America/New_York: in-new-york at 2030-01-07T09:00:00-05:00, 1 hours
calendar in America/New_York: flight at 2030-01-08T09:00:00-05:00, 14 hours
calendar in America/New_York: called-off at 2030-01-09T09:00:00-05:00, 1 hours
calendar in Europe/Berlin: in-utc at 2030-01-07T15:00:00+01:00, 1 hours
calendar in Europe/Berlin: in-new-york at 2030-01-07T09:00:00+01:00, 1 hours
calendar in Europe/Berlin: flight at 2030-01-08T09:00:00+01:00, 14 hours
calendar in Europe/Berlin: called-off at 2030-01-09T15:00:00+01:00, 1 hours
calendar in UTC: in-utc at 2030-01-07T14:00:00Z, 1 hours
calendar in UTC: in-new-york at 2030-01-07T09:00:00Z, 1 hours
calendar in UTC: flight at 2030-01-08T09:00:00Z, 14 hours
calendar in UTC: called-off at 2030-01-09T14:00:00Z, 1 hours
END
diff expected seen
