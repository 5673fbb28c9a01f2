#!/usr/bin/env bash
# Package: human-to-cron 0.3.1, which turns a sentence into a cron line with seconds, compared with croner 11.0.1, which shows when that
#   runs.
# The good guess: a sentence like the one in its documentation ("friday 15:44") is understood, and one that it cannot read is refused.
# What is seen: words that it does not know are ignored, and the field becomes a star, even the seconds: "every friday at 5 pm" runs every
#   day at 5 am, and "every day at 9am" and "every monday at noon" run every second.
# Why it matters: the reminder that a host sets up for Friday afternoon goes out every morning, and the text message for Monday noon goes
#   out every second.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts human-to-cron@0.3.1 croner@11.0.1 >> npm.log 2>&1
cat > lines.cjs <<'END'
const humanToCron = require('human-to-cron');
const { Cron } = require('croner');
for (const sentence of ['each day at midnight', 'friday 15:44', 'every friday at 5 pm', 'each tuesday at 9:15 PM', 'every weekday at 9:30', 'every day at 9am', 'every monday at noon', 'every other day']) {
  const line = humanToCron(sentence);
  let runs;
  try {
    runs = new Cron(line, { timezone: 'UTC', paused: true }).nextRuns(3, new Date('2030-01-31T23:59:59Z')).map((time) => time.toISOString().slice(0, 19)).join(', ');
  } catch (error) {
    runs = error.constructor.name;
  }
  console.log(`${sentence}: ${line}\n  ${runs}`);
}
END
node lines.cjs > seen
cat seen
cat > expected <<'END'
each day at midnight: 0 0 0 * * */1
  2030-02-01T00:00:00, 2030-02-02T00:00:00, 2030-02-03T00:00:00
friday 15:44: 0 44 15 * * 5
  2030-02-01T15:44:00, 2030-02-08T15:44:00, 2030-02-15T15:44:00
every friday at 5 pm: 0 0 5 * * *
  2030-02-01T05:00:00, 2030-02-02T05:00:00, 2030-02-03T05:00:00
each tuesday at 9:15 PM: 0 15 9 * * *
  2030-02-01T09:15:00, 2030-02-02T09:15:00, 2030-02-03T09:15:00
every weekday at 9:30: 0 30 9 * * *
  2030-02-01T09:30:00, 2030-02-02T09:30:00, 2030-02-03T09:30:00
every day at 9am: * * * * * */1
  2030-02-01T00:00:00, 2030-02-01T00:00:01, 2030-02-01T00:00:02
every monday at noon: * * * * * *
  2030-02-01T00:00:00, 2030-02-01T00:00:01, 2030-02-01T00:00:02
every other day: * * * * * *
  2030-02-01T00:00:00, 2030-02-01T00:00:01, 2030-02-01T00:00:02
END
diff expected seen
