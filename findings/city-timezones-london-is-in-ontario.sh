#!/usr/bin/env bash
# Package: city-timezones 1.3.4, which finds the time zone of a city by its name.
# The good guess: if several cities share a name, the largest comes first, as the table has populations. A city is found by its local or its
#   English name.
# What is seen: the first London is in Ontario, the first San Jose in Costa Rica, the first Portland and the first Richmond in Australia;
#   the largest is second, third or fourth. "New York City", "Washington", "Zurich" and "München" are not found.
# Why it matters: a host who enters London silently gets a calendar in Toronto time, five hours off. Users who try Chicago or Berlin notice
#   nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts city-timezones@1.3.4 >> npm.log 2>&1
cat > cities.cjs <<'END'
const { lookupViaCity } = require('city-timezones');
for (const city of ['Berlin', 'London', 'San Jose', 'Portland', 'Richmond', 'New York City', 'Washington', 'Zurich', 'München']) {
  const found = lookupViaCity(city);
  const largest = [...found].sort((one, other) => other.pop - one.pop)[0];
  const show = ({ province, timezone, pop }) => `${province} (${timezone}, ${Math.round(pop / 1000)} thousand)`;
  console.log(`${city}: ${found.length ? `first ${show(found[0])}${largest === found[0] ? '' : `; the largest is number ${found.indexOf(largest) + 1}, ${show(largest)}`}` : 'not found'}`);
}
END
node cities.cjs > seen
cat seen
cat > expected <<'END'
Berlin: first Berlin (Europe/Berlin, 3250 thousand)
London: first Ontario (America/Toronto, 341 thousand); the largest is number 2, Westminster (Europe/London, 7994 thousand)
San Jose: first San José (America/Costa_Rica, 643 thousand); the largest is number 3, California (America/Los_Angeles, 1281 thousand)
Portland: first Victoria (Australia/Melbourne, 10 thousand); the largest is number 3, Oregon (America/Los_Angeles, 1208 thousand)
Richmond: first New South Wales (Australia/Sydney, 10 thousand); the largest is number 4, Virginia (America/New_York, 551 thousand)
New York City: not found
Washington: not found
Zurich: not found
München: not found
END
diff expected seen
