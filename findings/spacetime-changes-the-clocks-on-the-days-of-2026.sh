#!/usr/bin/env bash
# Package: spacetime 7.15.0, a library for times in time zones, compared with luxon 3.7.2.
# The good guess: clocks change every year on the second Sunday of March and the first of November in New York, and on the last of March and
#   October in Berlin; a time zone library knows that.
# What is seen: spacetime has one date for each clock change of a zone, that of 2026, and uses it for every year (its page says so of the
#   past). Between that date and the year's own, up to a week in spring and in autumn (12 days of 2027 in New York, 7 in Berlin), times are
#   an hour off. 2026 is right.
# Why it matters: a meeting booked for March of next year is an hour off for some days, and every test with a date of this year, or in
#   another month, passes. The next version of the library fixes the next year, and breaks this one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts spacetime@7.15.0 luxon@3.7.2 >> npm.log 2>&1
cat > years.mjs <<'END'
import { DateTime } from 'luxon';
import spacetime from 'spacetime';
const show = (instant) => `${new Date(instant).toISOString().slice(11, 16)}Z`;
const days = { 'America/New_York': ['2026-03-10', '2027-03-10', '2027-11-03', '2028-03-10'], 'Europe/Berlin': ['2026-03-30', '2027-03-28', '2028-03-27', '2029-10-28'] };
for (const [zone, dates] of Object.entries(days))
  for (const date of dates) {
    const read = spacetime(`${date}T09:00:00`, zone).epoch;
    console.log(`09:00 on ${date}, ${zone}: spacetime ${show(read)}, luxon ${show(DateTime.fromISO(`${date}T09:00`, { zone }).toMillis())}`);
  }
for (const [zone, year] of [['America/New_York', 2026], ['America/New_York', 2027], ['Europe/Berlin', 2026], ['Europe/Berlin', 2027]]) {
  const wrong = Array.from({ length: 365 }, (_, day) => Date.UTC(year, 0, 1 + day, 12))
    .filter((noon) => spacetime(noon, zone).hour() !== DateTime.fromMillis(noon, { zone }).hour)
    .map((noon) => new Date(noon).toISOString().slice(5, 10));
  console.log(`${zone}, days of ${year} with other clocks: ${wrong.length === 0 ? 'none' : `${wrong.length}, from ${wrong[0]} to ${wrong.at(-1)}`}`);
}
END
node years.mjs > seen
cat seen
cat > expected <<'END'
09:00 on 2026-03-10, America/New_York: spacetime 13:00Z, luxon 13:00Z
09:00 on 2027-03-10, America/New_York: spacetime 13:00Z, luxon 14:00Z
09:00 on 2027-11-03, America/New_York: spacetime 14:00Z, luxon 13:00Z
09:00 on 2028-03-10, America/New_York: spacetime 13:00Z, luxon 14:00Z
09:00 on 2026-03-30, Europe/Berlin: spacetime 07:00Z, luxon 07:00Z
09:00 on 2027-03-28, Europe/Berlin: spacetime 08:00Z, luxon 07:00Z
09:00 on 2028-03-27, Europe/Berlin: spacetime 08:00Z, luxon 07:00Z
09:00 on 2029-10-28, Europe/Berlin: spacetime 08:00Z, luxon 08:00Z
America/New_York, days of 2026 with other clocks: none
America/New_York, days of 2027 with other clocks: 12, from 03-08 to 11-06
Europe/Berlin, days of 2026 with other clocks: none
Europe/Berlin, days of 2027 with other clocks: 7, from 03-28 to 10-30
END
diff expected seen
