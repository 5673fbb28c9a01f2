#!/usr/bin/env bash
# Packages: timezonecomplete 5.15.1, which calculates with dates and time zones by the tz database (npm package tzdata 1.0.51), compared
#   with Node.js.
# The good guess: both know the rule that Egypt has had since 2023: an hour ahead from the last Friday of April to the last Thursday of
#   October. The data contain it ("Egypt", 2023 to max), and other zones with such rules are right.
# What is seen: from 2023 on, Cairo has winter time all year: 14:00 in July, where Node.js gives 15:00. Beirut, whose rule has the same
#   form, changes its clocks, and so did Cairo in 2014, when Egypt also had summer time.
# Why it matters: from May to October, each meeting in Cairo is an hour off in one program and right in the next, although both have the
#   same data, so nobody suspects the library.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts timezonecomplete@5.15.1 tzdata@1.0.51 >> npm.log 2>&1
cat > cairo.cjs <<'END'
const { rules } = require('tzdata');
const { DateTime, zone } = require('timezonecomplete');
console.log(`rules of Egypt to max: ${rules.Egypt.filter((rule) => rule[1] === 'max').map((rule) => `from ${rule[0]}, ${rule[3]} ${rule[4]}, ${rule[6]} minutes`).join('; ')}`);
for (const name of ['Africa/Cairo', 'Asia/Beirut', 'Europe/Berlin'])
  for (const day of ['2014-06-15', '2022-07-15', '2023-07-15', '2026-07-15', '2030-01-15', '2030-07-15']) {
    const instant = `${day}T12:00:00Z`;
    const here = new DateTime(instant).toZone(zone(name)).format('HH:mm');
    const there = new Intl.DateTimeFormat('en-GB', { timeZone: name, hour: '2-digit', minute: '2-digit' }).format(new Date(instant));
    console.log(`${instant} in ${name}: ${here}${here === there ? '' : `, and ${there} by Node.js`}`);
  }
END
node cairo.cjs > seen
cat seen
cat > expected <<'END'
rules of Egypt to max: from 2023, Apr lastFri, 60 minutes; from 2023, Oct lastThu, 0 minutes
2014-06-15T12:00:00Z in Africa/Cairo: 15:00
2022-07-15T12:00:00Z in Africa/Cairo: 14:00
2023-07-15T12:00:00Z in Africa/Cairo: 14:00, and 15:00 by Node.js
2026-07-15T12:00:00Z in Africa/Cairo: 14:00, and 15:00 by Node.js
2030-01-15T12:00:00Z in Africa/Cairo: 14:00
2030-07-15T12:00:00Z in Africa/Cairo: 14:00, and 15:00 by Node.js
2014-06-15T12:00:00Z in Asia/Beirut: 15:00
2022-07-15T12:00:00Z in Asia/Beirut: 15:00
2023-07-15T12:00:00Z in Asia/Beirut: 15:00
2026-07-15T12:00:00Z in Asia/Beirut: 15:00
2030-01-15T12:00:00Z in Asia/Beirut: 14:00
2030-07-15T12:00:00Z in Asia/Beirut: 15:00
2014-06-15T12:00:00Z in Europe/Berlin: 14:00
2022-07-15T12:00:00Z in Europe/Berlin: 14:00
2023-07-15T12:00:00Z in Europe/Berlin: 14:00
2026-07-15T12:00:00Z in Europe/Berlin: 14:00
2030-01-15T12:00:00Z in Europe/Berlin: 13:00
2030-07-15T12:00:00Z in Europe/Berlin: 14:00
END
diff expected seen
