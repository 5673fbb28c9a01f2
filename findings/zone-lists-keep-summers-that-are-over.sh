#!/usr/bin/env bash
# Packages: timezones.json 1.7.2 and timezones-list 3.1.0, from which web pages build the list of time zones to choose from, compared with
#   Node.js.
# The good guess: the offset listed with a zone is one that the zone has, in winter or in summer; a table may be a change or two behind.
# What is seen: in the first, Mexico City and Tehran have a summer time that ended in 2022, Baku one that ended in 2015, and Kamchatka is at
#   +13 instead of +12, among others. In the second, Amman, Damascus and Windhoek have an offset that they have at no time of the year. One
#   name in both, Europe/Zaporizhzhia, is unknown to Node.js.
# Why it matters: users see the right offset in the text "(UTC-06:00) Mexico City", though the value is -5. They choose the right zone, and
#   a page that calculates with the value books an hour off.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts timezones.json@1.7.2 timezones-list@3.1.0 >> npm.log 2>&1
cat > offsets.cjs <<'END'
const list = require('timezones-list');
const json = require('timezones.json');
const offset = (timeZone, day) => {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(new Date(`${day}T12:00Z`)).find(({ type }) => type === 'timeZoneName').value;
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [0, '+', 0, 0];
  return (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60);
};
const number = (text) => (/^-/.test(text) ? -1 : 1) * (Number(/\d+/.exec(text)[0]) + Number(/:(\d+)/.exec(text)[1]) / 60);
const tables = {
  'timezones.json': json.flatMap(({ utc, offset: said }) => utc.map((zone) => [zone, said])),
  'timezones-list': (list.default ?? list).map(({ tzCode, utc }) => [tzCode, number(utc)]),
};
for (const [name, rows] of Object.entries(tables)) {
  const wrong = new Map();
  for (const [zone, said] of rows) {
    try {
      // Both are asked for 2025, so that newer rules of Node.js do not count.
      const real = [offset(zone, '2025-01-15'), offset(zone, '2025-07-15')];
      if (!real.includes(said)) wrong.set(zone, `${zone} ${said} for ${[...new Set(real)].join(' or ')}`);
    } catch {
      wrong.set(zone, `${zone} is unknown`);
    }
  }
  const shown = ['America/Mexico_City', 'Asia/Tehran', 'Asia/Baku', 'Asia/Kamchatka', 'America/Caracas', 'Asia/Amman', 'Asia/Damascus', 'Africa/Windhoek', 'Europe/Zaporizhzhia'];
  console.log(`${name}: ${shown.map((zone) => wrong.get(zone)).filter(Boolean).join('; ')}`);
}
END
node offsets.cjs > seen
cat seen
cat > expected <<'END'
timezones.json: America/Mexico_City -5 for -6; Asia/Tehran 4.5 for 3.5; Asia/Baku 5 for 4; Asia/Kamchatka 13 for 12; America/Caracas -4.5 for -4; Africa/Windhoek 1 for 2; Europe/Zaporizhzhia is unknown
timezones-list: Asia/Amman 2 for 3; Asia/Damascus 2 for 3; Africa/Windhoek 1 for 2; Europe/Zaporizhzhia is unknown
END
diff expected seen
