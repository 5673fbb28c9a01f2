#!/usr/bin/env bash
# Package: @0dep/piso 5.1.2, which parses ISO 8601 dates and intervals, as used by timers of processes (BPMN), compared with
#   temporal-polyfill 1.0.8.
# The good guess: R5/2030-01-31T09:00Z/P1M, "every month from 31 January, five times", occurs once a month, on the last day of a month that
#   has no 31st, or skips such months, as calendars do. R3/start/end repeats that length.
# What is seen: a month after 31 January is 3 March. The five times are 3 and 31 March, 1 and 31 May, and 1 July: none in February, April or
#   June. A year after 29 February is 1 March. An interval written as start and end occurs once, although R says three times.
# Why it matters: an invoice or a reminder for the end of the month comes twice in one month and not in the one before. For days up to the
#   28th it is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @0dep/piso@5.1.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > timers.mjs <<'END'
import { parseInterval } from '@0dep/piso';
import { Temporal } from 'temporal-polyfill';
// As a timer waits: until the next time, and from then on until the one after it.
function waits(text) {
  const times = [];
  for (let from = new Date('2028-01-01T00:00Z'); times.length < 6; from = new Date(+from + 1)) {
    from = parseInterval(text).getExpireAt(from, new Date('2028-01-01T00:00Z'));
    if (from.toISOString().slice(0, 10) === times.at(-1)) break;
    times.push(from.toISOString().slice(0, 10));
  }
  return times.join(' ');
}
for (const text of ['R5/2030-01-31T09:00Z/P1M', 'R5/2030-01-28T09:00Z/P1M', 'R4/2028-02-29T09:00Z/P1Y', 'R3/2030-01-07T09:00Z/2030-01-14T09:00Z', 'R3/2030-01-07T09:00Z/P7D'])
  console.log(`${text}: ${waits(text)}`);
const months = [1, 2, 3, 4, 5].map((months) => Temporal.PlainDate.from('2030-01-31').add({ months }));
console.log(`by Temporal, from 2030-01-31: ${months.join(' ')}`);
END
node timers.mjs > seen
cat seen
cat > expected <<'END'
R5/2030-01-31T09:00Z/P1M: 2030-03-03 2030-03-31 2030-05-01 2030-05-31 2030-07-01
R5/2030-01-28T09:00Z/P1M: 2030-02-28 2030-03-28 2030-04-28 2030-05-28 2030-06-28
R4/2028-02-29T09:00Z/P1Y: 2029-03-01 2030-03-01 2031-03-01 2032-02-29
R3/2030-01-07T09:00Z/2030-01-14T09:00Z: 2030-01-14
R3/2030-01-07T09:00Z/P7D: 2030-01-14 2030-01-21 2030-01-28
by Temporal, from 2030-01-31: 2030-02-28 2030-03-31 2030-04-30 2030-05-31 2030-06-30
END
diff expected seen
