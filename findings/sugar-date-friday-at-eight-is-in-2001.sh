#!/usr/bin/env bash
# Package: sugar-date 2.0.6, which parses dates in English, with the machine's "now" set to noon on Tuesday, 29 January 2030, compared with
#   chrono-node 2.10.3.
# The good guess: "friday at 8" is eight o'clock on Friday, or gives an invalid date, as "five to nine" does: "friday at 8pm" and "friday at
#   8:00" are understood.
# What is seen: a phrase that it does not know as a whole is passed to JavaScript's own Date parser, which takes the number for a month and
#   2001 for the year. So "friday at 8", "tomorrow at 8" and "friday, room 8" are all 1 August 2001.
# Why it matters: the date is valid, so nobody asks the guest again; a meeting in the past is in no list of upcoming ones, and its slot
#   stays free.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts sugar-date@2.0.6 chrono-node@2.10.3 >> npm.log 2>&1
cat > dates.cjs <<'END'
const RealDate = Date;
const now = RealDate.parse('2030-01-29T12:00:00Z');
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length) super(...given);
    else super(now);
  }
  static now = () => now;
};
const Sugar = require('sugar-date');
const chrono = require('chrono-node');
const show = (date) => (date && !Number.isNaN(date.getTime()) ? date.toString().slice(0, 21) : 'no date');
for (const words of ['friday at 8pm', 'friday at 8:00', 'friday at 8', 'tomorrow at 8', 'tonight at 8', 'next friday at 10', 'friday, room 8', 'half past 9', 'five to nine', 'friday evening'])
  console.log(`${words}: ${show(Sugar.Date.create(words))}; chrono-node ${show(chrono.parseDate(words, new RealDate(now)))}`);
END
TZ=UTC node dates.cjs > seen
cat seen
cat > expected <<'END'
friday at 8pm: Fri Feb 01 2030 20:00; chrono-node Fri Feb 01 2030 20:00
friday at 8:00: Fri Feb 01 2030 08:00; chrono-node Fri Feb 01 2030 08:00
friday at 8: Wed Aug 01 2001 00:00; chrono-node Fri Feb 01 2030 08:00
tomorrow at 8: Wed Aug 01 2001 00:00; chrono-node Wed Jan 30 2030 08:00
tonight at 8: Wed Aug 01 2001 00:00; chrono-node Tue Jan 29 2030 20:00
next friday at 10: Mon Oct 01 2001 00:00; chrono-node Fri Feb 08 2030 10:00
friday, room 8: Wed Aug 01 2001 00:00; chrono-node Fri Feb 01 2030 12:00
half past 9: Sat Sep 01 2001 00:00; chrono-node no date
five to nine: no date; chrono-node no date
friday evening: no date; chrono-node Fri Feb 01 2030 20:00
END
diff expected seen
