#!/usr/bin/env bash
# Package: invoice-number 2.0.1, which gives the number of the next invoice after the last one.
# The good guess: the next number was never used before: after INV-999 comes INV-1000, as after INV-0999, or the call fails.
# What is seen: the digits at the end turn over in their width: INV-999 is followed by INV-000, and then by INV-001, the first invoice of
#   the books. A letter right before them is turned on instead: A99, B00.
# Why it matters: invoice 1,001 has the number of the first, which tax law forbids, and a shop that finds invoices by their number shows or
#   overwrites another customer's. It comes after years, on a day without a release.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts invoice-number@2.0.1 >> npm.log 2>&1
cat > numbers.cjs <<'END'
const { InvoiceNumber } = require('invoice-number');
for (const first of ['INV-008', 'INV-0998', 'INV-998', 'INV/2030/98', 'A98', 'INV-2030-Y']) {
  const numbers = [first];
  for (let times = 0; times < 3; times += 1) numbers.push(InvoiceNumber.next(numbers.at(-1)));
  console.log(numbers.join(', '));
}
const used = new Set();
let number = 'INV-001';
for (let sold = 1; !used.has(number); sold += 1) {
  used.add(number);
  number = InvoiceNumber.next(number);
  if (used.has(number)) console.log(`from INV-001 on: invoice ${sold + 1} is ${number} again`);
}
END
node numbers.cjs > seen
cat seen
cat > expected <<'END'
INV-008, INV-009, INV-010, INV-011
INV-0998, INV-0999, INV-1000, INV-1001
INV-998, INV-999, INV-000, INV-001
INV/2030/98, INV/2030/99, INV/2030/00, INV/2030/01
A98, A99, B00, B01
INV-2030-Y, INV-2030-Z, INV-2030-A, INV-2030-B
from INV-001 on: invoice 1001 is INV-001 again
END
diff expected seen
