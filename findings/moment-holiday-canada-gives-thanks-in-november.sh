#!/usr/bin/env bash
# Package: moment-holiday 1.5.1 (with moment 2.30.1), which knows the holidays of countries.
# The good guess: the country that is set has its own holidays. Thanksgiving in Canada is the second Monday of October. On a day that
#   isHoliday names, offices are closed.
# What is seen: Canada's Thanksgiving is the fourth Thursday of November, as in the United States, and 14 October 2030 is not a holiday. 30
#   September, a holiday in Canada since 2021, is missing, and so is 19 June in the United States. Halloween and Valentine's Day are
#   holidays in both.
# Why it matters: offices in Toronto get bookings on their holiday, and are closed on a Thursday in November and on Halloween.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts moment-holiday@1.5.1 moment@2.30.1 >> npm.log 2>&1
cat > holidays.cjs <<'END'
const moment = require('moment');
require('moment-holiday');
for (const country of ['United States', 'Canada']) {
  moment.modifyHolidays.set(country);
  console.log(country);
  for (const [day, what] of [['2030-07-01', ''], ['2030-07-04', ''], ['2030-10-14', 'second Monday of October'], ['2030-11-28', 'fourth Thursday of November'], ['2030-06-19', ''], ['2030-09-30', ''], ['2030-10-31', ''], ['2030-02-14', '']])
    console.log(`  ${day}${what && `, the ${what}`}: ${moment(day, 'YYYY-MM-DD').isHoliday() || 'no holiday'}`);
}
END
node holidays.cjs > seen
cat seen
cat > expected <<'END'
United States
  2030-07-01: no holiday
  2030-07-04: Independence Day
  2030-10-14, the second Monday of October: Columbus Day
  2030-11-28, the fourth Thursday of November: Thanksgiving Day
  2030-06-19: no holiday
  2030-09-30: no holiday
  2030-10-31: Halloween
  2030-02-14: Valentine's Day
Canada
  2030-07-01: Canada Day
  2030-07-04: no holiday
  2030-10-14, the second Monday of October: no holiday
  2030-11-28, the fourth Thursday of November: Thanksgiving Day
  2030-06-19: no holiday
  2030-09-30: no holiday
  2030-10-31: Halloween
  2030-02-14: Valentine's Day
END
diff expected seen
