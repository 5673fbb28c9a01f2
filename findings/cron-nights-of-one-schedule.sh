#!/usr/bin/env bash
# Packages: cron 4.4.0, cron-parser 5.10.6 and croner 11.0.1, which turn a cron line of five fields and a time zone into instants.
# The good guess: they agree on what a schedule means on the nights when the clocks change, or at least each runs a daily job once.
# What is seen: a daily job at the skipped 02:30 runs at 03:30 by cron-parser, and at 03:00 by the other two. "*/30 1" in the repeated hour
#   runs four times by croner, and twice by the others. Every two hours, the others run at 03:00 and again at 04:00, and croner skips the
#   missing 02:00. On Lord Howe Island, where clocks move by half an hour, a skipped daily job runs twice by cron, once by croner, and never
#   by cron-parser.
# Why it matters: a reminder or report is sent twice, or not at all, on one night of the year, and changing the library changes which.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cron@4.4.0 cron-parser@5.10.6 croner@11.0.1 luxon@3.7.2 >> npm.log 2>&1
cat > nights.mjs <<'END'
import { CronTime } from 'cron';
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { DateTime } from 'luxon';
for (const [says, line, zone, from, to] of [
  ['daily at 02:30, which is skipped', '30 2 * * *', 'America/New_York', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ['every half hour from 1 to 2, twice', '*/30 1 * * *', 'America/New_York', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ['every two hours, 02:00 is skipped', '0 */2 * * *', 'Europe/Berlin', '2026-03-28T23:30Z', '2026-03-29T06:30Z'],
  ['daily at 02:15, which is skipped', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T13:30Z', '2026-10-04T13:00Z'],
]) {
  const nexts = {
    cron: (date) => new CronTime(line, zone).getNextDateFrom(DateTime.fromJSDate(date, { zone }), zone).toJSDate(),
    'cron-parser': (date) => CronExpressionParser.parse(line, { tz: zone, currentDate: date }).next().toDate(),
    croner: (date) => new Cron(line, { timezone: zone, paused: true }).nextRun(date),
  };
  const runs = (next) => {
    const all = [];
    for (let date = next(new Date(from)); date < new Date(to); date = next(date)) all.push(DateTime.fromJSDate(date, { zone }).toFormat('HH:mmZZ'));
    return all.join(' ') || 'never';
  };
  console.log(`${says} (${zone}):`);
  for (const [name, next] of Object.entries(nexts)) console.log(`  ${name}: ${runs(next)}`);
}
END
TZ=UTC node nights.mjs > seen
cat seen
cat > expected <<'END'
daily at 02:30, which is skipped (America/New_York):
  cron: 03:00-04:00
  cron-parser: 03:30-04:00
  croner: 03:00-04:00
every half hour from 1 to 2, twice (America/New_York):
  cron: 01:00-04:00 01:30-04:00
  cron-parser: 01:00-04:00 01:30-04:00
  croner: 01:00-04:00 01:30-04:00 01:00-05:00 01:30-05:00
every two hours, 02:00 is skipped (Europe/Berlin):
  cron: 03:00+02:00 04:00+02:00 06:00+02:00 08:00+02:00
  cron-parser: 03:00+02:00 04:00+02:00 06:00+02:00 08:00+02:00
  croner: 04:00+02:00 06:00+02:00 08:00+02:00
daily at 02:15, which is skipped (Australia/Lord_Howe):
  cron: 01:45+10:30 02:45+11:00
  cron-parser: never
  croner: 02:30+11:00
END
diff expected seen
