#!/usr/bin/env bash
# Package: datejs 0.0.2, which reads dates in English, with "now" set to Tuesday, 29 January 2030, noon, compared with chrono-node 2.10.3.
# The good guess: "tomorrow at 9:30 am" is read with its time, or refused (null), as "tomorrow 9:30 am" is. "2 weeks from friday" counts
#   from that Friday.
# What is seen: in "tomorrow at 9:30 am" and "9:30 am tomorrow", the time is silently dropped, and midnight is returned; "friday at 9:30 am"
#   is right. "2 weeks from friday" is Thursday, two days away. "1 week" is in the past (31 December), and 9.30 is 30 September.
# Why it matters: a reminder for tomorrow at half past nine goes out at midnight, and a follow-up in two weeks is the day after tomorrow.
#   "friday at 9:30 am", the likely test, works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts datejs@0.0.2 chrono-node@2.10.3 >> npm.log 2>&1
cat > dates.cjs <<'END'
const RealDate = Date;
const now = RealDate.parse('2030-01-29T12:00:00Z');
// The package extends Date, and asks it for the day.
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length) super(...given);
    else super(now);
  }
  static now = () => now;
};
require('datejs');
const chrono = require('chrono-node');
const show = (date) => (date instanceof RealDate ? `${RealDate.prototype.toString.call(date).slice(0, 21)}` : 'nothing');
for (const words of ['friday at 9:30 am', 'tomorrow at 9:30 am', 'tomorrow at 12:30 pm', 'tomorrow 9:30 am', '9:30 am tomorrow', '2 weeks from now', '2 weeks from friday', '1 week', '9.30'])
  console.log(`${words}: ${show(Date.parse(words))}; chrono-node ${show(chrono.parseDate(words, new RealDate(now), { forwardDate: true }))}`);
END
TZ=UTC node dates.cjs > seen
cat seen
cat > expected <<'END'
friday at 9:30 am: Fri Feb 01 2030 09:30; chrono-node Fri Feb 01 2030 09:30
tomorrow at 9:30 am: Wed Jan 30 2030 00:00; chrono-node Wed Jan 30 2030 09:30
tomorrow at 12:30 pm: Wed Jan 30 2030 00:00; chrono-node Wed Jan 30 2030 12:30
tomorrow 9:30 am: nothing; chrono-node Wed Jan 30 2030 09:30
9:30 am tomorrow: Wed Jan 30 2030 00:00; chrono-node Wed Jan 30 2030 09:30
2 weeks from now: Tue Feb 12 2030 12:00; chrono-node Tue Feb 12 2030 12:00
2 weeks from friday: Thu Jan 31 2030 00:00; chrono-node Tue Feb 12 2030 12:00
1 week: Mon Dec 31 2029 00:00; chrono-node Tue Feb 05 2030 12:00
9.30: Mon Sep 30 2030 00:00; chrono-node nothing
END
diff expected seen
