#!/usr/bin/env bash
# Package: price-parser 3.4.0, which reads the price in a text. Its value is in the smallest unit of the currency, and each currency has its
#   exponent.
# The good guess: yen have no smaller unit and dinars of Kuwait have a thousand (ISO 4217). ₩ is the won of South Korea, and C$ the dollar of
#   Canada. A minus before a price is read, or the text is refused.
# What is seen: 12,000 yen have the value 1,200,000, and 12.500 dinars, which is twelve and a half, are twelve and a half thousand; both exponents
#   are 2. ₩ is North Korea's, and C$ that of Nicaragua. A refund of 120 dollars is a price of 120, unless the minus is asked for (parseNegative).
# Why it matters: a fee in yen that is handed on to a payment service by its value is a hundred times as high, and what was paid back is booked as
#   income. Prices in dollars and euros are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts price-parser@3.4.0 >> npm.log 2>&1
cat > prices.cjs <<'END'
const { parseFirst } = require('price-parser');
for (const text of ['$120.00', '-$120.00', '1.200,50 €', 'CHF 120.50', '¥12,000', '12.500 KWD', '₩50,000', 'C$120.00']) {
  const { value, floatValue, currencyCode, currency } = parseFirst(text);
  const signed = parseFirst(text, { parseNegative: true }).floatValue;
  console.log(`${text}: ${floatValue} ${currencyCode}, value ${value}, exponent ${currency.exponent} (${currency.name})${signed === floatValue ? '' : `; with parseNegative ${signed}`}`);
}
END
node prices.cjs > seen
cat seen
cat > expected <<'END'
$120.00: 120 usd, value 12000, exponent 2 (United States Dollar)
-$120.00: 120 usd, value 12000, exponent 2 (United States Dollar); with parseNegative -120
1.200,50 €: 1200.5 eur, value 120050, exponent 2 (Euro Member Countries)
CHF 120.50: 120.5 chf, value 12050, exponent 2 (Switzerland Franc)
¥12,000: 12000 jpy, value 1200000, exponent 2 (Japan Yen)
12.500 KWD: 12500 kwd, value 1250000, exponent 2 (Kuwaiti Dinar)
₩50,000: 50000 kpw, value 5000000, exponent 2 (Korea (North) Won)
C$120.00: 120 nio, value 12000, exponent 2 (Nicaragua Cordoba)
END
diff expected seen
