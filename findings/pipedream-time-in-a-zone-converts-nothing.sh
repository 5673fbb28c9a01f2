#!/usr/bin/env bash
# Package: @pipedream/helper_functions 0.3.13, the actions "Get Time in Timezone" and "Format ISO8601 Date/Time for Google Sheets" of
#   Pipedream (with moment 2.30.1 and moment-timezone 0.6.6); run on a machine in UTC, as Pipedream's are.
# The good guess: "If this timestamp doesn't have a timezone component, it's assumed to be in UTC", says the first action, so 14:00 is 09:00
#   in New York. The second shows a time with an offset as it is written.
# What is seen: without an offset, the first action takes the time for one in the target zone, and only adds the offset: 14:00 stays 14:00
#   in New York, in Kolkata and everywhere. With a Z it converts. The second converts to the zone of the machine: 20:00-05:00 becomes 1 a.m.
#   of the next day.
# Why it matters: services that give times in UTC without a Z, as databases do, have the guest told two in the afternoon for nine in the
#   morning, with the right offset next to it. And an evening's booking is in the sheet on the next day.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @pipedream/helper_functions@0.3.13 moment@2.30.1 moment-timezone@0.6.6 >> npm.log 2>&1
cat > times.mjs <<'END'
import format from '@pipedream/helper_functions/actions/format-iso8601-datetime/format-iso8601-datetime.mjs';
import convert from '@pipedream/helper_functions/actions/get-time-in-specific-timezone/get-time-in-specific-timezone.mjs';
for (const time of ['2030-01-31T14:00:00Z', '2030-01-31T14:00:00', '2030-01-31T20:00:00-05:00']) {
  console.log(time);
  for (const timezone of ['America/New_York', 'Asia/Kolkata']) console.log(`  ${timezone}: ${await convert.run.call({ time, timezone })}`);
  console.log(`  for Google Sheets: ${(await format.run.call({ iso8601: time })).date_time}`);
}
END
TZ=UTC node times.mjs > seen
cat seen
cat > expected <<'END'
2030-01-31T14:00:00Z
  America/New_York: 2030-01-31T09:00:00-05:00
  Asia/Kolkata: 2030-01-31T19:30:00+05:30
  for Google Sheets: 01/31/2030 2:00:00 pm
2030-01-31T14:00:00
  America/New_York: 2030-01-31T14:00:00-05:00
  Asia/Kolkata: 2030-01-31T14:00:00+05:30
  for Google Sheets: 01/31/2030 2:00:00 pm
2030-01-31T20:00:00-05:00
  America/New_York: 2030-01-31T20:00:00-05:00
  Asia/Kolkata: 2030-02-01T06:30:00+05:30
  for Google Sheets: 02/01/2030 1:00:00 am
END
diff expected seen
