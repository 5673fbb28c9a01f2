#!/usr/bin/env bash
# Packages: windows-iana 5.1.0, which gives a zone the name that Outlook and Microsoft Graph take, and moment-timezone 0.6.6.
# The good guess: a zone that the IANA database has as its main name has an entry, or its aliases stand for each other.
# What is seen: Europe/Kyiv, the main name since 2022, America/Ciudad_Juarez and Pacific/Kanton have none: the answer is an empty list, and
#   no error. Europe/Kiev, the old name of the same zone, is found, and so are other zones under both names (Asia/Kolkata, Asia/Calcutta).
# Why it matters: devices and calendars give either name of one and the same place. A booking is sent without a zone, or with "undefined",
#   for one person in Kyiv, and rightly for the next.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts windows-iana@5.1.0 moment-timezone@0.6.6 >> npm.log 2>&1
cat > names.cjs <<'END'
const moment = require('moment-timezone');
const { findWindows } = require('windows-iana');
for (const zone of ['Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'Europe/Kyiv', 'America/Ciudad_Juarez', 'Pacific/Kanton'])
  console.log(`${zone}: ${moment.tz.zone(zone) ? 'a zone' : 'unknown'} in the IANA data, for Windows [${findWindows(zone).join(', ')}]`);
END
node names.cjs > seen
cat seen
cat > expected <<'END'
Asia/Calcutta: a zone in the IANA data, for Windows [India Standard Time]
Asia/Kolkata: a zone in the IANA data, for Windows [India Standard Time]
Europe/Kiev: a zone in the IANA data, for Windows [FLE Standard Time]
Europe/Kyiv: a zone in the IANA data, for Windows []
America/Ciudad_Juarez: a zone in the IANA data, for Windows []
Pacific/Kanton: a zone in the IANA data, for Windows []
END
diff expected seen
