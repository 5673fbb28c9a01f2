#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0, which turns the Poll Times of every polling trigger into a schedule (with cron 4.4.0, which runs it).
# The good guess: "Every X" with 90 minutes polls every 90 minutes, and an interval that cannot be scheduled is rejected.
# What is seen: X becomes a step within one hour or one day. 90 minutes polls every hour, 45 minutes after 45 and 15 minutes in turn, 36
#   hours every day, and 5 hours has a gap of 4 hours at midnight. All are accepted without a warning.
# Why it matters: a poll made rare to stay within an API's rate limit runs more often than configured, and a workflow that relies on even
#   gaps (a window of the last 45 minutes) reads some records twice.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 cron@4.4.0 luxon@3.7.2 >> npm.log 2>&1
cat > polls.cjs <<'END'
const { CronTime } = require('cron');
const { DateTime } = require('luxon');
const { toCronExpression } = require('n8n-workflow');
for (const [value, unit] of [[90, 'minutes'], [45, 'minutes'], [36, 'hours'], [5, 'hours']]) {
  // n8n chooses the second, and of hours also the minute, at random.
  const time = new CronTime(toCronExpression({ mode: 'everyX', value, unit }), 'UTC');
  const gaps = [];
  let last = time.getNextDateFrom(DateTime.utc(2030, 1, 31));
  for (let poll = 0; poll < 6; poll += 1) {
    const next = time.getNextDateFrom(last);
    gaps.push(Math.round(next.diff(last, unit)[unit]));
    last = next;
  }
  console.log(`every ${value} ${unit}: after ${gaps.join(', ')} ${unit}`);
}
END
TZ=UTC node polls.cjs > seen
cat seen
cat > expected <<'END'
every 90 minutes: after 60, 60, 60, 60, 60, 60 minutes
every 45 minutes: after 45, 15, 45, 15, 45, 15 minutes
every 36 hours: after 24, 24, 24, 24, 24, 24 hours
every 5 hours: after 5, 5, 5, 5, 4, 5 hours
END
diff expected seen
