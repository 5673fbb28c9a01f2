#!/usr/bin/env bash
# Package: cron-converter 2.1.0, which lists the times of a cron line, compared with croner 11.0.1 and cron-parser 5.10.6.
# The good guess: a line with both a day of the month and a day of the week runs on either, as crontab(5) says: "the command will be run
#   when either field matches". A night in which 2:30 does not exist is not skipped by a daily job.
# What is seen: both must match, so "the 15th, and each Monday" is a 15th that is a Monday: 2 days in 2030 instead of 62. "The 1st, and each
#   weekday" runs 9 times instead of 264. 2:30 on the night of the change in spring is left out; cron-parser and croner run at 3:00 or 3:30.
#   Lines with one of the two fields are right.
# Why it matters: the reminder of the 15th and of each Monday is sent twice in a year, and a report "of the 1st and of each working day" is
#   missing on 255 days and on each 1st that is a Sunday. A crontab that is moved to this library changes its meaning without a word.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cron-converter@2.1.0 croner@11.0.1 cron-parser@5.10.6 >> npm.log 2>&1
cat > days.mjs <<'END'
import { getSchedule, stringToArray } from 'cron-converter';
import cronParser from 'cron-parser';
import { Cron } from 'croner';
const readers = {
  'cron-converter': (line, from, timezone) => {
    const schedule = getSchedule(stringToArray(line), from, timezone);
    return () => schedule.next().toJSDate();
  },
  'cron-parser': (line, from, timezone) => {
    const schedule = cronParser.CronExpressionParser.parse(line, { currentDate: from, tz: timezone });
    return () => schedule.next().toDate();
  },
  croner: (line, from, timezone) => {
    let at = from;
    return () => (at = new Cron(line, { timezone }).nextRun(at));
  },
};
for (const [says, line, zone] of [
  ['each Monday at 9', '0 9 * * 1', 'UTC'],
  ['the 15th, and each Monday, at 9', '0 9 15 * 1', 'UTC'],
  ['the 1st, and each weekday, at 9', '0 9 1 * 1-5', 'UTC'],
  ['each day at 2:30', '30 2 * * *', 'America/New_York'],
])
  for (const [name, read] of Object.entries(readers)) {
    const next = read(line, new Date('2029-12-31T23:00Z'), zone);
    const runs = [];
    for (let at = next(); at < new Date('2030-12-31T23:00Z'); at = next()) runs.push(at.toISOString());
    const shown = zone === 'UTC' ? runs.map((at) => at.slice(5, 10)).slice(0, 5) : runs.filter((at) => /^2030-03-(09|1[01])/.test(at)).map((at) => at.slice(5, 16));
    console.log(`${says}, ${zone}, ${name}: ${runs.length} in 2030, ${shown.join(' ')}`);
  }
END
TZ=UTC node days.mjs > seen
cat seen
cat > expected <<'END'
each Monday at 9, UTC, cron-converter: 52 in 2030, 01-07 01-14 01-21 01-28 02-04
each Monday at 9, UTC, cron-parser: 52 in 2030, 01-07 01-14 01-21 01-28 02-04
each Monday at 9, UTC, croner: 52 in 2030, 01-07 01-14 01-21 01-28 02-04
the 15th, and each Monday, at 9, UTC, cron-converter: 2 in 2030, 04-15 07-15
the 15th, and each Monday, at 9, UTC, cron-parser: 62 in 2030, 01-07 01-14 01-15 01-21 01-28
the 15th, and each Monday, at 9, UTC, croner: 62 in 2030, 01-07 01-14 01-15 01-21 01-28
the 1st, and each weekday, at 9, UTC, cron-converter: 9 in 2030, 01-01 02-01 03-01 04-01 05-01
the 1st, and each weekday, at 9, UTC, cron-parser: 264 in 2030, 01-01 01-02 01-03 01-04 01-07
the 1st, and each weekday, at 9, UTC, croner: 264 in 2030, 01-01 01-02 01-03 01-04 01-07
each day at 2:30, America/New_York, cron-converter: 364 in 2030, 03-09T07:30 03-11T06:30
each day at 2:30, America/New_York, cron-parser: 365 in 2030, 03-09T07:30 03-10T07:30 03-11T06:30
each day at 2:30, America/New_York, croner: 365 in 2030, 03-09T07:30 03-10T07:00 03-11T06:30
END
diff expected seen
