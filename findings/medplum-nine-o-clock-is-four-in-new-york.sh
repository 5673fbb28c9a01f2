#!/usr/bin/env bash
# Package: @medplum/core 5.2.13, whose functions write the times of hospital records (FHIR) for people, here with the locale en-GB.
# The good guess: a "time" in FHIR is a time of day without a zone ("A time zone SHALL NOT be present"), so opening hours from 09:00 are
#   shown as 09:00 on each machine. A date without a time is that date, and a schedule in words has all that limits it.
# What is seen: formatTime reads a time of day as UTC and shows it on the machine's clock: 09:00 is 04:00 in New York and 14:30 in India, by
#   the offset of the year 2000, in summer too. In a schedule (formatTiming) the same time is 9:00 AM. A date by formatDateTime or
#   formatPeriod is, in New York, an evening of the day before. Of a schedule, the count and the maximum are left out: "ten times, daily"
#   and "once or twice daily" are both "Daily". On a machine in UTC the hours are right.
# Why it matters: a practice in New York is shown to open at four in the morning, a visit is announced for the day before, and a course of
#   ten days has no end. The tests of the page run in UTC.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @medplum/core@5.2.13 >> npm.log 2>&1
cat > times.mjs <<'END'
globalThis.WebSocket ??= class {}; // Node.js 20 has none, and the package extends it when it is loaded
const { formatDate, formatDateTime, formatPeriod, formatTime, formatTiming } = await import('@medplum/core');
const locale = 'en-GB';
const short = { hour: '2-digit', minute: '2-digit' };
console.log(`machine in ${process.env.TZ}`);
for (const time of ['09:00:00', '17:30:00']) console.log(`  open at ${time}: ${formatTime(time, locale, short)}`);
console.log(`  a visit on 2030-07-15: formatDate ${formatDate('2030-07-15', locale)}, formatDateTime ${formatDateTime('2030-07-15', locale)}`);
console.log(`  a stay from 2030-07-15 to 2030-07-16: ${formatPeriod({ start: '2030-07-15', end: '2030-07-16' }, locale)}`);
for (const [says, repeat] of [
  ['each Monday at 9', { period: 1, periodUnit: 'wk', dayOfWeek: ['mon'], timeOfDay: ['09:00:00'] }],
  ['daily', { frequency: 1, period: 1, periodUnit: 'd' }],
  ['ten times, daily', { count: 10, frequency: 1, period: 1, periodUnit: 'd' }],
  ['once or twice daily', { frequency: 1, frequencyMax: 2, period: 1, periodUnit: 'd' }],
]) {
  // Newer versions of Node.js write a narrow space before AM, which is replaced here.
  console.log(`  ${says}: ${formatTiming({ repeat }).replace(/\s/g, ' ')}`);
}
END
for zone in UTC America/New_York Asia/Kolkata; do env TZ=$zone LC_ALL=en_US.UTF-8 node times.mjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  open at 09:00:00: 09:00
  open at 17:30:00: 17:30
  a visit on 2030-07-15: formatDate 15/07/2030, formatDateTime 15/07/2030, 00:00:00
  a stay from 2030-07-15 to 2030-07-16: 15/07/2030, 00:00:00 - 16/07/2030, 00:00:00
  each Monday at 9: Weekly on Mon at 9:00 AM
  daily: Daily
  ten times, daily: Daily
  once or twice daily: Daily
machine in America/New_York
  open at 09:00:00: 04:00
  open at 17:30:00: 12:30
  a visit on 2030-07-15: formatDate 15/07/2030, formatDateTime 14/07/2030, 20:00:00
  a stay from 2030-07-15 to 2030-07-16: 14/07/2030, 20:00:00 - 15/07/2030, 20:00:00
  each Monday at 9: Weekly on Mon at 9:00 AM
  daily: Daily
  ten times, daily: Daily
  once or twice daily: Daily
machine in Asia/Kolkata
  open at 09:00:00: 14:30
  open at 17:30:00: 23:00
  a visit on 2030-07-15: formatDate 15/07/2030, formatDateTime 15/07/2030, 05:30:00
  a stay from 2030-07-15 to 2030-07-16: 15/07/2030, 05:30:00 - 16/07/2030, 05:30:00
  each Monday at 9: Weekly on Mon at 9:00 AM
  daily: Daily
  ten times, daily: Daily
  once or twice daily: Daily
END
diff expected seen
