#!/usr/bin/env bash
# Package: chrono-node 2.10.3, which reads dates in plain sentences.
# The good guess: a time zone name is understood, or refused. The meaning of a sentence does not depend on the order of its words.
# What is seen: the reference zone "America/New_York" is silently ignored, and the machine's zone is used; "ET" works. In a sentence, summer
#   time for "ET" and "CET" is decided by today's date if the time comes first, and by the date meant if the time comes last: in early
#   March, "9am ET on July 15 2030" is 14:00Z, and "July 15 2030 at 9am ET" is 13:00Z.
# Why it matters: people who write "9am ET, July 15" in an email or to an assistant are booked an hour late, in the half of the year when
#   nobody tests it. Read only the local time, and apply an IANA time zone yourself.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts chrono-node@2.10.3 >> npm.log 2>&1
cat > sentences.cjs <<'END'
const chrono = require('chrono-node');
const instant = new Date('2030-03-04T15:00:00Z');
const read = (sentence, timezone) => chrono.parse(sentence, { instant, timezone })[0].start.date().toISOString().slice(0, 16) + 'Z';
for (const zone of ['America/New_York', 'Asia/Kolkata', 'ET']) console.log(`"tomorrow at 9am" for somebody in ${zone}: ${read('tomorrow at 9am', zone)}`);
const sentences = ['July 15 2030 at 9am ET', '9am ET on July 15 2030', '15 July 2030, 9am CET', '9am CET, 15 July 2030', 'on March 14 at 9am ET', 'at 9am ET on March 14'];
for (const sentence of sentences) console.log(`"${sentence}": ${read(sentence, 0)}`);
END
TZ=UTC node sentences.cjs > seen
cat seen
cat > expected <<'END'
"tomorrow at 9am" for somebody in America/New_York: 2030-03-05T09:00Z
"tomorrow at 9am" for somebody in Asia/Kolkata: 2030-03-05T09:00Z
"tomorrow at 9am" for somebody in ET: 2030-03-05T14:00Z
"July 15 2030 at 9am ET": 2030-07-15T13:00Z
"9am ET on July 15 2030": 2030-07-15T14:00Z
"15 July 2030, 9am CET": 2030-07-15T07:00Z
"9am CET, 15 July 2030": 2030-07-15T08:00Z
"on March 14 at 9am ET": 2030-03-14T13:00Z
"at 9am ET on March 14": 2030-03-14T14:00Z
END
diff expected seen
