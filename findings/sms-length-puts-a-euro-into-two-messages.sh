#!/usr/bin/env bash
# Packages: sms-length 0.2.2, with which services say beforehand how many messages a text is and what it costs, beside sms-segments-calculator 1.3.0
#   of Twilio.
# The good guess: a text of several messages is cut where a phone can put it together again: the two halves of € (an escape and a letter, 3GPP TS
#   23.038) and of a character of two units stay in one message (TS 23.040, 9.2.3.24.1), so a message may have one place less.
# What is seen: sms-length divides the number of halves by 153 or 67. Where a € stands across that place it says two messages, and three are sent. A
#   text in Cyrillic with a sign of two units at the place the same.
# Why it matters: the reminder of each booking costs half as much again as was shown, and a limit of "at most two" lets three out. Texts without
#   such a sign, and with it elsewhere, are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts sms-length@0.2.2 sms-segments-calculator@1.3.0 >> npm.log 2>&1
cat > count.cjs <<'END'
const { count } = require('sms-length');
const { SegmentedMessage } = require('sms-segments-calculator');
for (const [name, text] of [
  ['306 letters', 'a'.repeat(306)],
  ['304 letters and a € at the end', `${'a'.repeat(304)}€`],
  ['304 letters and a € behind the 151st', `${'a'.repeat(151)}€${'a'.repeat(153)}`],
  ['304 letters and a € behind the 152nd', `${'a'.repeat(152)}€${'a'.repeat(152)}`],
  ['132 Cyrillic letters and a clef behind the 65th', `${'ж'.repeat(65)}𝄞${'ж'.repeat(67)}`],
  ['132 Cyrillic letters and a clef behind the 66th', `${'ж'.repeat(66)}𝄞${'ж'.repeat(66)}`],
])
  console.log(`${name}: ${count(text).messages} messages; the other ${new SegmentedMessage(text).segmentsCount}`);
END
node count.cjs > seen
cat seen
cat > expected <<'END'
306 letters: 2 messages; the other 2
304 letters and a € at the end: 2 messages; the other 2
304 letters and a € behind the 151st: 2 messages; the other 2
304 letters and a € behind the 152nd: 2 messages; the other 3
132 Cyrillic letters and a clef behind the 65th: 2 messages; the other 2
132 Cyrillic letters and a clef behind the 66th: 2 messages; the other 3
END
diff expected seen
