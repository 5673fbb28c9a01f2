#!/usr/bin/env bash
# Packages: date-fns 4.4.0, also with @date-fns/tz 1.5.0 for a zone by name, beside luxon 3.7.2 and d3-time 3.1.0.
# The good guess: the hours of an interval (eachHourOfInterval) are every hour of it, as its minutes (eachMinuteOfInterval) are every minute: a night
#   in which the clocks go back has 25 hours.
# What is seen: the second of the two hours that have one name is left out, in the machine's zone and in one by name. The same interval by 60
#   minutes has it, and so have the others. In steps of two hours, one step is three. In spring all is right.
# Why it matters: a rota or a list of slots by the hour has a gap that nobody can take in one night of the year, a sum by the hour puts what
#   happened there nowhere, and the sum by minutes of the same library is another. On a server in UTC, without a zone by name, it is never seen.
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
