#!/usr/bin/env bash
# Package: natural-cron 1.1.0, which describes a cron expression in English (describeCron), compared with cronstrue 3.39.0.
# The good guess: the description says what the expression does, or that it cannot be described, as it does for some. 7 is Sunday, as in
#   cron's own manual.
# What is seen: an expression with both a day of the month and a day of the week is described as "every day". A step in days or months is
#   left out: every second day is "every day", and once a quarter is "on day 1 of the month". A list of hours is a "custom schedule". 7
#   throws an error.
# Why it matters: people read the description before they turn on a reminder. They turn off one that would come only now and then, or wait
#   each month for one that comes once a quarter.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts natural-cron@1.1.0 cronstrue@3.39.0 >> npm.log 2>&1
cat > lines.cjs <<'END'
const { describeCron } = require('natural-cron');
const cronstrue = require('cronstrue');
const said = (line) => {
  try {
    return describeCron(line);
  } catch (error) {
    return `refused (${error.message})`;
  }
};
for (const line of ['0 9 * * 1-5', '0 9 1 * *', '0 9 1,15 * 1', '0 9 1 * 1', '0 9 1 */3 *', '0 9 */2 * *', '0 9,14 * * 1', '0 9 * * 0', '0 9 * * 7']) console.log(`${line}\n  natural-cron: ${said(line)}\n  cronstrue: ${cronstrue.toString(line)}`);
END
node lines.cjs > seen
cat seen
cat > expected <<'END'
0 9 * * 1-5
  natural-cron: At 09:00, Monday through Friday
  cronstrue: At 09:00 AM, Monday through Friday
0 9 1 * *
  natural-cron: At 09:00, on day 1 of the month
  cronstrue: At 09:00 AM, on day 1 of the month
0 9 1,15 * 1
  natural-cron: At 09:00 every day
  cronstrue: At 09:00 AM, on day 1 and 15 of the month, and on Monday
0 9 1 * 1
  natural-cron: At 09:00 every day
  cronstrue: At 09:00 AM, on day 1 of the month, and on Monday
0 9 1 */3 *
  natural-cron: At 09:00, on day 1 of the month
  cronstrue: At 09:00 AM, on day 1 of the month, every 3 months
0 9 */2 * *
  natural-cron: At 09:00 every day
  cronstrue: At 09:00 AM, every 2 days in a month
0 9,14 * * 1
  natural-cron: Custom schedule: 0 9,14 * * 1
  cronstrue: At 09:00 AM and 02:00 PM, only on Monday
0 9 * * 0
  natural-cron: At 09:00, on Sunday
  cronstrue: At 09:00 AM, only on Sunday
0 9 * * 7
  natural-cron: refused (Invalid day of week: 7. Value should be between 0 and 6.)
  cronstrue: At 09:00 AM, only on Sunday
END
diff expected seen
