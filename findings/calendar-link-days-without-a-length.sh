#!/usr/bin/env bash
# Package: calendar-link 2.11.5, which makes calendar links and files.
# The good guess: an all-day event lasts that day, and one with a duration of three days lasts three.
# What is seen: three days become one, in the link and in the file, because allDay ignores duration. If the end is the same day as the
#   start, it is written as the end; RFC 5545 (3.6.1) does not include the end day, so the event has no length.
# Why it matters: an absence of three days is in the calendar for one, so people are booked on the other two. Calendars differ in what they
#   make of an event without a length. Give the day after the last one as the end, and no duration.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts calendar-link@2.11.5 >> npm.log 2>&1
cat > days.mjs <<'END'
import { google, ics } from 'calendar-link';
const whole = { title: 'Away', start: '2026-12-15', allDay: true };
const events = { 'three days': { duration: [3, 'day'] }, 'until the 15th': { end: '2026-12-15' }, 'until the 18th': { end: '2026-12-18' } };
for (const [words, more] of Object.entries(events)) {
  const event = { ...whole, ...more };
  const [, link] = /dates=([\d/]+)/.exec(decodeURIComponent(google(event)));
  const file = [...decodeURIComponent(ics(event)).matchAll(/DT(?:START|END)[^:\n]*:(\d+)/g)].map(([, day]) => day);
  console.log(`from the 15th, ${words}: link ${link}, file ${file.join('/')}`);
}
END
TZ=Europe/Berlin node days.mjs > seen
cat seen
cat > expected <<'END'
from the 15th, three days: link 20261215/20261216, file 20261215/20261216
from the 15th, until the 15th: link 20261215/20261215, file 20261215/20261215
from the 15th, until the 18th: link 20261215/20261218, file 20261215/20261218
END
diff expected seen
