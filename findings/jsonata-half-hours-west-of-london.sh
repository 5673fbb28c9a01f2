#!/usr/bin/env bash
# Package: jsonata 2.2.2, the language in which Node-RED and others transform records: its date and time functions.
# The good guess: a time with the offset -03:30 (Newfoundland in winter) is read and written with that offset, with a format (a "picture")
#   or without one. A time without an offset means the same either way.
# What is seen: with a picture, -03:30 is read as -02:30, an hour off, and written as -04:30, with the matching local time (08:00 instead of
#   09:00). Without a picture it is read correctly. +05:30 and whole hours are right. A time without an offset is UTC with a picture, and
#   the machine's local time without one.
# Why it matters: output is the right instant, but with an offset that nobody there uses, so people read the local time and come an hour
#   early. Input becomes another instant. Adding a picture to a flow, or removing it, shifts its meetings by the machine's offset.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts jsonata@2.2.2 >> npm.log 2>&1
cat > times.cjs <<'END'
const jsonata = require('jsonata');
const picture = '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01]';
(async () => {
  for (const offset of ['+05:30', '-03:00', '-03:30', '-09:30']) {
    const text = `2030-01-31T09:00:00${offset}`;
    const evaluate = (expression) => jsonata(expression).evaluate({ text });
    const instant = await evaluate('$fromMillis($toMillis(text))');
    const read = await evaluate(`$fromMillis($toMillis(text, "${picture}[Z]"))`);
    const written = await evaluate(`$fromMillis($toMillis(text), "${picture}[Z]", "${offset.replace(':', '')}")`);
    console.log(`${text} (${instant.slice(11, 16)}Z): read by a picture as ${read.slice(11, 16)}Z, written as ${written}`);
  }
  const plain = await jsonata(`[$fromMillis($toMillis("2030-01-31T09:00:00")), $fromMillis($toMillis("2030-01-31T09:00:00", "${picture}"))]`).evaluate({});
  console.log(`without an offset, in New York: ${plain[0].slice(11, 16)}Z, by a picture ${plain[1].slice(11, 16)}Z`);
})();
END
TZ=America/New_York node times.cjs > seen
cat seen
cat > expected <<'END'
2030-01-31T09:00:00+05:30 (03:30Z): read by a picture as 03:30Z, written as 2030-01-31T09:00:00+05:30
2030-01-31T09:00:00-03:00 (12:00Z): read by a picture as 12:00Z, written as 2030-01-31T09:00:00-03:00
2030-01-31T09:00:00-03:30 (12:30Z): read by a picture as 11:30Z, written as 2030-01-31T08:00:00-04:30
2030-01-31T09:00:00-09:30 (18:30Z): read by a picture as 17:30Z, written as 2030-01-31T08:00:00-10:30
without an offset, in New York: 14:00Z, by a picture 09:00Z
END
diff expected seen
