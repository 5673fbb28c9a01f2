#!/usr/bin/env bash
# Package: chrono-node 2.10.3, which reads dates in plain sentences of several languages.
# The good guess: a time zone is read only where somebody wrote one. "Freitag um 9 Uhr ist frei" says that Friday at nine is free, and
#   "vendredi à 9h et quart" is a quarter past nine: short everyday words are words.
# What is seen: a short word after the time that is also a zone abbreviation is read as the zone, in lower case and in every language
#   tested: German "ist" (is) as India, French "est" (is) and "et" (and) as New York, Dutch "wat" as West Africa, English "eat", "art",
#   "get" and "pet" as Nairobi, Buenos Aires, Tbilisi and Lima. The zone is marked certain, even when a reference zone is given.
# Why it matters: German "the meeting at nine is confirmed" books 03:30 at night, and "dinner at 7pm eat out" books 16:00. With another word
#   after the time it works. Check the matched text, and read the time again without its last word.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts chrono-node@2.10.3 >> npm.log 2>&1
cat > words.mjs <<'END'
import * as chrono from 'chrono-node';
const reference = { instant: new Date('2030-01-31T08:00:00Z'), timezone: 0 };
for (const [language, sentence] of [
  ['de', 'Freitag um 9 Uhr passt'],
  ['de', 'Freitag um 9 Uhr ist frei'],
  ['fr', 'vendredi à 9h, bien sûr'],
  ['fr', 'vendredi à 9h est libre'],
  ['fr', 'vendredi à 9h et quart'],
  ['nl', 'vrijdag om 9 uur wat later'],
  ['en', 'Friday at 7pm dinner'],
  ['en', 'Friday at 7pm eat out'],
  ['en', 'Friday at 7pm art class'],
  ['en', 'Friday at 9am pet clinic'],
  ['en', 'Friday at 9am get blood test'],
]) {
  const [{ text, start }] = chrono[language].parse(sentence, reference);
  console.log(`${language}, ${sentence}: "${text}", ${start.date().toISOString().slice(11, 16)}Z, zone ${start.isCertain('timezoneOffset') ? 'certain' : 'not named'}`);
}
END
TZ=UTC node words.mjs > seen
cat seen
cat > expected <<'END'
de, Freitag um 9 Uhr passt: "Freitag um 9 Uhr", 09:00Z, zone not named
de, Freitag um 9 Uhr ist frei: "Freitag um 9 Uhr ist", 03:30Z, zone certain
fr, vendredi à 9h, bien sûr: "vendredi à 9h", 09:00Z, zone not named
fr, vendredi à 9h est libre: "vendredi à 9h est", 14:00Z, zone certain
fr, vendredi à 9h et quart: "vendredi à 9h et", 14:00Z, zone certain
nl, vrijdag om 9 uur wat later: "vrijdag om 9 uur wat", 08:00Z, zone certain
en, Friday at 7pm dinner: "Friday at 7pm", 19:00Z, zone not named
en, Friday at 7pm eat out: "Friday at 7pm eat", 16:00Z, zone certain
en, Friday at 7pm art class: "Friday at 7pm art", 22:00Z, zone certain
en, Friday at 9am pet clinic: "Friday at 9am pet", 14:00Z, zone certain
en, Friday at 9am get blood test: "Friday at 9am get", 05:00Z, zone certain
END
diff expected seen
