#!/usr/bin/env bash
# Package: mt940-js 1.0.0 (with tslib 2.8.1, which it needs but does not declare), which reads bank statements (SWIFT MT940).
# The good guess: a statement line has its value date with a year (291231), then its entry date without one (0102). Around New Year, the
#   entry date gets the year that brings it close to the value date.
# What is seen: the entry date gets the year of the value date. With value date 31 December 2029 and entry date 2 January, the entry is
#   dated 2 January 2029, a year early; with value date 1 January 2030 and entry date 31 December, a year late.
# Why it matters: software that marks invoices and deposits as paid by entry date misses payments around New Year, and reminds guests of
#   what they have already paid. All other dates are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts mt940-js@1.0.0 tslib@2.8.1 >> npm.log 2>&1
cat > statement.mjs <<'END'
import mt940 from 'mt940-js';
for (const [value, entry] of [['291217', '1218'], ['291228', '1231'], ['291231', '0102'], ['300101', '1231'], ['300103', '0104']]) {
  const text = [':20:REF', ':25:12345678/1234567890', ':28C:1/1', ':60F:C291217EUR1000,00', `:61:${value}${entry}C100,00NTRFNONREF`, ':86:DEPOSIT', ':62F:C300104EUR1100,00', '-'];
  const [statement] = await mt940.read(Buffer.from(text.join('\r\n')));
  const [{ valueDate, entryDate, amount }] = statement.transactions;
  console.log(`${value}${entry}: ${amount}, value date ${valueDate}, entry ${entryDate}`);
}
END
node statement.mjs > seen
cat seen
cat > expected <<'END'
2912171218: 100, value date 2029-12-17, entry 2029-12-18
2912281231: 100, value date 2029-12-28, entry 2029-12-31
2912310102: 100, value date 2029-12-31, entry 2029-01-02
3001011231: 100, value date 2030-01-01, entry 2030-12-31
3001030104: 100, value date 2030-01-03, entry 2030-01-04
END
diff expected seen
