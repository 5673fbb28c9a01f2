#!/usr/bin/env bash
# Packages: three that write CSV, fast-csv 5.0.8, csv-stringify 6.9.0 and papaparse 5.7.1.
# The good guess: one record with a time (Date) and booleans becomes the same row in each, and a program that reads it gets back what was
#   written.
# What is seen: the time is text on the machine's clock (fast-csv), milliseconds (csv-stringify) or ISO 8601 (papaparse). csv-stringify
#   writes true as 1, and false as an empty field, like null; the others write "true" and "false". A list of guests is joined by commas, or
#   is JSON in csv-stringify. An object is [object Object] in the other two.
# Why it matters: the start of a booking exported for the bookkeeper depends on the package and the machine, and "not confirmed" cannot be
#   told from "not asked". Convert each field before writing it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fast-csv@5.0.8 csv-stringify@6.9.0 papaparse@5.7.1 >> npm.log 2>&1
cat > rows.cjs <<'END'
const { writeToString } = require('fast-csv');
const { stringify } = require('csv-stringify/sync');
const Papa = require('papaparse');
const record = { start: new Date('2030-01-31T14:00:00Z'), confirmed: false, paid: true, cancelledAt: null, guests: ['Ada', 'Bea'], answers: { room: 'B2' } };
(async () => {
  console.log(`machine in ${process.env.TZ}`);
  console.log(`  fast-csv: ${(await writeToString([record], { headers: false })).trim()}`);
  console.log(`  csv-stringify: ${stringify([record]).trim()}`);
  console.log(`  papaparse: ${Papa.unparse([record], { header: false }).trim()}`);
})();
END
for zone in UTC America/New_York; do TZ=$zone node rows.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  fast-csv: Thu Jan 31 2030 14:00:00 GMT+0000 (Coordinated Universal Time),false,true,,"Ada,Bea",[object Object]
  csv-stringify: 1896098400000,,1,,"[""Ada"",""Bea""]","{""room"":""B2""}"
  papaparse: 2030-01-31T14:00:00.000Z,false,true,,"Ada,Bea",[object Object]
machine in America/New_York
  fast-csv: Thu Jan 31 2030 09:00:00 GMT-0500 (Eastern Standard Time),false,true,,"Ada,Bea",[object Object]
  csv-stringify: 1896098400000,,1,,"[""Ada"",""Bea""]","{""room"":""B2""}"
  papaparse: 2030-01-31T14:00:00.000Z,false,true,,"Ada,Bea",[object Object]
END
diff expected seen
