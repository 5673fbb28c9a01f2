#!/usr/bin/env bash
# Package: jsvat 2.5.4, which checks numbers for value added tax by their form and digits; the numbers are the ones of its own tests.
# The good guess: the countries that it lists are those of the European Union's service (VIES), with Northern Ireland as XI, which has had its own
#   letters there since 2021, with the same nine digits as GB. A country that it does not know is said to be unknown, not wrong.
# What is seen: GB and nine digits is right, and XI and the same digits is invalid, with no country, as if mistyped. It is the same answer as for
#   letters that are no country's, and for a wrong digit at least the country is named.
# Why it matters: a company in Belfast is told that its number is wrong, so it is charged with the tax of the host's country, or cannot book at
#   all; and its number as GB, which passes, is not in that service.
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
