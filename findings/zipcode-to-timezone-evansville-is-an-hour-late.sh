#!/usr/bin/env bash
# Package: zipcode-to-timezone 0.0.9, which returns the time zone of a United States postal code (ZIP code).
# The good guess: a code gets the time zone of its county (49 CFR 71), or one with the same time; a code that is not in the table gets none.
# What is seen: Evansville and Hammond, in the corners of Indiana on Chicago time, get Indianapolis; Bowling Green, Kentucky, gets
#   Louisville; Mandan, North Dakota, gets Denver; Ontario, Oregon, on Boise time, gets Los Angeles; and Page, Arizona, which has no summer
#   time, gets Denver, which has. Puerto Rico gets none. The bigger cities nearby are right.
# Why it matters: a guest gives a ZIP code, and the visit or the call is an hour off, for a whole city of a hundred thousand, but never for
#   the codes that a developer tries, such as those of New York or Indianapolis.
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
