#!/usr/bin/env bash
# Packages: parse-duration 2.1.9, timestring 7.0.0 and human-interval 2.0.1, which parse durations written as text, and agenda 6.2.6, which
#   uses human-interval to repeat jobs.
# The good guess: "half an hour", "1,5 hours" and "-15 minutes" are read as people mean them, or rejected.
# What is seen: "1,5 hours" is 15 hours in two packages and one hour in the third. "1h30" is 90 minutes, 60 minutes or NaN. timestring drops
#   the minus of "-15 minutes". "half an hour" is NaN, an error or 0: agenda calls it valid and schedules the next run at the time of the
#   last. For agenda, "1 month" is 30 days (31 January to 2 March) and "1 day" is 24 hours, even when the given time zone changes its clocks
#   in between.
# Why it matters: a reminder or buffer that a person typed is ten times too long, or comes after the meeting. All packages agree on whole
#   numbers with one unit, so tests pass. Ask for number and unit in two fields.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts parse-duration@2.1.9 timestring@7.0.0 human-interval@2.0.1 agenda@6.2.6 >> npm.log 2>&1
cat > lengths.mjs <<'END'
import { pathToFileURL } from 'node:url';
import humanInterval from 'human-interval';
import parseDuration from 'parse-duration';
import timestring from 'timestring';
const { computeFromInterval, isValidHumanInterval } = await import(pathToFileURL('node_modules/agenda/dist/utils/nextRunAt.js'));
const readers = { 'parse-duration': (text) => parseDuration(text, 'm'), timestring: (text) => timestring(text, 'm'), 'human-interval': (text) => humanInterval(text) / 60_000 };
for (const text of ['90 minutes', '1,5 hours', '1h30', '-15 minutes', 'half an hour']) {
  const read = Object.entries(readers).map(([name, reader]) => {
    try {
      return `${name} ${reader(text) ?? Number.NaN} min`;
    } catch {
      return `${name} refuses`;
    }
  });
  console.log(`${text}: ${read.join(', ')}`);
}
const jobs = [['half an hour', '2030-01-31T09:00Z'], ['1 month', '2030-01-31T09:00Z'], ['1 day', '2030-03-09T14:00Z']];
for (const [repeatInterval, last] of jobs) {
  const next = computeFromInterval({ repeatInterval, repeatTimezone: 'America/New_York', lastRunAt: new Date(last) });
  console.log(`agenda, every ${repeatInterval} (${isValidHumanInterval(repeatInterval) ? 'valid' : 'not valid'}), last at ${last}: next at ${new Date(next).toISOString().slice(0, 16)}Z`);
}
END
node lengths.mjs > seen
cat seen
cat > expected <<'END'
90 minutes: parse-duration 90 min, timestring 90 min, human-interval 90 min
1,5 hours: parse-duration 900 min, timestring 900 min, human-interval 60 min
1h30: parse-duration 90 min, timestring 60 min, human-interval NaN min
-15 minutes: parse-duration -15 min, timestring 15 min, human-interval -15 min
half an hour: parse-duration NaN min, timestring refuses, human-interval 0 min
agenda, every half an hour (valid), last at 2030-01-31T09:00Z: next at 2030-01-31T09:00Z
agenda, every 1 month (valid), last at 2030-01-31T09:00Z: next at 2030-03-02T09:00Z
agenda, every 1 day (valid), last at 2030-03-09T14:00Z: next at 2030-03-10T14:00Z
END
diff expected seen
