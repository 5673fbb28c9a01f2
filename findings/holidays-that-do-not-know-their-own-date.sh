#!/usr/bin/env bash
# Package: date-holidays 3.37.0, which knows the holidays of countries.
# The good guess: what getHolidays lists, isHoliday confirms, if it is asked for the date that the list gives ("2030-07-04 00:00:00"), or for the
#   day; its types allow text. A holiday is a day on the clock of its country, as the page says.
# What is seen: text with a time is read on the clock of the machine, a day alone in UTC, and then looked at on the clock of the country. On a
#   server in UTC, no holiday of the United States or Brazil knows its own date, and the day after each is said to be one. Japan and Germany are
#   right there, and the United States are on a laptop in New York.
# Why it matters: Independence Day is offered and booked, and the 5th of July is closed, on the server alone. Ask with an instant at noon of the
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
