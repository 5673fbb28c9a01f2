#!/usr/bin/env bash
# Package: microformats-parser 2.0.6, which reads events from the markup of web pages (h-event of microformats2).
# The good guess: a page may write the date and time of an event for people, as "12:15pm" or "9:30 p.m." (the value class pattern names both
#   forms), and the parser converts the time to 24 hours.
# What is seen: noon becomes 24:00 and midnight 12:00: "12:15pm" is 24:15, and "12am" is 12:00. "9:30 p.m.", with dots, is not converted and
#   comes out as "9:30 P.M.". "9am" and "11pm" are right.
# Why it matters: a lunch on the 31st moves to a quarter past midnight on the next day in software that accepts hours past 24:00, and has no
#   time elsewhere; an event at midnight moves to noon. All other hours are right, so a page of ordinary meetings passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts microformats-parser@2.0.6 >> npm.log 2>&1
cat > events.mjs <<'END'
import { mf2 } from 'microformats-parser';
for (const time of ['9am', '11am', '12am', '12pm', '12:15pm', '1pm', '11pm', '9:30 p.m.', '09:30']) {
  const page = `<div class="h-event"><b class="p-name">Call</b> <span class="dt-start"><b class="value">2030-01-31</b>, <b class="value">${time}</b></span></div>`;
  const { items } = mf2(page, { baseUrl: 'https://pages.example/' });
  console.log(`${time}: ${items[0].properties.start[0]}`);
}
END
node events.mjs > seen
cat seen
cat > expected <<'END'
9am: 2030-01-31 09:00
11am: 2030-01-31 11:00
12am: 2030-01-31 12:00
12pm: 2030-01-31 24:00
12:15pm: 2030-01-31 24:15
1pm: 2030-01-31 13:00
11pm: 2030-01-31 23:00
9:30 p.m.: 2030-01-31 9:30 P.M.
09:30: 2030-01-31 09:30
END
diff expected seen
