#!/usr/bin/env bash
# Package: currency.js 2.0.4, which calculates prices in cents, compared with dinero.js 2.0.2.
# The good guess: a refund of 10 percent of $12.25 is the same sum as the fee of 10 percent was, so the two add up to nothing. Prices in the
#   form of the shop's country are read, or refused.
# What is seen: half a cent is rounded up for a fee, and also up, which is toward zero, for a refund: 1.23 and -1.22. A cent stays.
#   dinero.js, which asks for the way to round, gives 1.23 and -1.23. A decimal comma is a thousands separator: "12,50" is 1250, without an
#   error; "12.50-", a credit as German accounting writes it, is NaN even with errorOnInvalid.
# Why it matters: the books of a month with 40 cancelled bookings are 40 cents off, and no single row looks wrong. A deposit of 12,50 € is
#   charged as 1250. Sums and prices without half cents are right, which is what tests have.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts currency.js@2.0.4 dinero.js@2.0.2 >> npm.log 2>&1
cat > refunds.cjs <<'END'
const currency = require('currency.js');
const { dinero, halfAwayFromZero, multiply, toDecimal, transformScale, USD } = require('dinero.js');
const other = (cents) => Number(toDecimal(transformScale(multiply(dinero({ amount: cents, currency: USD }), { amount: 1, scale: 1 }), 2, halfAwayFromZero)));
for (const price of [12.2, 12.25, 8.15, 19.95]) {
  const [fee, refund] = [currency(price).multiply(0.1), currency(-price).multiply(0.1)];
  const cents = Math.round(price * 100);
  console.log(`10 percent of ${price}: fee ${fee}, refund ${refund}, left ${fee.add(refund)}; dinero.js ${other(cents)} and ${other(-cents)}`);
}
const [charged, returned] = [1, -1].map((sign) => Array.from({ length: 40 }, () => currency(sign * 19.95).multiply(0.1)).reduce((sum, each) => sum.add(each)));
console.log(`40 fees and their refunds: ${charged} and ${returned}, left ${charged.add(returned)}`);
for (const text of ['12.50', '$1,200.50', '(12.50)', '12,50', '12.50-']) {
  let read;
  try {
    read = currency(text, { errorOnInvalid: true }).value;
  } catch (error) {
    read = error.message;
  }
  console.log(`"${text}" with errorOnInvalid: ${read}`);
}
END
node refunds.cjs > seen
cat seen
cat > expected <<'END'
10 percent of 12.2: fee 1.22, refund -1.22, left 0.00; dinero.js 1.22 and -1.22
10 percent of 12.25: fee 1.23, refund -1.22, left 0.01; dinero.js 1.23 and -1.23
10 percent of 8.15: fee 0.82, refund -0.81, left 0.01; dinero.js 0.82 and -0.82
10 percent of 19.95: fee 2.00, refund -1.99, left 0.01; dinero.js 2 and -2
40 fees and their refunds: 80.00 and -79.60, left 0.40
"12.50" with errorOnInvalid: 12.5
"$1,200.50" with errorOnInvalid: 1200.5
"(12.50)" with errorOnInvalid: -12.5
"12,50" with errorOnInvalid: 1250
"12.50-" with errorOnInvalid: NaN
END
diff expected seen
