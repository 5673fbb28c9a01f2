#!/usr/bin/env bash
# Package: date-holidays 3.37.0, which lists the public holidays of countries.
# The good guess: isHoliday confirms each holiday that getHolidays lists, given the date from that list ("2030-07-04 00:00:00") or its day
#   alone; its types allow strings. A holiday is a day in its country's time zone, as the documentation says.
# What is seen: a string with a time is read on the machine's clock, a day alone in UTC; the result is then compared in the country's zone.
#   On a server in UTC, no holiday of the US or Brazil is confirmed for its own date, and 5 July is reported as Independence Day; Germany
#   and Japan are right. On a laptop in New York, the string with a time is right for the US.
# Why it matters: Independence Day is offered and booked, and 5 July is closed, but only on the server. Pass an instant: noon in the
#   country.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts date-holidays@3.37.0 >> npm.log 2>&1
cat > holidays.cjs <<'END'
const Holidays = require('date-holidays');
const names = (found) => (found ? found.map(({ name }) => name).join(' and ') : 'no holiday');
console.log(`machine in ${process.env.TZ}`);
for (const country of ['US', 'BR', 'DE', 'JP']) {
  const holidays = new Holidays(country, { languages: ['en'] });
  const list = holidays.getHolidays(2030).filter(({ type }) => type === 'public');
  const count = (ask) => list.filter((holiday) => (holidays.isHoliday(ask(holiday)) || []).some(({ date }) => date === holiday.date)).length;
  console.log(`  ${country}: of ${list.length}, ${count(({ date }) => date)} are known by their date, ${count(({ date }) => date.slice(0, 10))} by their day, ${count(({ start }) => new Date(+start + 12 * 3600 * 1000))} at noon`);
}
const us = new Holidays('US');
for (const date of ['2030-07-04 00:00:00', '2030-07-05 00:00:00']) console.log(`  ${date} in the US: ${names(us.isHoliday(date))}`);
END
for zone in UTC America/New_York Asia/Kolkata; do TZ=$zone node holidays.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  US: of 11, 0 are known by their date, 0 by their day, 11 at noon
  BR: of 12, 0 are known by their date, 0 by their day, 12 at noon
  DE: of 9, 9 are known by their date, 9 by their day, 9 at noon
  JP: of 19, 19 are known by their date, 19 by their day, 19 at noon
  2030-07-04 00:00:00 in the US: no holiday
  2030-07-05 00:00:00 in the US: Independence Day
machine in America/New_York
  US: of 11, 11 are known by their date, 0 by their day, 11 at noon
  BR: of 12, 12 are known by their date, 0 by their day, 12 at noon
  DE: of 9, 9 are known by their date, 9 by their day, 9 at noon
  JP: of 19, 19 are known by their date, 19 by their day, 19 at noon
  2030-07-04 00:00:00 in the US: Independence Day
  2030-07-05 00:00:00 in the US: no holiday
machine in Asia/Kolkata
  US: of 11, 0 are known by their date, 0 by their day, 11 at noon
  BR: of 12, 0 are known by their date, 0 by their day, 12 at noon
  DE: of 9, 0 are known by their date, 9 by their day, 9 at noon
  JP: of 19, 19 are known by their date, 19 by their day, 19 at noon
  2030-07-04 00:00:00 in the US: no holiday
  2030-07-05 00:00:00 in the US: Independence Day
END
diff expected seen
