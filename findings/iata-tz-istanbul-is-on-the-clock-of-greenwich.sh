#!/usr/bin/env bash
# Package: iata-tz 1.0.3, which converts the times of flights by the three letters of an airport (with moment-timezone 0.6.6).
# The good guess: a large airport has its time zone, or the call fails. The documentation says that an invalid code throws an error, and BER
#   (Berlin, open since 2020) does.
# What is seen: for 557 of its 6,072 airports, among them Istanbul (IST) and Beijing Daxing (PKX), the table has "\N" for the zone.
#   moment-timezone writes a line to the log, and the time is taken for UTC: three hours off for Istanbul, eight for Beijing. The old
#   airport of Istanbul (ISL) has its zone.
# Why it matters: the transfer for a flight that lands in Istanbul at 9:00 is booked for 12:00, in an answer that looks like any other. A
#   test with London or New York passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iata-tz@1.0.3 moment-timezone@0.6.6 >> npm.log 2>&1
cat > flights.cjs <<'END'
const airports = require('iata-tz/src/airports.json');
const { convertToUTC, convertBetweenTimezones, getTimezoneOffset } = require('iata-tz');
for (const code of ['LHR', 'JFK', 'DEL', 'ISL', 'IST', 'PKX', 'BER'])
  try {
    const { timezone } = getTimezoneOffset(code, new Date('2030-01-15T12:00Z'));
    console.log(`${code}, zone ${timezone}: lands at 09:00, in UTC ${convertToUTC(code, '2030-01-15 09:00:00').slice(11, 16)}, in Delhi ${convertBetweenTimezones(code, 'DEL', '2030-01-15 09:00:00').slice(11, 16)}`);
  } catch (error) {
    console.log(`${code}: ${error.message}`);
  }
const zones = Object.values(airports);
console.log(`without a zone: ${zones.filter((zone) => !zone.includes('/')).length} of ${zones.length} airports`);
END
TZ=UTC node flights.cjs 2> log > seen
cat seen
cat > expected <<'END'
LHR, zone Europe/London: lands at 09:00, in UTC 09:00, in Delhi 14:30
JFK, zone America/New_York: lands at 09:00, in UTC 14:00, in Delhi 19:30
DEL, zone Asia/Calcutta: lands at 09:00, in UTC 03:30, in Delhi 09:00
ISL, zone Europe/Istanbul: lands at 09:00, in UTC 06:00, in Delhi 11:30
IST, zone \N: lands at 09:00, in UTC 09:00, in Delhi 14:30
PKX, zone \N: lands at 09:00, in UTC 09:00, in Delhi 14:30
BER: Invalid IATA code: BER
without a zone: 557 of 6072 airports
END
diff expected seen
