#!/usr/bin/env bash
# Package: s-ago 2.2.0, which says how far away a time is, as in "in 2 hours", for lists and reminders. "Now" is Tuesday, 29 January 2030,
#   half past midnight, unless the line says otherwise.
# The good guess: "tomorrow" is the next day of the calendar, and never later today. "In 2 days" is the day after tomorrow.
# What is seen: only the distance counts, rounded. From 20 hours on it says "tomorrow", so half an hour past midnight a call at 23:00 of the
#   same day is "tomorrow". From 36 hours on it says "in 2 days", so on Tuesday at 9:00 a call on Wednesday at 21:30 is "in 2 days", and on
#   Tuesday at 22:00 a call on Thursday morning is "tomorrow".
# Why it matters: an invitee who reads "in 2 days" on Tuesday morning expects Thursday, and misses the call on Wednesday evening. One who
#   opens the reminder after midnight reads "tomorrow" for tonight's call. By day, and for calls in office hours, the words are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts s-ago@2.2.0 >> npm.log 2>&1
cat > words.cjs <<'END'
// A fixed clock: the library takes "now" from Date.now() and new Date().
const Real = Date;
let now;
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length > 0 ? given : [now]));
  }
  static now() {
    return now;
  }
};
const ago = require('s-ago');
const say = ago.default ?? ago;
for (const [clock, calls] of [
  ['2030-01-29T00:30Z', ['2030-01-29T09:00Z', '2030-01-29T22:00Z', '2030-01-29T23:00Z', '2030-01-28T09:00Z', '2030-01-28T01:00Z']],
  ['2030-01-29T09:00Z', ['2030-01-29T17:00Z', '2030-01-30T09:00Z', '2030-01-30T20:00Z', '2030-01-30T21:30Z', '2030-01-31T09:00Z']],
  ['2030-01-29T22:00Z', ['2030-01-30T08:00Z', '2030-01-31T08:00Z', '2030-01-28T23:00Z']],
]) {
  now = Real.parse(clock);
  for (const call of calls) console.log(`at ${clock.slice(5, 16).replace('T', ' ')}, a call at ${call.slice(5, 16).replace('T', ' ')}: ${say(new Date(call))}`);
}
END
TZ=UTC node words.cjs > seen
cat seen
cat > expected <<'END'
at 01-29 00:30, a call at 01-29 09:00: in 9 hours
at 01-29 00:30, a call at 01-29 22:00: tomorrow
at 01-29 00:30, a call at 01-29 23:00: tomorrow
at 01-29 00:30, a call at 01-28 09:00: 16 hours ago
at 01-29 00:30, a call at 01-28 01:00: yesterday
at 01-29 09:00, a call at 01-29 17:00: in 8 hours
at 01-29 09:00, a call at 01-30 09:00: tomorrow
at 01-29 09:00, a call at 01-30 20:00: tomorrow
at 01-29 09:00, a call at 01-30 21:30: in 2 days
at 01-29 09:00, a call at 01-31 09:00: in 2 days
at 01-29 22:00, a call at 01-30 08:00: in 10 hours
at 01-29 22:00, a call at 01-31 08:00: tomorrow
at 01-29 22:00, a call at 01-28 23:00: yesterday
END
diff expected seen
