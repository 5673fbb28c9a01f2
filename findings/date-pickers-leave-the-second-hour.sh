#!/usr/bin/env bash
# Package: @internationalized/date 3.12.4, on which date pickers such as React Aria's are built, compared with temporal-polyfill 1.0.8.
# The good guess: when an hour occurs twice and a time is in the second one, setting its minutes keeps it there, as Temporal's with() does.
# What is seen: set({ minute: 30 }) silently moves 01:15 of the second hour to 01:30 of the first, so "15 minutes later" is 45 minutes
#   earlier. cycle, which the arrow keys use, and add stay in the second hour.
# Why it matters: a user who changes a quarter past to half past, for a night shift or a call with another continent, books an hour earlier,
#   and the clock on the screen looks right. The arrow keys work; typing a number does not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @internationalized/date@3.12.4 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > minutes.mjs <<'END'
import { parseZonedDateTime } from '@internationalized/date';
import { Temporal } from 'temporal-polyfill';
for (const text of ['2026-11-01T01:15:00-04:00[America/New_York]', '2026-11-01T01:15:00-05:00[America/New_York]']) {
  const one = parseZonedDateTime(text);
  const two = Temporal.ZonedDateTime.from(text);
  const show = (time) => String(time).slice(11, 25);
  console.log(show(text));
  console.log(`  set the minute: ${show(one.set({ minute: 30 }))}, Temporal ${show(two.with({ minute: 30 }))}`);
  console.log(`  set the same minute: ${show(one.set({ minute: 15 }))}, Temporal ${show(two.with({ minute: 15 }))}`);
  console.log(`  by the arrow: ${show(one.cycle('minute', 15))}`);
  console.log(`  15 minutes later: ${show(one.add({ minutes: 15 }))}, Temporal ${show(two.add({ minutes: 15 }))}`);
}
END
TZ=UTC node minutes.mjs > seen
cat seen
cat > expected <<'END'
01:15:00-04:00
  set the minute: 01:30:00-04:00, Temporal 01:30:00-04:00
  set the same minute: 01:15:00-04:00, Temporal 01:15:00-04:00
  by the arrow: 01:30:00-04:00
  15 minutes later: 01:30:00-04:00, Temporal 01:30:00-04:00
01:15:00-05:00
  set the minute: 01:30:00-04:00, Temporal 01:30:00-05:00
  set the same minute: 01:15:00-05:00, Temporal 01:15:00-05:00
  by the arrow: 01:30:00-05:00
  15 minutes later: 01:30:00-05:00, Temporal 01:30:00-05:00
END
diff expected seen
