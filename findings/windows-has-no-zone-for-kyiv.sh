#!/usr/bin/env bash
# Packages: windows-iana 5.1.0, which converts an IANA time zone to the name that Outlook and Microsoft Graph use, and moment-timezone
#   0.6.6.
# The good guess: a zone whose name is the main one in the IANA database has an entry, or is found by its alias.
# What is seen: Europe/Kyiv, the main name since 2022, America/Ciudad_Juarez and Pacific/Kanton have none: the result is an empty list,
#   without an error. Europe/Kiev, the old name of the same zone, is found, and other zones are found under both names (Asia/Kolkata,
#   Asia/Calcutta).
# Why it matters: devices and calendars use either name for the same place. A booking is sent without a time zone, or with "undefined", for
#   one person in Kyiv, and correctly for the next.
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
