#!/usr/bin/env bash
# Package: jsvat 2.5.4, which checks the format and check digits of VAT numbers. The test numbers are from its own tests.
# The good guess: its list of countries matches the EU's service (VIES), including Northern Ireland, which has had its own prefix XI there
#   since 2021, with the same nine digits as GB. An unknown country is reported as unknown, not as invalid.
# What is seen: GB980780684 is valid; XI980780684, with the same digits, is invalid, without a country, just like the prefix XX, which
#   belongs to no country. For a wrong digit, at least the country is named.
# Why it matters: a company in Belfast is told that its number is wrong, so it is charged VAT of the host's country, or cannot book at all.
#   Its number with GB, which passes, is not in VIES.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts jsvat@2.5.4 >> npm.log 2>&1
cat > numbers.cjs <<'END'
const { checkVAT, countries } = require('jsvat');
const numbers = ['GB980780684', 'XI980780684', 'IE6388047V', 'DE136695976', 'DE136695977', 'XX136695976'];
console.log(`${countries.length} countries, ${['GB', 'IE', 'XI'].map((code) => `${code} ${countries.some(({ codes }) => codes.includes(code)) ? 'is' : 'is not'} among their codes`).join(', ')}`);
for (const number of numbers) {
  const { isValid, isValidFormat, country } = checkVAT(number, countries);
  console.log(`${number}: ${isValid ? 'valid' : 'invalid'}, form ${isValidFormat ? 'known' : 'unknown'}, ${country ? country.name : 'no country'}`);
}
END
node numbers.cjs > seen
cat seen
cat > expected <<'END'
35 countries, GB is among their codes, IE is among their codes, XI is not among their codes
GB980780684: valid, form known, United Kingdom
XI980780684: invalid, form unknown, no country
IE6388047V: valid, form known, Ireland
DE136695976: valid, form known, Germany
DE136695977: invalid, form known, Germany
XX136695976: invalid, form unknown, no country
END
diff expected seen
