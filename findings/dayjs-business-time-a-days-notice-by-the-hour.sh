#!/usr/bin/env bash
# Packages: dayjs-business-time 1.0.4 (with dayjs 1.11.23), which counts working time, compared with moment-business-days 1.2.0 (with moment
#   2.30.1).
# The good guess: businessDaysDiff from Monday to Tuesday, or from Friday to Monday, is one working day, the number that addBusinessDays
#   takes to get there, at every hour of the day. The package's documentation has an example from ten to ten.
# What is seen: it is one at 10:00 and 17:00. At 00:00 (where dates without a time are), 08:00 and 18:00 it is two, and from a day to the
#   same day it is one. From Saturday to Monday it is one until 17:00, and two at 18:00. moment-business-days gives the same count at every
#   hour tested.
# Why it matters: a cancellation on Monday evening for Tuesday evening, or in a form with dates only, counts as two working days' notice, so
#   the late fee is not charged. A test at ten passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts dayjs-business-time@1.0.4 dayjs@1.11.23 moment-business-days@1.2.0 moment@2.30.1 >> npm.log 2>&1
cat > days.cjs <<'END'
const dayjs = require('dayjs');
const businessTime = require('dayjs-business-time');
const moment = require('moment-business-days');
dayjs.extend(businessTime.default ?? businessTime); // open from nine to five on working days, unless it is told otherwise
for (const [from, to, words] of [
  ['2030-01-28', '2030-01-28', 'Monday to the same Monday'],
  ['2030-01-28', '2030-01-29', 'Monday to Tuesday'],
  ['2030-02-01', '2030-02-04', 'Friday to Monday'],
  ['2030-02-02', '2030-02-04', 'Saturday to Monday'],
]) {
  const counted = ['00:00', '08:00', '10:00', '17:00', '18:00'].map((clock) => `${clock} ${dayjs(`${from}T${clock}`).businessDaysDiff(dayjs(`${to}T${clock}`))}`);
  const others = ['00:00', '10:00', '18:00'].map((clock) => moment(`${from}T${clock}`).businessDiff(moment(`${to}T${clock}`)));
  console.log(`${words}: ${counted.join(', ')}; by moment-business-days ${[...new Set(others)].join(' or ')}`);
}
console.log(`a working day after Monday 28 January, 18:00: ${dayjs('2030-01-28T18:00').addBusinessDays(1).format('dddd, HH:mm')}`);
END
node days.cjs > seen
cat seen
cat > expected <<'END'
Monday to the same Monday: 00:00 1, 08:00 1, 10:00 0, 17:00 0, 18:00 1; by moment-business-days 0
Monday to Tuesday: 00:00 2, 08:00 2, 10:00 1, 17:00 1, 18:00 2; by moment-business-days 1
Friday to Monday: 00:00 2, 08:00 2, 10:00 1, 17:00 1, 18:00 2; by moment-business-days 1
Saturday to Monday: 00:00 1, 08:00 1, 10:00 1, 17:00 1, 18:00 2; by moment-business-days 0
a working day after Monday 28 January, 18:00: Tuesday, 18:00
END
diff expected seen
