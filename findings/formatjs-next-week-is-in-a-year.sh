#!/usr/bin/env bash
# Package: @formatjs/intl-utils 3.8.4, whose selectUnit chooses the unit for "in 3 days" (Intl.RelativeTimeFormat).
# The good guess: the unit is the largest that has fully passed: nine days are a week, and "a year" is not used before most of a year. The
#   documentation says that months and years follow the calendar, so a month from 31 January may have 28 days.
# What is seen: in the last days of a month, seven days are "in 1 month"; in the last days of a year, five or six days are "in 1 year". 31
#   January to 1 March is "in 2 months". Nine days within a month are "in 1 week". 25 hours across two midnights are "tomorrow", although
#   the date is the day after tomorrow.
# Why it matters: an email on 27 December says that the appointment on 2 January is in a year, and one on Sunday night that Tuesday's is
#   tomorrow. People come a day early, or not at all. A test in mid-month passes. Show the date as well.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @formatjs/intl-utils@3.8.4 >> npm.log 2>&1
cat > units.mjs <<'END'
import { selectUnit } from '@formatjs/intl-utils';
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const numbers = new Intl.RelativeTimeFormat('en');
for (const [from, to] of [
  ['2030-01-16T09:00', '2030-01-19T09:00'],
  ['2030-01-16T09:00', '2030-01-25T09:00'],
  ['2030-01-01T09:00', '2030-01-31T09:00'],
  ['2030-01-27T09:00', '2030-02-03T09:00'],
  ['2030-01-31T09:00', '2030-03-01T09:00'],
  ['2030-12-27T09:00', '2031-01-02T09:00'],
  ['2030-12-27T09:00', '2031-01-01T09:00'],
  ['2030-01-27T23:30', '2030-01-29T00:30'],
]) {
  const { value, unit } = selectUnit(new Date(`${to}Z`), new Date(`${from}Z`));
  const hours = (new Date(`${to}Z`) - new Date(`${from}Z`)) / 3600000;
  console.log(`on ${from}, ${to} (${hours < 48 ? `${hours} hours` : `${hours / 24} days`}): "${numbers.format(value, unit)}" or "${words.format(value, unit)}"`);
}
END
TZ=UTC node units.mjs > seen
cat seen
cat > expected <<'END'
on 2030-01-16T09:00, 2030-01-19T09:00 (3 days): "in 3 days" or "in 3 days"
on 2030-01-16T09:00, 2030-01-25T09:00 (9 days): "in 1 week" or "next week"
on 2030-01-01T09:00, 2030-01-31T09:00 (30 days): "in 4 weeks" or "in 4 weeks"
on 2030-01-27T09:00, 2030-02-03T09:00 (7 days): "in 1 month" or "next month"
on 2030-01-31T09:00, 2030-03-01T09:00 (29 days): "in 2 months" or "in 2 months"
on 2030-12-27T09:00, 2031-01-02T09:00 (6 days): "in 1 year" or "next year"
on 2030-12-27T09:00, 2031-01-01T09:00 (5 days): "in 1 year" or "next year"
on 2030-01-27T23:30, 2030-01-29T00:30 (25 hours): "in 1 day" or "tomorrow"
END
diff expected seen
