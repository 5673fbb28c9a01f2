#!/usr/bin/env bash
# Packages: two that read lengths as ISO 8601 and calendar files write them, dayjs 1.11.23 (plugin duration) and iso8601-duration 2.1.4, beside luxon
#   3.7.2 and ical.js 2.2.1.
# The good guess: -PT15M, as a calendar file has it for "15 minutes before" (RFC 5545, 3.3.6 and 3.8.6.3), is a negative length, or an error. A
#   half may be written 0.5 or 0,5 (ISO 8601).
# What is seen: both read the minus and leave it out, so the reminder is 15 minutes after the start. (The page of iso8601-duration says that it does
#   not support a sign yet, and there is no error.) luxon and ical.js have it. PT1,5H is no time at all to dayjs, and invalid to luxon.
# Why it matters: everybody is reminded when the meeting is a quarter over. A length of a meeting is never negative, so what was tried
#   with lengths passes. Take the sign off before, and put it back.
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
