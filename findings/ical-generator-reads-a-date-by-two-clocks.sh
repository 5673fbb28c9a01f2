#!/usr/bin/env bash
# Package: ical-generator 11.1.2 (with luxon 3.7.2), which writes calendar files.
# The good guess: a Date is an instant, and timezone is the time zone in which it is written. If the writer uses the machine's clock
#   instead, it does so for all-day and timed events alike.
# What is seen: the start is the machine's local time, labelled with the requested zone: 00:00Z, which is 09:00 in Tokyo, is written as
#   01:00 "in Tokyo" in Berlin, and as 19:00 in New York. An all-day date is read in UTC, so new Date(2030, 0, 31) is the 30th in Berlin.
#   With luxon the time is right, but the day is still read in UTC, unless the value names its zone.
# Why it matters: the two faults show on different machines: times are right only in the zone itself, and days only in London or west of it.
#   Fixing one by the rule for the other breaks it. A luxon value with a named zone is right for both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical-generator@11.1.2 luxon@3.7.2 >> npm.log 2>&1
cat > clocks.mjs <<'END'
import ical from 'ical-generator';
import { DateTime } from 'luxon';
const write = (event) => {
  const file = ical({ name: 'Bookings' });
  file.createEvent({ id: '1', summary: 'Booking', ...event });
  return /DTSTART[^\r]*/.exec(file.toString())[0].replace('DTSTART;', '');
};
const timezone = 'Asia/Tokyo';
const instant = '2030-01-31T00:00:00Z';
console.log(`on a machine in ${process.env.TZ}:`);
console.log(`  09:00 in Tokyo: ${write({ timezone, start: new Date(instant) })}, by luxon ${write({ timezone, start: DateTime.fromISO(instant, { zone: timezone }) })}`);
const day = (start) => write({ allDay: true, start });
const named = DateTime.local(2030, 1, 31, { zone: process.env.TZ });
console.log(`  the 31st: ${day(new Date(2030, 0, 31))}, by luxon ${day(DateTime.local(2030, 1, 31))}, with the zone's name ${day(named)}`);
END
for machine in UTC Europe/Berlin America/New_York; do TZ=$machine node clocks.mjs; done > seen
cat seen
cat > expected <<'END'
on a machine in UTC:
  09:00 in Tokyo: TZID=Asia/Tokyo:20300131T000000, by luxon TZID=Asia/Tokyo:20300131T090000
  the 31st: VALUE=DATE:20300131, by luxon VALUE=DATE:20300131, with the zone's name VALUE=DATE:20300131
on a machine in Europe/Berlin:
  09:00 in Tokyo: TZID=Asia/Tokyo:20300131T010000, by luxon TZID=Asia/Tokyo:20300131T090000
  the 31st: VALUE=DATE:20300130, by luxon VALUE=DATE:20300130, with the zone's name VALUE=DATE:20300131
on a machine in America/New_York:
  09:00 in Tokyo: TZID=Asia/Tokyo:20300130T190000, by luxon TZID=Asia/Tokyo:20300131T090000
  the 31st: VALUE=DATE:20300131, by luxon VALUE=DATE:20300131, with the zone's name VALUE=DATE:20300131
END
diff expected seen
