#!/usr/bin/env bash
# Packages: later 1.2.0, with which job schedulers read schedules in English ("at 9:00 am every weekday"), compared with its fork
#   @breejs/later 4.2.0, and with croner 11.0.1 for the cron line that a person would write. "Now" is Monday, 28 January 2030.
# The good guess: 12:00 am is midnight and 12:30 am half an hour after it. "Every 3 days" has three days between. A length that cannot be
#   scheduled throws, or gives no schedule.
# What is seen: in later, 12:00 am is noon, as 12:00 pm is, and 12:30 am half past noon. The fork has midnight. In both, "every 3 days"
#   begins again on the first, so after the 31st comes the 1st. "Every 90 minutes" is a schedule without times in later, with no more than a
#   position in the field error; in the fork it is each hour, and error says that all is well.
# Why it matters: the nightly run that bills or cleans up runs at noon, when guests book. Who moves to the fork gets another hour for the
#   same words, and a reminder each hour instead of each hour and a half. Other hours are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @breejs/later@4.2.0 later@1.2.0 croner@11.0.1 >> npm.log 2>&1
cat > words.cjs <<'END'
const { Cron } = require('croner');
const from = new Date('2030-01-28T00:00Z');
const show = (times) => [times].flat().map((time) => (time ? time.toISOString().slice(5, 19) : 'none')).join(' ');
for (const [words, line] of [
  ['at 9:00 am every weekday', '0 9 * * 1-5'],
  ['at 12:00 pm', '0 12 * * *'],
  ['at 12:00 am', '0 0 * * *'],
  ['at 12:30 am', '30 0 * * *'],
  ['every 3 days at 9:00 am'],
  ['every 90 minutes'],
]) {
  const read = ['later', '@breejs/later'].map((name) => {
    const later = require(name);
    later.date.UTC();
    const schedule = later.parse.text(words);
    return `${show(later.schedule(schedule).next(3, from))}${schedule.error === -1 ? '' : `, error ${schedule.error}`}`;
  });
  const meant = line ? `; meant ${show(new Cron(line, { timezone: 'UTC' }).nextRuns(3, new Date(from - 1000)))}` : '';
  console.log(`"${words}": ${read[0]}${read[0] === read[1] ? ' (both)' : `; the fork ${read[1]}`}${meant}`);
}
END
TZ=UTC node words.cjs > seen
cat seen
cat > expected <<'END'
"at 9:00 am every weekday": 01-28T09:00:00 01-29T09:00:00 01-30T09:00:00 (both); meant 01-28T09:00:00 01-29T09:00:00 01-30T09:00:00
"at 12:00 pm": 01-28T12:00:00 01-29T12:00:00 01-30T12:00:00 (both); meant 01-28T12:00:00 01-29T12:00:00 01-30T12:00:00
"at 12:00 am": 01-28T12:00:00 01-29T12:00:00 01-30T12:00:00; the fork 01-28T00:00:00 01-29T00:00:00 01-30T00:00:00; meant 01-28T00:00:00 01-29T00:00:00 01-30T00:00:00
"at 12:30 am": 01-28T12:30:00 01-29T12:30:00 01-30T12:30:00; the fork 01-28T00:30:00 01-29T00:30:00 01-30T00:30:00; meant 01-28T00:30:00 01-29T00:30:00 01-30T00:30:00
"every 3 days at 9:00 am": 01-28T09:00:00 01-31T09:00:00 02-01T09:00:00 (both)
"every 90 minutes": none, error 6; the fork 01-28T00:00:00 01-28T01:00:00 01-28T02:00:00
END
diff expected seen
