#!/usr/bin/env bash
# Packages: date-fns 4.4.0, alone and with @date-fns/tz 1.5.0 for named time zones, compared with luxon 3.7.2 and d3-time 3.1.0.
# The good guess: eachHourOfInterval returns every hour of an interval, as eachMinuteOfInterval returns every minute. A night on which the
#   clocks go back has one hour more.
# What is seen: the second of the two hours with the same name is left out (06:00Z in New York), both in the machine's zone and in a named
#   one. eachMinuteOfInterval in steps of 60 has it, and so have luxon and d3-time. In steps of two hours, one step is three hours long. In
#   spring, all are right.
# Why it matters: on one night of the year, an hourly rota or list of slots has a gap that nobody can book. Hourly totals omit what happened
#   then, and differ from the same library's totals by the minute. On a server in UTC, without a named zone, it never shows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts date-fns@4.4.0 @date-fns/tz@1.5.0 luxon@3.7.2 d3-time@3.1.0 >> npm.log 2>&1
cat > hours.mjs <<'END'
import { TZDate } from '@date-fns/tz';
import { timeHour } from 'd3-time';
import { eachHourOfInterval, eachMinuteOfInterval } from 'date-fns';
import { DateTime, Interval } from 'luxon';
const zone = 'America/New_York';
for (const [says, from, to] of [
  ['spring', '2026-03-08T05:00Z', '2026-03-08T09:00Z'],
  ['autumn', '2026-11-01T04:00Z', '2026-11-01T09:00Z'],
]) {
  const interval = { start: new Date(from), end: new Date(to) };
  const named = { start: new TZDate(from, zone), end: new TZDate(to, zone) };
  const [start, end] = [from, to].map((time) => DateTime.fromISO(time, { zone }));
  const ways = {
    'eachHourOfInterval': eachHourOfInterval(interval),
    'eachHourOfInterval, by name': eachHourOfInterval(named),
    'eachHourOfInterval, every second': eachHourOfInterval(interval, { step: 2 }),
    'eachMinuteOfInterval, every 60th': eachMinuteOfInterval(interval, { step: 60 }),
    'luxon, splitBy an hour': [...Interval.fromDateTimes(start, end).splitBy({ hours: 1 }).map((each) => each.start.toJSDate()), end.toJSDate()],
    'd3-time, an hour': [...timeHour.range(interval.start, interval.end), interval.end],
  };
  for (const [name, hours] of Object.entries(ways)) console.log(`${says}, ${name}: ${hours.map((hour) => new Date(+hour).toISOString().slice(11, 16)).join(' ')}`);
}
END
TZ=America/New_York node hours.mjs > seen
cat seen
cat > expected <<'END'
spring, eachHourOfInterval: 05:00 06:00 07:00 08:00 09:00
spring, eachHourOfInterval, by name: 05:00 06:00 07:00 08:00 09:00
spring, eachHourOfInterval, every second: 05:00 07:00 09:00
spring, eachMinuteOfInterval, every 60th: 05:00 06:00 07:00 08:00 09:00
spring, luxon, splitBy an hour: 05:00 06:00 07:00 08:00 09:00
spring, d3-time, an hour: 05:00 06:00 07:00 08:00 09:00
autumn, eachHourOfInterval: 04:00 05:00 07:00 08:00 09:00
autumn, eachHourOfInterval, by name: 04:00 05:00 07:00 08:00 09:00
autumn, eachHourOfInterval, every second: 04:00 07:00 09:00
autumn, eachMinuteOfInterval, every 60th: 04:00 05:00 06:00 07:00 08:00 09:00
autumn, luxon, splitBy an hour: 04:00 05:00 06:00 07:00 08:00 09:00
autumn, d3-time, an hour: 04:00 05:00 06:00 07:00 08:00 09:00
END
diff expected seen
