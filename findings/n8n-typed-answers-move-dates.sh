#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76).
# The good guess: converting a field to the type dateTime accepts dates, and rejects "Table 5", "12" or an ambiguous day. An empty number
#   stays empty.
# What is seen: what Luxon cannot parse goes to Date.parse, which accepts words and guesses. "Table 5" is a day in 2001, 05/06/2026 is 6
#   May, "12" is today, and an empty string is the number 0. All are called valid.
# Why it matters: a node with fields in a resource mapper gets only the result, and books, writes and sends dates and numbers that nobody
#   entered. With the option skipValidation of getNodeParameter, the node gets what was entered.
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
