#!/usr/bin/env bash
# Package: city-timezones 1.3.4, which finds the zone of a city by its name.
# The good guess: of several cities of one name the largest is the first, as the table has how many people live there; and a name is found as it is
#   written on the spot or in English.
# What is seen: London is the one in Ontario first, San Jose the one in Costa Rica, Portland the one in Australia and Richmond as well; the one with
#   the most people is second, third or fourth. "New York City", "Washington", "Zurich" and "München" are nowhere.
# Why it matters: a host who enters London has her calendar in Toronto's time, five hours off, without a word. Those who try it with Chicago or
#   Berlin see nothing.
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
