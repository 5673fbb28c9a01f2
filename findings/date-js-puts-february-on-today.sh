#!/usr/bin/env bash
# Packages: date.js 0.3.3, which reads dates in English, and agenda 6.2.6, a job scheduler that depends on it (agenda.schedule), compared
#   with chrono-node 2.10.3.
# The good guess: a job scheduled for "feb 5th at 9am" runs then, or the text is refused. "The day after tomorrow" and "half an hour" are
#   understood, or refused.
# What is seen: month and day are silently dropped: "feb 5th at 9am" is today at nine, and "february 5" is in 2001. "The day after tomorrow"
#   is tomorrow, "in half an hour" is 00:05 the next day, and "in 1.5 hours" is 01:05. "Tomorrow" and whole numbers are right, and those are
#   what the documentation of both shows.
# Why it matters: the reminder for next week's meeting goes out this morning, or at once because its time has passed, and the job counts as
#   done. Give agenda a Date.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts date.js@0.3.3 agenda@6.2.6 chrono-node@2.10.3 >> npm.log 2>&1
cat > jobs.mjs <<'END'
import { readFile } from 'node:fs/promises';
import * as chrono from 'chrono-node';
import date from 'date.js';
const { dependencies } = JSON.parse(await readFile('node_modules/agenda/package.json', 'utf8'));
console.log(`agenda depends on date.js: ${'date.js' in dependencies}`);
const now = () => new Date('2030-01-31T08:00:00');
const shown = (value) => value.toISOString().slice(0, 16);
for (const words of ['tomorrow at 9am', 'in 90 minutes', 'feb 5th at 9am', 'february 5', 'the day after tomorrow', 'in half an hour', 'in 1.5 hours'])
  console.log(`on 2030-01-31 at 08:00, ${words}: ${shown(date(words, now()))}, by chrono-node ${shown(chrono.parseDate(words, now()))}`);
END
TZ=UTC node jobs.mjs > seen
cat seen
cat > expected <<'END'
agenda depends on date.js: true
on 2030-01-31 at 08:00, tomorrow at 9am: 2030-02-01T09:00, by chrono-node 2030-02-01T09:00
on 2030-01-31 at 08:00, in 90 minutes: 2030-01-31T09:30, by chrono-node 2030-01-31T09:30
on 2030-01-31 at 08:00, feb 5th at 9am: 2030-01-31T09:00, by chrono-node 2030-02-05T09:00
on 2030-01-31 at 08:00, february 5: 2001-02-05T00:00, by chrono-node 2030-02-05T12:00
on 2030-01-31 at 08:00, the day after tomorrow: 2030-02-01T08:00, by chrono-node 2030-02-02T08:00
on 2030-01-31 at 08:00, in half an hour: 2030-02-01T00:05, by chrono-node 2030-01-31T08:30
on 2030-01-31 at 08:00, in 1.5 hours: 2030-02-01T01:05, by chrono-node 2030-01-31T09:30
END
diff expected seen
