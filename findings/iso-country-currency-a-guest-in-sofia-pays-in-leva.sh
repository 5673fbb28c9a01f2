#!/usr/bin/env bash
# Packages: two that give the currency of a country, iso-country-currency 0.7.2 and locale-currency 1.0.0, compared with country-to-currency
#   3.0.1.
# The good guess: the currency is the one that a shop there takes today, or a change of this year is missing.
# What is seen: the first has the bolívar of Venezuela that ended in 2018 (VEF), the leone of before 2022 (SLL), the dobra of before 2018
#   (STD), and Zimbabwe's dollar that ended in 2024 (ZWL). Both have the lev for Bulgaria, which has had the euro since 1 January 2026, and
#   the guilder that Curaçao and Sint Maarten replaced in 2025. The third has all of them.
# Why it matters: a price page takes the currency from the country of the visitor: a guest in Sofia is quoted leva, which nobody can pay,
#   and the payment service refuses a charge in STD or SLL. Larger countries, and a test in euros or dollars, are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iso-country-currency@0.7.2 locale-currency@1.0.0 country-to-currency@3.0.1 >> npm.log 2>&1
cat > currencies.mjs <<'END'
import * as toCurrency from 'country-to-currency';
import { getParamByISO } from 'iso-country-currency';
import * as localeCurrency from 'locale-currency';
const table = toCurrency.default?.default ?? toCurrency.default ?? toCurrency;
for (const [place, code] of [
  ['Croatia', 'HR'],
  ['Bulgaria', 'BG'],
  ['Curaçao', 'CW'],
  ['Sint Maarten', 'SX'],
  ['Sierra Leone', 'SL'],
  ['São Tomé and Príncipe', 'ST'],
  ['Zimbabwe', 'ZW'],
  ['Venezuela', 'VE'],
])
  console.log(`${place}: iso-country-currency ${getParamByISO(code, 'currency')}, locale-currency ${localeCurrency.getCurrency(code)}; country-to-currency ${table[code]}`);
END
node currencies.mjs > seen
cat seen
cat > expected <<'END'
Croatia: iso-country-currency EUR, locale-currency EUR; country-to-currency EUR
Bulgaria: iso-country-currency BGN, locale-currency BGN; country-to-currency EUR
Curaçao: iso-country-currency ANG, locale-currency ANG; country-to-currency XCG
Sint Maarten: iso-country-currency ANG, locale-currency ANG; country-to-currency XCG
Sierra Leone: iso-country-currency SLL, locale-currency SLE; country-to-currency SLE
São Tomé and Príncipe: iso-country-currency STD, locale-currency STN; country-to-currency STN
Zimbabwe: iso-country-currency ZWL, locale-currency ZWG; country-to-currency ZWG
Venezuela: iso-country-currency VEF, locale-currency VED; country-to-currency VES
END
diff expected seen
