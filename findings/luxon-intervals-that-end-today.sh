#!/usr/bin/env bash
# Package: luxon 3.7.2, whose Interval is available in every n8n expression, compared with @0dep/piso 5.1.2.
# The good guess: if the end of an interval omits what it shares with the start, such as 2030-01-31T09:00/10:00, it is read as ISO 8601
#   says, from nine to ten on that day, or rejected.
# What is seen: the end is parsed alone, so it falls on the day on which the program runs. On 31 January 2030, the meeting of the 24th lasts
#   a week and an hour (169 h), and that of 7 February is invalid. "/03-14" is not 14 March but three o'clock at an offset of -14 hours.
#   piso reads all of them correctly.
# Why it matters: a window of an hour becomes a week, and grows each day: it overlaps with everything, so no slot is free. A test with a
#   meeting of today passes. Write both ends in full, or a duration.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts luxon@3.7.2 @0dep/piso@5.1.2 >> npm.log 2>&1
cat > intervals.mjs <<'END'
import { parseInterval } from '@0dep/piso';
import { Interval, Settings } from 'luxon';
Settings.defaultZone = 'utc';
Settings.now = () => Date.parse('2030-01-31T00:00Z');
const show = (date) => (date ? date.toISOString().slice(5, 16) : 'no end');
for (const text of ['2030-01-24T09:00Z/10:00Z', '2030-01-31T09:00Z/10:00Z', '2030-02-07T09:00Z/10:00Z', '2030-01-24/03-14']) {
  const read = Interval.fromISO(text);
  const whole = parseInterval(text, true);
  console.log(`${text}: luxon ${read.isValid ? `until ${show(read.end.toJSDate())}, ${read.length('hours')} h` : read.invalidReason}; piso until ${show(whole.endDate)}`);
}
END
node intervals.mjs > seen
cat seen
cat > expected <<'END'
2030-01-24T09:00Z/10:00Z: luxon until 01-31T10:00, 169 h; piso until 01-24T10:00
2030-01-31T09:00Z/10:00Z: luxon until 01-31T10:00, 1 h; piso until 01-31T10:00
2030-02-07T09:00Z/10:00Z: luxon end before start; piso until 02-07T10:00
2030-01-24/03-14: luxon until 01-30T17:00, 161 h; piso until 03-14T00:00
END
diff expected seen
