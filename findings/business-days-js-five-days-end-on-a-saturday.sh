#!/usr/bin/env bash
# Package: business-days-js 2.3.0, which counts working days in the United States (with dayjs 1.11.23 and date-holidays 3.37.0).
# The good guess: one working day after a Friday is Monday, in autumn as well. Minus one is the day before. A day in the package's own list
#   of holidays ("substitute day": the holiday is observed that day) is not a working day.
# What is seen: on a server in UTC, counting across the Sunday on which US clocks go back lands a day late: Monday becomes Tuesday, and five
#   working days end on a Saturday. Adding 0 or -1 moves one day forward, even onto a Saturday. Friday, 24 December 2027, is in the list of
#   holidays, but counts as a working day.
# Why it matters: "within five working days" is promised for a day on which the office is closed, but only on the server: on a laptop in New
#   York the autumn dates are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts business-days-js@2.3.0 dayjs@1.11.23 date-holidays@3.37.0 >> npm.log 2>&1
cat > days.mjs <<'END'
import business from 'business-days-js';
const days = (business.default ?? business)();
const show = (from, count) => `${count} from ${from}: ${days.addDays(from, count).format('ddd D MMM')}`;
console.log(`machine in ${process.env.TZ}`);
for (const from of ['2030-03-08', '2030-10-25', '2030-11-01', '2031-10-31']) console.log(`  ${[1, 2, 5].map((count) => show(from, count)).join('; ')}`);
for (const from of ['2030-02-05', '2030-02-08']) console.log(`  ${[1, 0, -1].map((count) => show(from, count)).join('; ')}`);
const observed = days.getHolidays('2027').filter(({ name }) => name.includes('substitute'));
for (const { date, name } of observed) console.log(`  ${date.slice(0, 10)}, ${name}: ${days.check(date.slice(0, 10)) ? 'a working day' : 'none'}`);
END
for zone in UTC America/New_York; do TZ=$zone node days.mjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  1 from 2030-03-08: Mon 11 Mar; 2 from 2030-03-08: Tue 12 Mar; 5 from 2030-03-08: Fri 15 Mar
  1 from 2030-10-25: Mon 28 Oct; 2 from 2030-10-25: Tue 29 Oct; 5 from 2030-10-25: Fri 1 Nov
  1 from 2030-11-01: Tue 5 Nov; 2 from 2030-11-01: Wed 6 Nov; 5 from 2030-11-01: Sat 9 Nov
  1 from 2031-10-31: Tue 4 Nov; 2 from 2031-10-31: Wed 5 Nov; 5 from 2031-10-31: Sat 8 Nov
  1 from 2030-02-05: Wed 6 Feb; 0 from 2030-02-05: Wed 6 Feb; -1 from 2030-02-05: Wed 6 Feb
  1 from 2030-02-08: Mon 11 Feb; 0 from 2030-02-08: Sat 9 Feb; -1 from 2030-02-08: Sat 9 Feb
  2027-06-18, Juneteenth (substitute day): none
  2027-07-05, Independence Day (substitute day): none
  2027-12-24, Christmas Day (substitute day): a working day
  2027-12-31, New Year's Day (substitute day): none
machine in America/New_York
  1 from 2030-03-08: Mon 11 Mar; 2 from 2030-03-08: Tue 12 Mar; 5 from 2030-03-08: Fri 15 Mar
  1 from 2030-10-25: Mon 28 Oct; 2 from 2030-10-25: Tue 29 Oct; 5 from 2030-10-25: Fri 1 Nov
  1 from 2030-11-01: Mon 4 Nov; 2 from 2030-11-01: Tue 5 Nov; 5 from 2030-11-01: Fri 8 Nov
  1 from 2031-10-31: Mon 3 Nov; 2 from 2031-10-31: Tue 4 Nov; 5 from 2031-10-31: Fri 7 Nov
  1 from 2030-02-05: Wed 6 Feb; 0 from 2030-02-05: Wed 6 Feb; -1 from 2030-02-05: Wed 6 Feb
  1 from 2030-02-08: Mon 11 Feb; 0 from 2030-02-08: Sat 9 Feb; -1 from 2030-02-08: Sat 9 Feb
  2027-06-18, Juneteenth (substitute day): none
  2027-07-05, Independence Day (substitute day): none
  2027-12-24, Christmas Day (substitute day): a working day
  2027-12-31, New Year's Day (substitute day): none
END
diff expected seen
