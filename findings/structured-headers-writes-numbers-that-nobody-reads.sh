#!/usr/bin/env bash
# Packages: structured-headers 2.1.0, which writes and parses HTTP structured fields (RFC 9651), compared with structured-field-values
#   2.0.4.
# The good guess: a decimal is written in a valid form, with one to three digits after the point (RFC 9651, 4.1.5), so 2.0004 becomes 2.0,
#   and its own parser accepts what it writes.
# What is seen: a decimal that rounds to a whole number ends in a bare point: "2.", "0." and "100.". Its own parser rejects that and, as the
#   standard requires, the whole header.
# Why it matters: a price, or a timing, arrives for most values; now and then the receiver loses the header with everything else in it. The
#   other package writes 2.0.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts structured-headers@2.1.0 structured-field-values@2.0.4 >> npm.log 2>&1
cat > numbers.mjs <<'END'
import { parseDictionary, serializeDictionary } from 'structured-headers';
import { encodeDict } from 'structured-field-values';
for (const number of [1.5, 12.3456, 2.0004, 0.0003, 99.9996]) {
  const text = serializeDictionary({ wait: number, room: 'B' });
  let read;
  try {
    read = parseDictionary(text).size + ' parts';
  } catch (error) {
    read = `an error (${error.message})`;
  }
  console.log(`${number}: ${text}, read as ${read}; the other writes ${encodeDict({ wait: number, room: 'B' })}`);
}
END
node numbers.mjs > seen
cat seen
cat > expected <<'END'
1.5: wait=1.5, room="B", read as 2 parts; the other writes wait=1.5, room="B"
12.3456: wait=12.346, room="B", read as 2 parts; the other writes wait=12.346, room="B"
2.0004: wait=2., room="B", read as an error (Parse error: Decimal cannot end on a period at offset 7); the other writes wait=2.0, room="B"
0.0003: wait=0., room="B", read as an error (Parse error: Decimal cannot end on a period at offset 7); the other writes wait=0.0, room="B"
99.9996: wait=100., room="B", read as an error (Parse error: Decimal cannot end on a period at offset 9); the other writes wait=100.0, room="B"
END
diff expected seen
