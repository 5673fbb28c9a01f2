#!/usr/bin/env bash
# Package: duration 0.2.2, which gives the years, months, days and hours between two dates, compared with luxon 3.7.2 and date-fns 4.4.0.
# The good guess: from 15 January to 14 January of the next year are 11 months and 30 days, and the parts of a duration between an earlier
#   and a later date are not negative.
# What is seen: if the end is on an earlier day of the same month in a later year, the month is -1, and the text has no sign: a year less a
#   day is "1m 30d", and two years less a day are "1y 1m 30d". The total in the same object (months) is 11. Two months less a day are "1m
#   30d" as well, for 27 days: the rest is counted by the length of January. Whole months and years are right.
# Why it matters: a subscription, lease or notice that runs for a year less a day, as contracts do, is shown and billed as a month and 30
#   days. From the first of one month to the last of another, as in most tests, it is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts duration@0.2.2 luxon@3.7.2 date-fns@4.4.0 >> npm.log 2>&1
cat > contracts.cjs <<'END'
const { intervalToDuration } = require('date-fns');
const Duration = require('duration');
const { DateTime } = require('luxon');
for (const [from, to] of [
  ['2030-01-15', '2030-03-14'],
  ['2030-01-15', '2030-12-20'],
  ['2030-03-01', '2031-01-31'],
  ['2030-01-15', '2031-01-14'],
  ['2030-09-01', '2031-08-31'],
  ['2030-01-15', '2031-01-15'],
  ['2030-01-15', '2032-01-14'],
]) {
  const [start, end] = [new Date(`${from}T00:00`), new Date(`${to}T00:00`)];
  const read = new Duration(start, end);
  const { years = 0, months = 0, days = 0 } = intervalToDuration({ start, end });
  const other = DateTime.fromJSDate(end).diff(DateTime.fromJSDate(start), ['years', 'months', 'days']).toObject();
  const show = (...parts) => parts.join('/');
  console.log(`${from} to ${to}: "${read.toString(1).replace(/ 0h.*/, '')}", year/month/day ${show(read.year, read.month, read.day)}, months ${read.months}; others ${[...new Set([show(other.years, other.months, other.days), show(years, months, days)])].join(' and ')}`);
}
END
TZ=UTC node contracts.cjs > seen
cat seen
cat > expected <<'END'
2030-01-15 to 2030-03-14: "1m 30d", year/month/day 0/1/30, months 1; others 0/1/27
2030-01-15 to 2030-12-20: "11m 5d", year/month/day 0/11/5, months 11; others 0/11/5
2030-03-01 to 2031-01-31: "10m 30d", year/month/day 0/10/30, months 10; others 0/10/30
2030-01-15 to 2031-01-14: "1m 30d", year/month/day 0/-1/30, months 11; others 0/11/30
2030-09-01 to 2031-08-31: "11m 30d", year/month/day 0/11/30, months 11; others 0/11/30
2030-01-15 to 2031-01-15: "1y 0m 0d", year/month/day 1/0/0, months 12; others 1/0/0
2030-01-15 to 2032-01-14: "1y 1m 30d", year/month/day 1/-1/30, months 23; others 1/11/30
END
diff expected seen
