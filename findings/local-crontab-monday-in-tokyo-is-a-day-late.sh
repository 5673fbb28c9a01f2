#!/usr/bin/env bash
# Package: local-crontab 0.1.8, which converts a cron line of a local time zone to lines in UTC, for schedulers that know UTC only, compared
#   with croner 11.0.1, which reads the original line in its zone.
# The good guess: the converted lines run at the same instants. Monday at 8 in Tokyo is Sunday at 23 in UTC, and 9:30 in India is 4:00.
# What is seen: only the hour is converted. Days of the week and of the month stay, so "Monday at 8" in Tokyo runs at 23 on Monday in UTC, a
#   day late, and the first of the month a day late too. The half hour is subtracted from the minute and not carried: 9:30 in India becomes
#   3:00, an hour early. 9:00 is right.
# Why it matters: Friday's reminder for Monday is sent on Saturday, a weekday rota has no Monday and a Saturday instead, and the rent of the
#   first is requested on the second. Lines that run every day, which are the examples in its documentation, are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts local-crontab@0.1.8 croner@11.0.1 >> npm.log 2>&1
cat > lines.cjs <<'END'
const { Cron } = require('croner');
const { localCrontabToUtcCrontabs } = require('local-crontab');
// Zones whose clocks do not change, so that one line in UTC is enough.
for (const [says, line, timezone] of [
  ['every day at 8', '0 8 * * *', 'Asia/Tokyo'],
  ['Monday at 8', '0 8 * * 1', 'Asia/Tokyo'],
  ['the first at 8', '0 8 1 * *', 'Asia/Tokyo'],
  ['Friday at 20', '0 20 * * 5', 'America/Phoenix'],
  ['every day at 9', '0 9 * * *', 'Asia/Kolkata'],
  ['every day at 9:30', '30 9 * * *', 'Asia/Kolkata'],
]) {
  const next = (pattern, zone) => new Cron(pattern, { timezone: zone }).nextRun(new Date('2030-01-08T12:00Z')).toISOString().slice(5, 16);
  const lines = localCrontabToUtcCrontabs(line, timezone);
  console.log(`${says}, ${timezone}: ${lines.join(' and ')}, which runs next at ${next(lines[0], 'UTC')}Z instead of ${next(line, timezone)}Z`);
}
END
TZ=UTC node lines.cjs > seen
cat seen
cat > expected <<'END'
every day at 8, Asia/Tokyo: 0 23 * * *, which runs next at 01-08T23:00Z instead of 01-08T23:00Z
Monday at 8, Asia/Tokyo: 0 23 * * 1, which runs next at 01-14T23:00Z instead of 01-13T23:00Z
the first at 8, Asia/Tokyo: 0 23 1 * *, which runs next at 02-01T23:00Z instead of 01-31T23:00Z
Friday at 20, America/Phoenix: 0 3 * * 5, which runs next at 01-11T03:00Z instead of 01-12T03:00Z
every day at 9, Asia/Kolkata: 30 3 * * *, which runs next at 01-09T03:30Z instead of 01-09T03:30Z
every day at 9:30, Asia/Kolkata: 0 3 * * *, which runs next at 01-09T03:00Z instead of 01-09T04:00Z
END
diff expected seen
