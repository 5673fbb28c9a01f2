#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76).
# The good guess: the conversion of a field of the type dateTime takes what is a date, and refuses "Table 5", "12" or a day that could be
#   two. A number that was left empty stays empty.
# What is seen: what Luxon cannot read goes to Date.parse, which takes words and guesses. "Table 5" is a day in 2001, 05/06/2026 is the
#   sixth of May, "12" is today at noon, and the empty text is the number 0. All of them are called valid.
# Why it matters: a node with fields in a resource mapper gets the result alone. It books, writes and sends days and numbers that nobody
#   entered. getNodeParameter has the option skipValidation, with which the node reads what was entered.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact n8n-workflow@2.41.0 zod@3.25.76 >/dev/null
cat >convert.cjs <<'JS'
const { validateFieldType } = require('n8n-workflow');
const read = (value, type) => {
  const { valid, newValue } = validateFieldType('answer', value, type);
  return valid ? String(newValue?.toFormat?.('yyyy-MM-dd') ?? newValue) : 'refused';
};
const seen = [
  ...['Table 5', '12', '05/06/2026', 'Dec 5'].map((value) => [value, 'dateTime']),
  ['', 'number'],
  ['12345678901234567890', 'number'],
].map(([value, type]) => [value, type, read(value, type)]);
for (const [value, type, result] of seen) console.log(`${JSON.stringify(value)} as ${type}: ${result}`);
const expected = ['2001-05-01', new Date().toISOString().slice(0, 10), '2026-05-06', '2001-12-05', '0', '12345678901234567000'];
process.exitCode = seen.every(([, , result], index) => result === expected[index]) ? 0 : 1;
JS
TZ=UTC node convert.cjs
