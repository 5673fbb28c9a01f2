#!/usr/bin/env bash
# Packages: structured-headers 2.1.0, which writes and reads structured fields of HTTP (RFC 9651), beside structured-field-values 2.0.4.
# The good guess: a number is written in a form that is allowed: at most three digits behind the point, and at least one (RFC 9651, 4.1.5), so
#   2.0004 is 2.0, and its own reader reads what it writes.
# What is seen: whatever is rounded to a whole number is written with a bare point: "2.", "0." and "100.". Its own reader refuses that, and with it
#   the whole header, as the standard asks for.
# Why it matters: a price, or the time that a part took, is there for most values; now and then the header is lost at the other end, with everything
#   else that is in it. The other one writes 2.0.
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
