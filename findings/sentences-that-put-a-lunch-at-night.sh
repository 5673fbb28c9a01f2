#!/usr/bin/env bash
# Packages: @microsoft/recognizers-text-date-time 1.3.2 and chrono-node 2.10.3, with which bots and forms find times in sentences.
# The good guess: an unambiguous phrase, such as "11am-1pm on Friday", is read as people mean it, in every word order, or is left alone. The
#   first package returns several values for "nine", so a single value is certain.
# What is seen: for recognizers, "11am-1pm on Friday" is from 23:00 back to 13:00 of the same day; "Friday 11am-1pm" is right. For chrono,
#   "Friday 11-1pm" is 23:00 to 13:00 of the next day, and "9 in the evening" is 09:00. For both, "in an hour and a half" is an hour. For
#   recognizers, "a week from today" is tomorrow.
# Why it matters: a lunch blocks a night, or ends before it begins and blocks nothing, and half an hour is missing from a meeting. It
#   depends on the wording, so the sentences of a test pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @microsoft/recognizers-text-date-time@1.3.2 chrono-node@2.10.3 >> npm.log 2>&1
cat > words.cjs <<'END'
const { recognizeDateTime } = require('@microsoft/recognizers-text-date-time');
const chrono = require('chrono-node');
const now = new Date(2030, 0, 31, 9, 0);
const clock = (date) => `${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')} ${date.toTimeString().slice(0, 5)}`;
console.log(`it is Thursday, ${clock(now)}`);
for (const words of [
  'Friday 11am-1pm',
  '11am-1pm on Friday',
  'from 10am to 12pm on Friday',
  'Friday 11-1pm',
  'tomorrow at 9pm',
  'tomorrow at 9 in the evening',
  'in 90 minutes',
  'in an hour and a half',
  'in 7 days at 3pm',
  'a week from today at 3pm',
]) {
  // A day of the week also gives the last one; a bot takes the one that is to come.
  const values = recognizeDateTime(words, 'en-us', 0, now).flatMap(({ resolution }) => resolution.values);
  const one = values.filter(({ value, start }) => (value ?? start) > '2030-01-31').map(({ value, start, end }) => value?.slice(5, 16) ?? `${start.slice(5, 16)} to ${end.slice(5, 16)}`);
  const two = chrono.parse(words, now, { forwardDate: true }).map(({ start, end }) => clock(start.date()) + (end ? ` to ${clock(end.date())}` : ''));
  console.log(`${words}: recognizers ${one.join(' or ')}; chrono ${two.join(' and ')}`);
}
END
TZ=UTC node words.cjs > seen
cat seen
cat > expected <<'END'
it is Thursday, 01-31 09:00
Friday 11am-1pm: recognizers 02-01 11:00 to 02-01 13:00; chrono 02-01 11:00 to 02-01 13:00
11am-1pm on Friday: recognizers 02-01 23:00 to 02-01 13:00; chrono 02-01 11:00 to 02-01 13:00
from 10am to 12pm on Friday: recognizers 02-01 22:00 to 02-01 12:00; chrono 02-01 10:00 to 02-01 12:00
Friday 11-1pm: recognizers 02-01 11:00 to 02-01 13:00; chrono 02-01 23:00 to 02-02 13:00
tomorrow at 9pm: recognizers 02-01 21:00; chrono 02-01 21:00
tomorrow at 9 in the evening: recognizers 02-01 21:00; chrono 02-01 09:00 and 01-31 20:00
in 90 minutes: recognizers 01-31 10:30; chrono 01-31 10:30
in an hour and a half: recognizers 01-31 10:00; chrono 01-31 10:00
in 7 days at 3pm: recognizers 02-07 15:00; chrono 02-07 15:00
a week from today at 3pm: recognizers 02-01 15:00; chrono 02-07 09:00 and 01-31 15:00
END
diff expected seen
