#!/usr/bin/env bash
# Package: parse-address 1.1.2, which cuts an address in the United States that somebody enters into its parts.
# The good guess: the parts, put together again, are the address that was entered; what does not fit is left in one of them, or nothing comes back.
# What is seen: 12 1/2 Elm Street is 12 Elm Street, which is another door, and 1234-B Oak Avenue is number "1234-" of B Oak Avenue. Behind "2nd
#   Floor" the town and the state are gone. A suite and a number such as 45-07 are right.
# Why it matters: the place of a meeting goes into an invitation by its parts, and the guest rings next door, or drives to Main Street of no town.
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
