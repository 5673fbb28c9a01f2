#!/usr/bin/env bash
# Package: luxon 3.7.2, which parses every date in an n8n expression.
# The good guess: a local time that occurs twice when the clocks go back always means the same one of its two instants, the first or the
#   second.
# What is seen: it depends on the day on which the program runs. Luxon first tries the zone's current offset, and keeps it if it fits. 01:30
#   on 1 November 2026 in New York is 05:30Z for a process started in July, and 06:30Z for one started in January.
# Why it matters: two processes of one server, or one before and after a restart, place the same start an hour apart. An availability check
#   looks at another slot, and a test that passes in summer fails in winter.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts luxon@3.7.2 >> npm.log 2>&1
cat > season.cjs <<'END'
const { DateTime, Settings } = require('luxon');
const today = process.argv[2];
Settings.now = () => Date.parse(today);
const starts = [
  ['2026-11-01T01:30', 'America/New_York'],
  ['2026-10-25T02:30', 'Europe/Berlin'],
  ['2026-04-05T02:30', 'Australia/Sydney'],
];
const read = ([start, zone]) => `${start} ${zone} = ${DateTime.fromISO(start, { zone }).toUTC().toFormat("HH:mm'Z'")}`;
console.log(`started in ${today.slice(0, 7)}:`, starts.map(read).join(', '));
END
{
  node season.cjs 2026-07-15T12:00:00Z
  node season.cjs 2026-01-15T12:00:00Z
} > seen
cat seen
cat > expected <<'END'
started in 2026-07: 2026-11-01T01:30 America/New_York = 05:30Z, 2026-10-25T02:30 Europe/Berlin = 00:30Z, 2026-04-05T02:30 Australia/Sydney = 16:30Z
started in 2026-01: 2026-11-01T01:30 America/New_York = 06:30Z, 2026-10-25T02:30 Europe/Berlin = 01:30Z, 2026-04-05T02:30 Australia/Sydney = 15:30Z
END
diff expected seen
