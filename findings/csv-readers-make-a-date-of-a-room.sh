#!/usr/bin/env bash
# Packages: five that read CSV, with their option that converts numbers: papaparse 5.7.1 (dynamicTyping), csv-parse 7.0.3 (cast, cast_date),
#   csvtojson 2.0.14 (checkType), d3-dsv 3.0.2 (autoType) and xlsx 0.18.5 (by default).
# The good guess: a phone number with a plus, an ID with leading zeros and a room name stay text: neither the plus nor leading zeros belong
#   to a number, and only what looks like a date is one.
# What is seen: all remove the leading zeros of the ID, and all but papaparse the plus. All but papaparse change the last digit of an ID of
#   16 digits. With cast_date, csv-parse reads "Room 7" as a date in 2001. xlsx returns dates as serial numbers: in California, 3 March 2031
#   (47910) becomes the afternoon of the day before (47909.67).
# Why it matters: an import of contacts stores phone numbers that do not exist, an ID is another booking's, and a room is a date. Convert
#   the columns that you know, and no others.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts papaparse@5.7.1 csv-parse@7.0.3 csvtojson@2.0.14 d3-dsv@3.0.2 xlsx@0.18.5 >> npm.log 2>&1
cat > contacts.mjs <<'END'
import { parse } from 'csv-parse/sync';
import csvtojson from 'csvtojson';
import { autoType, csvParse } from 'd3-dsv';
import Papa from 'papaparse';
import XLSX from 'xlsx';
const table = 'phone,id,day,place\n+4915112345678,00123,2031-03-03,Room 7\n0151 1234,9007199254740993,2031-03-04,Hall\n';
const shown = (value) => (value instanceof Date ? `a day of ${value.getFullYear()}` : JSON.stringify(value));
const readers = {
  papaparse: () => Papa.parse(table, { header: true, dynamicTyping: true, skipEmptyLines: true }).data,
  'csv-parse, cast': () => parse(table, { columns: true, cast: true }),
  'csv-parse, cast_date': () => parse(table, { columns: true, cast: true, cast_date: true }),
  csvtojson: () => csvtojson({ checkType: true }).fromString(table),
  'd3-dsv': () => csvParse(table, autoType),
  xlsx: () => XLSX.utils.sheet_to_json(XLSX.read(table, { type: 'string' }).Sheets.Sheet1),
};
for (const [name, read] of Object.entries(readers))
  for (const { phone, id, day, place } of await read()) console.log(`${name}: ${[phone, id, day, place].map(shown).join(', ')}`);
END
TZ=America/Los_Angeles node contacts.mjs > seen
cat seen
cat > expected <<'END'
papaparse: "+4915112345678", 123, "2031-03-03", "Room 7"
papaparse: "0151 1234", "9007199254740993", "2031-03-04", "Hall"
csv-parse, cast: 4915112345678, 123, "2031-03-03", "Room 7"
csv-parse, cast: "0151 1234", 9007199254740992, "2031-03-04", "Hall"
csv-parse, cast_date: 4915112345678, 123, a day of 2031, a day of 2001
csv-parse, cast_date: "0151 1234", 9007199254740992, a day of 2031, "Hall"
csvtojson: 4915112345678, 123, "2031-03-03", "Room 7"
csvtojson: "0151 1234", 9007199254740992, "2031-03-04", "Hall"
d3-dsv: 4915112345678, 123, a day of 2031, "Room 7"
d3-dsv: "0151 1234", 9007199254740992, a day of 2031, "Hall"
xlsx: 4915112345678, 123, 47909.666666666664, "Room 7"
xlsx: "0151 1234", 9007199254740992, 47910.666666666664, "Hall"
END
diff expected seen
