#!/usr/bin/env bash
# Packages: sms-length 0.2.2, with which services show in advance how many messages a text takes and what it costs, compared with
#   sms-segments-calculator 1.3.0 by Twilio.
# The good guess: a long text is split where a phone can join it again: the two halves of € (an escape and a letter, 3GPP TS 23.038) or of a
#   character of two 16-bit units stay in one message (TS 23.040, 9.2.3.24.1), so a message may hold one unit less.
# What is seen: sms-length divides the number of units by 153 or 67. If a € falls across that boundary, it says two messages, but three are
#   sent. The same is true of a text in Cyrillic with a two-unit character there.
# Why it matters: each booking's reminder costs half as much again as was shown, and a limit of "at most two" lets three through. Texts
#   without such a character, or with it elsewhere, are right.
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
