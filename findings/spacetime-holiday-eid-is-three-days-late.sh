#!/usr/bin/env bash
# Package: spacetime-holiday 0.3.0 (with spacetime 7.15.0), which gives the date of a holiday by its name and year, compared with
#   @tabby_ai/hijri-converter 1.0.5 (the calendar of Saudi Arabia) for Eid al-Fitr.
# The good guess: a holiday that it knows is on its day, give or take a day where the moon decides. One that it does not know ("memorial
#   day", "diwali") has no date.
# What is seen: Islamic holidays are counted on in years of 354.36 days from one, without the length of months: Eid is one to three days
#   late. Victoria Day in Canada, the Monday before 25 May, is on 24 May in each year. Black Friday of 2030 is six days before Thanksgiving
#   instead of one after. "Orthodox easter" is the western day, early by up to five weeks. Easter, Thanksgiving and Christmas are right.
# Why it matters: an office is shown closed on a Friday or Sunday 24 May and open on the Monday; the team is invited to meetings on Eid;
#   Greek guests have their Easter on a working day. The names were understood, so nobody looks at the date.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts spacetime-holiday@0.3.0 spacetime@7.15.0 @tabby_ai/hijri-converter@1.0.5 >> npm.log 2>&1
cat > days.cjs <<'END'
const { hijriToGregorian } = require('@tabby_ai/hijri-converter');
const holiday = require('spacetime-holiday');
const years = [2026, 2027, 2028, 2030];
const eid = (year) => {
  for (let hijri = year - 580; ; hijri += 1) {
    const found = hijriToGregorian({ year: hijri, month: 10, day: 1 });
    if (found.year === year) return `${year}-${String(found.month).padStart(2, '0')}-${String(found.day).padStart(2, '0')}`;
  }
};
// The right days of the others, from the governments' lists and the Julian reckoning of Easter.
const real = {
  easter: ['2026-04-05', '2027-03-28', '2028-04-16', '2030-04-21'],
  thanksgiving: ['2026-11-26', '2027-11-25', '2028-11-23', '2030-11-28'],
  'black friday': ['2026-11-27', '2027-11-26', '2028-11-24', '2030-11-29'],
  'victoria day': ['2026-05-18', '2027-05-24', '2028-05-22', '2030-05-20'],
  'orthodox easter': ['2026-04-12', '2027-05-02', '2028-04-16', '2030-04-28'],
  'eid al-fitr': years.map(eid),
};
for (const [name, right] of Object.entries(real)) {
  const said = years.map((year) => holiday(name, year, 'UTC').format('iso-short'));
  console.log(`${name}: ${said.map((day, index) => (day === right[index] ? day : `${day} for ${right[index].slice(5)}`)).join(', ')}`);
}
console.log(`memorial day: ${holiday('memorial day', 2030, 'UTC')}`);
END
TZ=UTC node days.cjs > seen
cat seen
cat > expected <<'END'
easter: 2026-04-05, 2027-03-28, 2028-04-16, 2030-04-21
thanksgiving: 2026-11-26, 2027-11-25, 2028-11-23, 2030-11-28
black friday: 2026-11-27, 2027-11-26, 2028-11-24, 2030-11-22 for 11-29
victoria day: 2026-05-24 for 05-18, 2027-05-24, 2028-05-24 for 05-22, 2030-05-24 for 05-20
orthodox easter: 2026-04-05 for 04-12, 2027-03-28 for 05-02, 2028-04-16, 2030-04-21 for 04-28
eid al-fitr: 2026-03-21 for 03-20, 2027-03-11 for 03-09, 2028-02-28 for 02-26, 2030-02-07 for 02-04
memorial day: null
END
diff expected seen
