#!/usr/bin/env bash
# Package: zipcode-to-timezone 0.0.9, which gives the zone of a postal code of the United States.
# The good guess: a code gets the zone of its county (49 CFR 71), at least by its clock; one that is not in the table gets none.
# What is seen: Evansville and Hammond, in the corners of Indiana that have Chicago's time, get Indianapolis; Bowling Green in Kentucky gets
#   Louisville; Mandan in North Dakota is in Denver's time; Ontario in Oregon, on Boise's, is in Los Angeles'; and Page in Arizona, which has no
#   summer time, gets Denver, whose has. Puerto Rico and Guam have none. The cities beside them are right.
# Why it matters: a guest gives her postal code, and the visit or the call is an hour off, for all of a town of a hundred thousand and never for
#   the codes that one tries, such as those of New York or Indianapolis.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts zipcode-to-timezone@0.0.9 >> npm.log 2>&1
cat > codes.cjs <<'END'
const { lookup } = require('zipcode-to-timezone');
const clock = (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date('2025-07-31T16:00Z'));
for (const [code, town, zone] of [
  ['46204', 'Indianapolis, Indiana', 'America/Indiana/Indianapolis'],
  ['47708', 'Evansville, Indiana', 'America/Chicago'],
  ['46320', 'Hammond, Indiana', 'America/Chicago'],
  ['40202', 'Louisville, Kentucky', 'America/Kentucky/Louisville'],
  ['42101', 'Bowling Green, Kentucky', 'America/Chicago'],
  ['58501', 'Bismarck, North Dakota', 'America/Chicago'],
  ['58554', 'Mandan, North Dakota', 'America/North_Dakota/New_Salem'],
  ['83702', 'Boise, Idaho', 'America/Boise'],
  ['97914', 'Ontario, Oregon', 'America/Boise'],
  ['85001', 'Phoenix, Arizona', 'America/Phoenix'],
  ['86040', 'Page, Arizona', 'America/Phoenix'],
  ['00901', 'San Juan, Puerto Rico', 'America/Puerto_Rico'],
]) {
  const found = lookup(code);
  console.log(`${code} ${town}: ${found ? `${found}, ${clock(found)} in July${clock(found) === clock(zone) ? '' : `, and it is ${clock(zone)}`}` : 'none'}`);
}
END
node codes.cjs > seen
cat seen
cat > expected <<'END'
46204 Indianapolis, Indiana: America/Indiana/Indianapolis, 12:00 in July
47708 Evansville, Indiana: America/Indiana/Indianapolis, 12:00 in July, and it is 11:00
46320 Hammond, Indiana: America/Indiana/Indianapolis, 12:00 in July, and it is 11:00
40202 Louisville, Kentucky: America/Kentucky/Louisville, 12:00 in July
42101 Bowling Green, Kentucky: America/Kentucky/Louisville, 12:00 in July, and it is 11:00
58501 Bismarck, North Dakota: America/Chicago, 11:00 in July
58554 Mandan, North Dakota: America/Denver, 10:00 in July, and it is 11:00
83702 Boise, Idaho: America/Boise, 10:00 in July
97914 Ontario, Oregon: America/Los_Angeles, 09:00 in July, and it is 10:00
85001 Phoenix, Arizona: America/Phoenix, 09:00 in July
86040 Page, Arizona: America/Denver, 10:00 in July, and it is 09:00
00901 San Juan, Puerto Rico: none
END
diff expected seen
