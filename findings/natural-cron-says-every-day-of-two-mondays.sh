#!/usr/bin/env bash
# Package: natural-cron 1.1.0, which says in English what a line of cron means (describeCron), beside cronstrue 3.39.0.
# The good guess: what is said is what the line does, or it is said that the line cannot be described, as it is for some. 7 is Sunday, as in
#   cron's own manual.
# What is seen: a line with both a day of the month and of the week is "every day". A step of days or months is left out, so what comes every
#   second day is "every day" and what comes once a quarter is monthly, and a list of hours is a "custom schedule". 7 is refused.
# Why it matters: the sentence is what somebody reads before she turns a reminder on. She turns off one that would have come now and then, or
#   waits each month for what comes once a quarter.
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
