#!/usr/bin/env bash
# Package: price-parser 3.4.0, which finds the price in a text. It returns a value in the smallest unit of the currency, and the currency's
#   exponent.
# The good guess: the yen has no smaller unit and the Kuwaiti dinar has a thousand (ISO 4217). ₩ is the South Korean won, and C$ the
#   Canadian dollar. A minus before a price is read, or the text is rejected.
# What is seen: ¥12,000 has the value 1,200,000, and 12.500 KWD, which is twelve and a half, is read as 12500; both exponents are 2. ₩ is
#   North Korea's won, and C$ is Nicaragua's currency. -$120.00, a refund, is a price of 120 unless the option parseNegative is set.
# Why it matters: a fee in yen whose value is passed to a payment service is a hundred times too high, and a refund is booked as income.
#   Prices in dollars and euros are right.
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
