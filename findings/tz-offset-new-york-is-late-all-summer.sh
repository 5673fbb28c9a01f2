#!/usr/bin/env bash
# Package: tz-offset 0.0.2, which gives the offset of a time zone (offsetOf) and the local time of an instant (timeAt), compared with luxon
#   3.7.2.
# The good guess: timeAt(date, zone) is what a clock there shows at that date, in summer too. The names are those of the tz database, whose
#   purpose that is.
# What is seen: it has one number for each zone, that of standard time. From March to November New York is an hour late, and so are Berlin,
#   London and, in its own summer, in January, Sydney. In winter, and in zones without a summer time, it is right.
# Why it matters: for eight months of the year a confirmation in local time says an hour too early, and a job "at 9 in New York" runs at 10.
#   Written in winter, the tests pass until March.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts tz-offset@0.0.2 luxon@3.7.2 >> npm.log 2>&1
cat > clocks.cjs <<'END'
const { DateTime } = require('luxon');
const { timeAt } = require('tz-offset');
for (const zone of ['America/New_York', 'Europe/Berlin', 'Europe/London', 'Australia/Sydney', 'Asia/Kolkata'])
  for (const day of ['2030-01-15', '2030-07-15']) {
    const instant = new Date(`${day}T14:00Z`);
    // The library returns a Date whose local time, here UTC, is the time of that zone.
    const said = timeAt(instant, zone).toISOString().slice(11, 16);
    console.log(`14:00Z on ${day} in ${zone}: tz-offset ${said}, luxon ${DateTime.fromJSDate(instant, { zone }).toFormat('HH:mm')}`);
  }
END
TZ=UTC node clocks.cjs > seen
cat seen
cat > expected <<'END'
14:00Z on 2030-01-15 in America/New_York: tz-offset 09:00, luxon 09:00
14:00Z on 2030-07-15 in America/New_York: tz-offset 09:00, luxon 10:00
14:00Z on 2030-01-15 in Europe/Berlin: tz-offset 15:00, luxon 15:00
14:00Z on 2030-07-15 in Europe/Berlin: tz-offset 15:00, luxon 16:00
14:00Z on 2030-01-15 in Europe/London: tz-offset 14:00, luxon 14:00
14:00Z on 2030-07-15 in Europe/London: tz-offset 14:00, luxon 15:00
14:00Z on 2030-01-15 in Australia/Sydney: tz-offset 00:00, luxon 01:00
14:00Z on 2030-07-15 in Australia/Sydney: tz-offset 00:00, luxon 00:00
14:00Z on 2030-01-15 in Asia/Kolkata: tz-offset 19:30, luxon 19:30
14:00Z on 2030-07-15 in Asia/Kolkata: tz-offset 19:30, luxon 19:30
END
diff expected seen
