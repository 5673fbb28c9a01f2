#!/usr/bin/env bash
# Package: @18f/us-federal-holidays 4.0.0, which lists the federal holidays of the United States (with dayjs 1.11.23).
# The good guess: the holidays of a range are the days in it that isAHoliday confirms; the holidays of a year are days of that year. If 1
#   January is a Saturday, the Friday before is observed, in the previous year.
# What is seen: isAHoliday is true for 31 December 2027, but that day is missing from the holidays of 2027 and from a range that ends with
#   that year. It is the first holiday of 2028, so that list begins in 2027. A range that ends a day later contains it.
# Why it matters: blocking the holidays of a year, or of December, leaves that last Friday open for bookings; in the years between, the two
#   agree.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @18f/us-federal-holidays@4.0.0 dayjs@1.11.23 >> npm.log 2>&1
cat > holidays.cjs <<'END'
const { allForYear, inRange, isAHoliday } = require('@18f/us-federal-holidays');
const list = (holidays) => holidays.map(({ dateString }) => dateString);
for (const year of [2026, 2027, 2028]) {
  const all = list(allForYear(year));
  console.log(`holidays of ${year}: ${all.length}, from ${all[0]} to ${all.at(-1)}`);
}
for (const [from, to] of [[[2026, 11, 1], [2026, 11, 31]], [[2027, 11, 1], [2027, 11, 31]], [[2027, 11, 1], [2028, 0, 1]], [[2032, 11, 1], [2032, 11, 31]], [[2032, 11, 1], [2033, 0, 1]]]) {
  const [first, last] = [new Date(...from), new Date(...to)];
  const confirmed = [];
  for (const day = new Date(first); day <= last; day.setDate(day.getDate() + 1)) if (isAHoliday(day)) confirmed.push(`${day.getFullYear()}-${day.getMonth() + 1}-${day.getDate()}`);
  console.log(`${first.toDateString()} to ${last.toDateString()}: in range ${list(inRange(first, last)).join(' ')}; day by day ${confirmed.join(' ')}`);
}
END
node holidays.cjs > seen
cat seen
cat > expected <<'END'
holidays of 2026: 11, from 2026-01-01 to 2026-12-25
holidays of 2027: 11, from 2027-01-01 to 2027-12-24
holidays of 2028: 11, from 2027-12-31 to 2028-12-25
Tue Dec 01 2026 to Thu Dec 31 2026: in range 2026-12-25; day by day 2026-12-25
Wed Dec 01 2027 to Fri Dec 31 2027: in range 2027-12-24; day by day 2027-12-24 2027-12-31
Wed Dec 01 2027 to Sat Jan 01 2028: in range 2027-12-24 2027-12-31; day by day 2027-12-24 2027-12-31
Wed Dec 01 2032 to Fri Dec 31 2032: in range 2032-12-24; day by day 2032-12-24 2032-12-31
Wed Dec 01 2032 to Sat Jan 01 2033: in range 2032-12-24 2032-12-31; day by day 2032-12-24 2032-12-31
END
diff expected seen
