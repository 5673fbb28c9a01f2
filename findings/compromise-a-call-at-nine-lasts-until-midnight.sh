#!/usr/bin/env bash
# Package: compromise-dates 3.9.0 (with compromise 14.17.0), which reads the dates in a sentence, with start, end and duration.
# The good guess: "Friday at 9am" has no end, or one equal to its start, like "tonight at 8". "For an hour" makes it an hour long. "Ten to
#   nine" is 8:50, as "half past nine" is 9:30.
# What is seen: "Friday at 9am" ends at 23:59, 15 hours later, and so it does with "for an hour". "Ten to nine" is 10:00 to 21:00, and
#   "quarter to nine on Friday" begins the day before. "Monday and Tuesday at 10am" is all of Monday, and Tuesday from 10:00 to 23:59.
# Why it matters: a call entered as a sentence blocks the rest of its day, and nobody is offered an hour on it. "9am to 10am" is right, and
#   so is the start of "half past nine", and tests check the start. Use the end only if the sentence names one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts compromise@14.17.0 compromise-dates@3.9.0 >> npm.log 2>&1
cat > calls.mjs <<'END'
import nlp from 'compromise';
import dates from 'compromise-dates';
nlp.plugin(dates);
for (const sentence of [
  'tonight at 8',
  'friday 9am to 10am',
  'half past nine on friday',
  'friday at 9am',
  'friday at 9am for an hour',
  'friday at 9am for 30 minutes',
  'ten to nine on friday',
  'quarter to nine on friday',
  'Monday and Tuesday at 10am',
]) {
  const found = nlp(sentence).dates({ timezone: 'America/New_York', today: '2030-01-31T08:00:00' }).get();
  // Of the one before, the minute is that of the run.
  const shown = found.map(({ start, end }) => `${sentence.startsWith('quarter') ? `${start.slice(5, 10)} ...` : start.slice(5, 16)} to ${end.slice(5, 16)}`);
  console.log(`on Thursday 2030-01-31, "${sentence}": ${shown.join(' and ')}`);
}
END
node calls.mjs > seen
cat seen
cat > expected <<'END'
on Thursday 2030-01-31, "tonight at 8": 01-31T20:00 to 01-31T20:00
on Thursday 2030-01-31, "friday 9am to 10am": 02-01T09:00 to 02-01T10:00
on Thursday 2030-01-31, "half past nine on friday": 02-01T09:30 to 02-01T23:59
on Thursday 2030-01-31, "friday at 9am": 02-01T09:00 to 02-01T23:59
on Thursday 2030-01-31, "friday at 9am for an hour": 02-01T09:00 to 02-01T23:59
on Thursday 2030-01-31, "friday at 9am for 30 minutes": 02-01T09:00 to 02-01T23:59
on Thursday 2030-01-31, "ten to nine on friday": 02-01T10:00 to 02-01T21:00
on Thursday 2030-01-31, "quarter to nine on friday": 01-31 ... to 02-01T09:00
on Thursday 2030-01-31, "Monday and Tuesday at 10am": 02-04T00:00 to 02-04T23:59 and 02-05T10:00 to 02-05T23:59
END
diff expected seen
