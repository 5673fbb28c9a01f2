#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Analytics node, Get Report (with n8n-workflow 2.41.0 and luxon 3.7.2, as it pins them); the
#   clock is set.
# The good guess: "Last Complete Calendar Month" is the previous month, from its first day to its last.
# What is seen: the range ends on the day of the month with which the current month ends: in April, March ends on the 30th, and in February,
#   January ends on the 28th. If the current month is not shorter than the previous one, the range is right.
# Why it matters: a report of visits and bookings, made on the first of each month, lacks the 31st four times a year and three days of
#   January, and the monthly totals add up to less than the year's.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 >> npm.log 2>&1
cat > month.cjs <<'END'
const { Settings } = require('luxon');
const { prepareDateRange } = require('./package/dist/nodes/Google/Analytics/v2/helpers/utils.js');
for (const month of ['2030-01', '2030-02', '2030-03', '2030-04', '2030-05', '2030-06', '2030-07', '2030-08', '2030-09', '2030-10', '2030-11', '2030-12']) {
  Settings.now = () => Date.parse(`${month}-01T12:00Z`);
  const [{ startDate, endDate }] = [prepareDateRange.call({}, 'lastCalendarMonth', 0)].flat();
  const last = new Date(Date.UTC(Number(startDate.slice(0, 4)), Number(startDate.slice(5, 7)), 0)).toISOString().slice(0, 10);
  console.log(`in ${month}: ${startDate} to ${endDate}${endDate === last ? '' : `, and the month ends on ${last}`}`);
}
END
node month.cjs > seen
cat seen
cat > expected <<'END'
in 2030-01: 2029-12-01 to 2029-12-31
in 2030-02: 2030-01-01 to 2030-01-28, and the month ends on 2030-01-31
in 2030-03: 2030-02-01 to 2030-02-28
in 2030-04: 2030-03-01 to 2030-03-30, and the month ends on 2030-03-31
in 2030-05: 2030-04-01 to 2030-04-30
in 2030-06: 2030-05-01 to 2030-05-30, and the month ends on 2030-05-31
in 2030-07: 2030-06-01 to 2030-06-30
in 2030-08: 2030-07-01 to 2030-07-31
in 2030-09: 2030-08-01 to 2030-08-30, and the month ends on 2030-08-31
in 2030-10: 2030-09-01 to 2030-09-30
in 2030-11: 2030-10-01 to 2030-10-30, and the month ends on 2030-10-31
in 2030-12: 2030-11-01 to 2030-11-30
END
diff expected seen
