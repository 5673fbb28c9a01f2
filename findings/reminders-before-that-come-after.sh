#!/usr/bin/env bash
# Packages: two that parse ISO 8601 durations, as in calendar files, dayjs 1.11.23 (plugin duration) and iso8601-duration 2.1.4, compared
#   with luxon 3.7.2 and ical.js 2.2.1.
# The good guess: -PT15M, which in a calendar file means "15 minutes before" (RFC 5545, 3.3.6 and 3.8.6.3), is a negative duration, or an
#   error. A half may be written 0.5 or 0,5 (ISO 8601).
# What is seen: both accept the minus and drop it, so the reminder for a 09:00 start is at 09:15. (The page of iso8601-duration says that it
#   does not support a sign yet, but it throws no error.) luxon and ical.js give 08:45. PT1,5H is zero in dayjs, and invalid in luxon.
# Why it matters: everybody is reminded a quarter of an hour into the meeting. The length of a meeting is never negative, so a test with
#   lengths passes. Remove the sign before parsing, and apply it afterwards.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts dayjs@1.11.23 iso8601-duration@2.1.4 luxon@3.7.2 ical.js@2.2.1 >> npm.log 2>&1
cat > reminders.mjs <<'END'
import dayjs from 'dayjs';
import duration from 'dayjs/plugin/duration.js';
import ICAL from 'ical.js';
import * as iso from 'iso8601-duration';
import { Duration } from 'luxon';
dayjs.extend(duration);
const start = new Date('2030-01-31T09:00:00Z');
const readers = {
  dayjs: (text) => dayjs(start).add(dayjs.duration(text)).toDate(),
  'iso8601-duration': (text) => iso.end(iso.parse(text), start),
  luxon: (text) => new Date(start.getTime() + Duration.fromISO(text).toMillis()),
  'ical.js': (text) => new Date(start.getTime() + ICAL.Duration.fromString(text).toSeconds() * 1000),
};
for (const text of ['PT1H', 'PT1.5H', 'PT1,5H', '-PT15M', '-P1D'])
  for (const [name, read] of Object.entries(readers)) {
    if (name === 'ical.js' && /[.,]/.test(text)) continue;
    const at = read(text);
    console.log(`${text} from 09:00 on the 31st, ${name}: ${Number.isNaN(at.getTime()) ? 'invalid' : at.toISOString().slice(8, 16)}`);
  }
END
TZ=UTC node reminders.mjs > seen
cat seen
cat > expected <<'END'
PT1H from 09:00 on the 31st, dayjs: 31T10:00
PT1H from 09:00 on the 31st, iso8601-duration: 31T10:00
PT1H from 09:00 on the 31st, luxon: 31T10:00
PT1H from 09:00 on the 31st, ical.js: 31T10:00
PT1.5H from 09:00 on the 31st, dayjs: 31T10:30
PT1.5H from 09:00 on the 31st, iso8601-duration: 31T10:30
PT1.5H from 09:00 on the 31st, luxon: 31T10:30
PT1,5H from 09:00 on the 31st, dayjs: 31T09:00
PT1,5H from 09:00 on the 31st, iso8601-duration: 31T10:30
PT1,5H from 09:00 on the 31st, luxon: invalid
-PT15M from 09:00 on the 31st, dayjs: 31T09:15
-PT15M from 09:00 on the 31st, iso8601-duration: 31T09:15
-PT15M from 09:00 on the 31st, luxon: 31T08:45
-PT15M from 09:00 on the 31st, ical.js: 31T08:45
-P1D from 09:00 on the 31st, dayjs: 01T09:00
-P1D from 09:00 on the 31st, iso8601-duration: 01T09:00
-P1D from 09:00 on the 31st, luxon: 30T09:00
-P1D from 09:00 on the 31st, ical.js: 30T09:00
END
diff expected seen
