#!/usr/bin/env bash
# Package: @breejs/later 4.2.0, with which the job scheduler bree reads schedules, compared with croner 11.0.1 and cron-parser 5.10.6.
# The good guess: Sunday is 0 or 7, as in cron's own manual, so 5-7 is Friday to Sunday. If both a day of the month and a day of the week
#   are given, a match of either is enough (POSIX, crontab): "the 1st, the 15th and every Monday".
# What is seen: 7 is Saturday, so 5-7 is Friday and Saturday. "0 9 1,15 * 1" runs only when the 1st or 15th is a Monday: four times in 2030.
#   31 February, which does not exist, runs on 1 March. croner and cron-parser follow the manual.
# Why it matters: the weekly digest, the reminder before Monday and the end of the weekend come a day early, or not for months, and no job
#   fails. 0 and SUN work, and so do lines with only one of the two day fields.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @breejs/later@4.2.0 croner@11.0.1 cron-parser@5.10.6 >> npm.log 2>&1
cat > days.cjs <<'END'
const later = require('@breejs/later');
const { Cron } = require('croner');
const { CronExpressionParser } = require('cron-parser');
later.date.UTC();
const from = new Date('2030-01-01T00:00:00Z');
const show = (dates) => dates.map((date) => date.toUTCString().slice(0, 11).replace(',', '')).join(', ') || 'never';
const read = {
  later: (line) => later.schedule(later.parse.cron(line)).next(5, from),
  croner: (line) => new Cron(line, { timezone: 'UTC' }).nextRuns(5, from),
  'cron-parser': (line) => CronExpressionParser.parse(line, { currentDate: from, tz: 'UTC' }).take(5).map((date) => date.toDate()),
};
for (const line of ['0 9 * * 0', '0 9 * * SUN', '0 9 * * 7', '0 9 * * 5-7', '0 9 1,15 * 1', '0 9 31 2 *']) {
  console.log(line);
  for (const [name, days] of Object.entries(read))
    try {
      console.log(`  ${name}: ${show(days(line))}`);
    } catch (error) {
      console.log(`  ${name}: ${error.message}`);
    }
}
END
TZ=UTC node days.cjs > seen
cat seen
cat > expected <<'END'
0 9 * * 0
  later: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
  croner: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
  cron-parser: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
0 9 * * SUN
  later: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
  croner: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
  cron-parser: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
0 9 * * 7
  later: Sat 05 Jan, Sat 12 Jan, Sat 19 Jan, Sat 26 Jan, Sat 02 Feb
  croner: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
  cron-parser: Sun 06 Jan, Sun 13 Jan, Sun 20 Jan, Sun 27 Jan, Sun 03 Feb
0 9 * * 5-7
  later: Fri 04 Jan, Sat 05 Jan, Fri 11 Jan, Sat 12 Jan, Fri 18 Jan
  croner: Fri 04 Jan, Sat 05 Jan, Sun 06 Jan, Fri 11 Jan, Sat 12 Jan
  cron-parser: Fri 04 Jan, Sat 05 Jan, Sun 06 Jan, Fri 11 Jan, Sat 12 Jan
0 9 1,15 * 1
  later: Mon 01 Apr, Mon 15 Apr, Mon 01 Jul, Mon 15 Jul, Mon 01 Sep
  croner: Tue 01 Jan, Mon 07 Jan, Mon 14 Jan, Tue 15 Jan, Mon 21 Jan
  cron-parser: Tue 01 Jan, Mon 07 Jan, Mon 14 Jan, Tue 15 Jan, Mon 21 Jan
0 9 31 2 *
  later: Tue 01 Mar, Sun 01 Mar, Fri 01 Mar, Thu 01 Mar, Tue 01 Mar
  croner: never
  cron-parser: Invalid explicit day of month definition
END
diff expected seen
