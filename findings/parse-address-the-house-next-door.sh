#!/usr/bin/env bash
# Package: parse-address 1.1.2, which splits a United States address typed by a person into its parts.
# The good guess: the parts, joined again, are the address that was entered; text that does not fit stays in one of them, or nothing is
#   returned.
# What is seen: 12 1/2 Elm Street becomes 12 Elm Street, another door, and 1234-B Oak Ave becomes number "1234-" of "B Oak" Ave. After "2nd
#   Floor", city, state and zip are lost. "Suite 200" and a number such as 45-07 are right.
# Why it matters: an invitation shows the place of a meeting from its parts, so the guest rings next door, or drives to a Main Street in no
#   city.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts parse-address@1.1.2 >> npm.log 2>&1
cat > address.cjs <<'END'
const { parseLocation } = require('parse-address');
for (const address of [
  '12 Elm Street, Salem, MA 01970',
  '12 1/2 Elm Street, Salem, MA 01970',
  '1234-B Oak Ave, Austin, TX 78701',
  '45-07 21st St, Queens, NY 11101',
  '100 Main St, Suite 200, Reston, VA 20190',
  '100 Main St, 2nd Floor, Reston, VA 20190',
])
  console.log(`${address}: ${Object.entries(parseLocation(address)).map(([part, text]) => `${part} "${text}"`).join(', ')}`);
END
node address.cjs > seen
cat seen
cat > expected <<'END'
12 Elm Street, Salem, MA 01970: number "12", street "Elm", type "St", city "Salem", state "MA", zip "01970"
12 1/2 Elm Street, Salem, MA 01970: number "12", street "Elm", type "St", city "Salem", state "MA", zip "01970"
1234-B Oak Ave, Austin, TX 78701: number "1234-", street "B Oak", type "Ave", city "Austin", state "TX", zip "78701"
45-07 21st St, Queens, NY 11101: number "45-07", street "21st", type "St", city "Queens", state "NY", zip "11101"
100 Main St, Suite 200, Reston, VA 20190: number "100", street "Main", type "St", sec_unit_type "Suite", sec_unit_num "200", city "Reston", state "VA", zip "20190"
100 Main St, 2nd Floor, Reston, VA 20190: number "100", street "Main", type "St"
END
diff expected seen
