#!/usr/bin/env bash
# Package: opening_hours 3.15.0, the reference parser of opening hours as OpenStreetMap writes them.
# The good guess: "Nov 01-Feb 29", as an office writes its winter, ends with the last day of February in every year. "Feb 29" occurs only in
#   leap years, and getNextChange tells when, as it does for the 27th.
# What is seen: in years without that day, the season includes 1 March (2029 and 2030). After 29 February 2028, getNextChange finds no next
#   opening for "Feb 29", although getState is true on that day in 2032. "Nov-Feb" is right.
# Why it matters: on 1 March the office is shown as open, and slots are offered, in three years out of four; and a page that shows the next
#   opening says "never". A test in 2028 sees nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts opening_hours@3.15.0 >> npm.log 2>&1
cat > hours.cjs <<'END'
const OpeningHours = require('opening_hours');
const days = ['2028-02-29', '2028-03-01', '2029-02-28', '2029-03-01', '2030-03-01', '2032-02-29', '2032-03-01'];
for (const text of ['Nov 01-Feb 29 10:00-16:00', 'Nov-Feb 10:00-16:00', 'Feb 29 10:00-16:00', 'Feb 27 10:00-16:00']) {
  const hours = new OpeningHours(text, null);
  const next = hours.getNextChange(new Date('2028-03-05T00:00'));
  // The library reads and gives times on the clock of the machine.
  const day = next ? [next.getFullYear(), next.getMonth() + 1, next.getDate()].join('-') : 'never';
  console.log(`${text}: open at 11 on ${days.filter((at) => hours.getState(new Date(`${at}T11:00`))).join(' ')}; after 2028-03-05 it opens ${day}`);
}
END
node hours.cjs > seen
cat seen
cat > expected <<'END'
Nov 01-Feb 29 10:00-16:00: open at 11 on 2028-02-29 2029-02-28 2029-03-01 2030-03-01 2032-02-29; after 2028-03-05 it opens 2028-11-1
Nov-Feb 10:00-16:00: open at 11 on 2028-02-29 2029-02-28 2032-02-29; after 2028-03-05 it opens 2028-11-1
Feb 29 10:00-16:00: open at 11 on 2028-02-29 2032-02-29; after 2028-03-05 it opens never
Feb 27 10:00-16:00: open at 11 on ; after 2028-03-05 it opens 2029-2-27
END
diff expected seen
