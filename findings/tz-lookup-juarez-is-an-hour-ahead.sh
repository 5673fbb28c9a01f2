#!/usr/bin/env bash
# Packages: tz-lookup 6.1.25, which finds the time zone of a place by its coordinates, compared with @photostructure/tz-lookup 11.7.0, its
#   successor.
# The good guess: a city of a million and a half people gets a time zone with the right local time; near a border a small table may be
#   coarse.
# What is seen: all of Ciudad Juárez is America/Ojinaga. In 2022 the two cities left that zone on different days: Ojinaga now has Chicago's
#   time, and Juárez has Denver's. The successor returns America/Ciudad_Juarez. El Paso, across the river, is right in both.
# Why it matters: hosts who set up an office there, or whose phone gives their position, work an hour earlier than they said, all year, and
#   the name of the zone looks close enough.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts tz-lookup@6.1.25 @photostructure/tz-lookup@11.7.0 >> npm.log 2>&1
cat > places.cjs <<'END'
const older = require('tz-lookup');
const newer = require('@photostructure/tz-lookup');
const clock = (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date('2030-01-31T16:00Z'));
for (const [place, latitude, longitude] of [['centre of Juárez', 31.739, -106.485], ['its airport', 31.636, -106.429], ['its south', 31.6, -106.4], ['Ojinaga', 29.564, -104.416], ['El Paso', 31.76, -106.49], ['Chihuahua', 28.63, -106.08]]) {
  const zones = [older, newer].map((find) => find(latitude, longitude));
  console.log(`${place}: ${zones.map((zone) => `${zone} (${clock(zone)})`).join('; ')}`);
}
END
node places.cjs > seen
cat seen
cat > expected <<'END'
centre of Juárez: America/Ojinaga (10:00); America/Ciudad_Juarez (09:00)
its airport: America/Ojinaga (10:00); America/Ciudad_Juarez (09:00)
its south: America/Ojinaga (10:00); America/Ciudad_Juarez (09:00)
Ojinaga: America/Ojinaga (10:00); America/Ojinaga (10:00)
El Paso: America/Denver (09:00); America/Denver (09:00)
Chihuahua: America/Chihuahua (10:00); America/Chihuahua (10:00)
END
diff expected seen
