#!/usr/bin/env bash
# Packages: moment-recur 1.0.7 (with moment 2.30.1) and dayjs-recur 1.0.1 (with dayjs 1.11.23), which compute recurring dates.
# The good guess: every three months from 30 November is 28 February, 30 May, 30 August and 30 November: once in each of these months.
# What is seen: both packages return 30 and 31 May, and 30 and 31 August. Each day is tested on its own: is it a whole number of months
#   away? Both are. From 31 August, and monthly from the 31st, the dates are right.
# Why it matters: a quarterly payment is drawn on two days in a row, for the first time half a year after the start.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts moment-recur@1.0.7 moment@2.30.1 dayjs-recur@1.0.1 dayjs@1.11.23 >> npm.log 2>&1
cat > quarters.cjs <<'END'
const moment = require('moment');
require('moment-recur');
const dayjs = require('dayjs');
dayjs.extend(require('dayjs-recur'));
for (const [start, months] of [['2030-11-30', 3], ['2030-06-30', 4], ['2030-02-28', 6], ['2030-08-31', 3], ['2030-01-31', 1]]) {
  const days = [moment.utc(start), dayjs(start)].map((first) => first.recur().every(months).months().next(6, 'YYYY-MM-DD').join(' '));
  console.log(`every ${months} months from ${start}: ${days[0]}${days[0] === days[1] ? ' (both)' : `; dayjs-recur ${days[1]}`}`);
}
END
node quarters.cjs > seen
cat seen
cat > expected <<'END'
every 3 months from 2030-11-30: 2031-02-28 2031-05-30 2031-05-31 2031-08-30 2031-08-31 2031-11-30 (both)
every 4 months from 2030-06-30: 2030-10-30 2030-10-31 2031-02-28 2031-06-30 2031-10-30 2031-10-31 (both)
every 6 months from 2030-02-28: 2030-08-28 2030-08-29 2030-08-30 2030-08-31 2031-02-28 2031-08-28 (both)
every 3 months from 2030-08-31: 2030-11-30 2031-02-28 2031-05-31 2031-08-31 2031-11-30 2032-02-29 (both)
every 1 months from 2030-01-31: 2030-02-28 2030-03-31 2030-04-30 2030-05-31 2030-06-30 2030-07-31 (both)
END
diff expected seen
