#!/usr/bin/env bash
# Package: chrono-node 2.10.3, which reads dates in plain sentences of several languages.
# The good guess: what a language module does not know yields no result, or a day marked as a guess. It does not find another day inside the
#   words: "après-demain", "pasado mañana" and "depois de amanhã" mean the day after tomorrow.
# What is seen: these three are read as tomorrow, and the day is marked certain. Dutch "overmorgen om 9 uur" and Japanese 明後日の9時 are read as
#   nine o'clock today, with the day marked as a guess. English, German, Italian and Russian are right.
# Why it matters: developers who build a bot in English and then switch on the customer's language book each such meeting a day early, or
#   two, and the answer shows the right hour. Only the words missing from `text` give it away.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts chrono-node@2.10.3 >> npm.log 2>&1
cat > days.mjs <<'END'
import * as chrono from 'chrono-node';
const reference = { instant: new Date('2030-01-31T08:00:00Z'), timezone: 0 };
for (const [language, sentence] of [
  ['en', 'the day after tomorrow at 9am'],
  ['de', 'übermorgen um 9 Uhr'],
  ['it', 'dopodomani alle 9'],
  ['ru', 'послезавтра в 9'],
  ['fr', 'après-demain'],
  ['fr', 'après-demain à 9h'],
  ['es', 'pasado mañana a las 9'],
  ['pt', 'depois de amanhã às 9'],
  ['nl', 'overmorgen om 9 uur'],
  ['ja', '明後日の9時'],
]) {
  const read = chrono[language].parse(sentence, reference).map(({ text, start }) => `"${text}", ${start.date().toISOString().slice(0, 10)}${start.isCertain('hour') ? ` at ${start.get('hour')}` : ''}, day ${start.isCertain('day') ? 'certain' : 'guessed'}`);
  console.log(`${language}, on 2030-01-31, ${sentence}: ${read.join('; ')}`);
}
END
TZ=UTC node days.mjs > seen
cat seen
cat > expected <<'END'
en, on 2030-01-31, the day after tomorrow at 9am: "the day after tomorrow at 9am", 2030-02-02 at 9, day certain
de, on 2030-01-31, übermorgen um 9 Uhr: "übermorgen um 9 Uhr", 2030-02-02 at 9, day certain
it, on 2030-01-31, dopodomani alle 9: "dopodomani alle 9", 2030-02-02 at 9, day certain
ru, on 2030-01-31, послезавтра в 9: "послезавтра в 9", 2030-02-02 at 9, day certain
fr, on 2030-01-31, après-demain: "demain", 2030-02-01, day certain
fr, on 2030-01-31, après-demain à 9h: "demain à 9h", 2030-02-01 at 9, day certain
es, on 2030-01-31, pasado mañana a las 9: "mañana a las 9", 2030-02-01 at 9, day certain
pt, on 2030-01-31, depois de amanhã às 9: "amanhã às 9", 2030-02-01 at 9, day certain
nl, on 2030-01-31, overmorgen om 9 uur: "om 9 uur", 2030-01-31 at 9, day guessed
ja, on 2030-01-31, 明後日の9時: "9時", 2030-01-31 at 9, day guessed
END
diff expected seen
